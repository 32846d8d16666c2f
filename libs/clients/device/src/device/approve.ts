import type { Reply } from '../../../../web-page/calls/src/index.js';
import type { Confirmed } from '../api/device-answers.js';
import type { PhoneApi } from '../api/phone-api.js';
import type { SessionRequest } from '../api/session-request.js';
import { type Bytes, toBase64 } from '../crypto/bytes.js';
import { atSigningTime } from '../crypto/signing-check.js';
import type { DeviceRecord } from './device-record.js';
import { pinProof } from './keys.js';

/** The person's approval of a request. */
export interface Approval {
  readonly request: SessionRequest;
  readonly pin: string;
  /** The bytes to sign, compared with the shown request. */
  readonly checked: Bytes;
  /** Of a pushed session: the verification code that the person chose. */
  readonly code?: string | undefined;
}

/** Approves a request. The service judges the PIN first: with a wrong one this phone signs nothing. A document is signed at the time of the PIN. */
export const approve = async (
  api: Pick<PhoneApi, 'judgePin' | 'confirm'>,
  { deviceId, keys }: DeviceRecord,
  { request, pin, checked, code }: Approval,
): Promise<Reply<Confirmed>> => {
  const prover = { deviceId, key: keys.authentication };
  const sent = { pinProof: await pinProof(keys.pin, pin), code };
  const judged = await api.judgePin(prover, request.sessionId, sent);
  if (judged.kind !== 'OK') return judged;
  if (request.signatureType !== 'SIGNING') {
    return api.confirm(prover, request.sessionId, { ...sent, signature: toBase64(await keys.authentication.sign(checked)) });
  }
  const { signingTime } = judged.body;
  const timed = signingTime === undefined ? undefined : atSigningTime(checked, signingTime);
  const signature = toBase64(await keys.signing.sign(timed ?? checked));
  return api.confirm(prover, request.sessionId, { ...sent, signature, ...(timed && { signingTime }) });
};
