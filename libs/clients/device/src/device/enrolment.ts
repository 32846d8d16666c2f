import type { Reply } from '../../../../web-page/calls/src/index.js';
import type { Enrolled } from '../api/device-answers.js';
import type { PhoneApi } from '../api/phone-api.js';
import { fromBase64, toBase64 } from '../crypto/bytes.js';
import { certificateHolder } from '../crypto/certificate-holder.js';
import { certifiesKey } from '../crypto/certified-key.js';
import { certificationRequest } from '../crypto/certification-request.js';
import type { DeviceRecord } from './device-record.js';
import { type DeviceKeys, pinProof } from './keys.js';

/** The description of this device for the service: free text of at most 64 characters each. */
export interface DeviceDescription {
  readonly name: string;
  readonly platform: string;
}

export interface EnrolmentParts {
  /** Called once: new keys in the key store of the system. */
  readonly makeKeys: () => Promise<DeviceKeys>;
  readonly api: Pick<PhoneApi, 'enrol' | 'holder'>;
  readonly describe: DeviceDescription;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** This phone keeps nothing of such an enrolment. */
const FOREIGN_CERTIFICATE = { kind: 'REFUSED', status: 200, errorCode: 'foreign_certificate' } as const;

const certifies = async (text: string, { signing }: DeviceKeys, holder: string): Promise<boolean> => {
  const certificate = fromBase64(text) ?? new Uint8Array(0);
  return (await certifiesKey(certificate, signing)) && certificateHolder(certificate) === holder;
};

/** Makes this phone a person's device. The keys are made once, so that a repetition after a lost answer sends the same ones. */
export class Enrolment {
  private keys: Promise<DeviceKeys> | undefined;

  constructor(private readonly parts: EnrolmentParts) {}

  /** The name of the person whose phone this becomes. */
  async holder(activationCode: string): Promise<Reply<string>> {
    return this.parts.api.holder(await this.ownKeys(), activationCode);
  }

  /**
   * Enrols this phone. The caller stores the answered record. REFUSED with `foreign_certificate` when the certificate is for another key or name.
   *
   * @param holder the name that the person has seen
   */
  async enrol(activationCode: string, pin: string, holder: string): Promise<Reply<DeviceRecord>> {
    const keys = await this.ownKeys();
    const { name, platform } = this.parts.describe;
    const reply = await this.parts.api.enrol(keys, {
      activation_code: activationCode,
      name,
      platform,
      signing_csr: toBase64(await certificationRequest(keys.signing, name)),
      pin_proof: await pinProof(keys.pin, pin),
    });
    if (reply.kind !== 'OK') return reply;
    const { signingCertificate } = reply.body;
    // A certificate for another key would sign for the person who holds that key, and one for another name for a person whom this one has not seen.
    if (signingCertificate !== undefined && !(await certifies(signingCertificate, keys, holder))) return FOREIGN_CERTIFICATE;
    return { kind: 'OK', body: this.record(keys, reply.body) };
  }

  private ownKeys(): Promise<DeviceKeys> {
    return (this.keys ??= this.parts.makeKeys());
  }

  private record(keys: DeviceKeys, enrolled: Enrolled): DeviceRecord {
    return { ...enrolled, keys, enrolledAt: this.parts.now() };
  }
}
