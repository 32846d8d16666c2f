import { certificationRequest, pinProof, toBase64 } from '#clients/device';

import type { EnrolmentAnswer } from './app-api.js';
import { keyOperations } from './key-operations.js';
import type { PhoneKeys } from './phone-keys.js';
import type { Reply } from './reply.js';

export interface EnrolmentAnswers {
  readonly activationCode: string;
  /** The name that the owner gave to the phone. */
  readonly name: string;
  readonly platform: string;
  readonly pin: string;
}

/** The body of POST `/app/v1/device`. */
export interface EnrolmentBody {
  readonly activation_code: string;
  readonly name: string;
  readonly platform: string;
  readonly signing_csr: string;
  readonly pin_proof: string;
}

export class EnrolmentRefused extends Error {
  override readonly name = 'EnrolmentRefused';

  constructor(readonly reply: Reply<EnrolmentAnswer> & { readonly ok: false }) {
    super(`enrolment refused: ${reply.status} ${reply.body.errorCode ?? ''}`);
  }
}

export const enrolmentBody = async (keys: PhoneKeys, { activationCode, name, platform, pin }: EnrolmentAnswers): Promise<EnrolmentBody> => {
  const operations = keyOperations(keys);
  return {
    activation_code: activationCode,
    name,
    platform,
    signing_csr: toBase64(await certificationRequest(operations.signing, name)),
    pin_proof: await pinProof(operations.pin, pin),
  };
};
