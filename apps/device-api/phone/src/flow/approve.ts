import type { Reply } from '#web-page/browser';
import type { Confirmed, PhoneApi } from '../api/phone-api.js';
import type { SessionRequest } from '../api/session-request.js';
import type { Bytes } from '../crypto/bytes.js';
import { pinProof, signatureText } from '../crypto/device-keys.js';
import type { DeviceRecord } from './device-record.js';

export interface Approval {
  readonly request: SessionRequest;
  readonly pin: string;
  /** The bytes to sign, compared with the shown request. */
  readonly checked: Bytes;
  /** Of a pushed session: the verification code that the person chose. */
  readonly code?: string | undefined;
}

/** Approves a request. The service judges the PIN first: with a wrong one this phone signs nothing. */
export const approve = async (
  api: Pick<PhoneApi, 'judgePin' | 'confirm'>,
  { deviceId, keys }: DeviceRecord,
  { request, pin, checked, code }: Approval,
): Promise<Reply<Confirmed>> => {
  const prover = { deviceId, key: keys.authentication };
  const proof = await pinProof(keys.pin, pin);
  const judged = await api.judgePin(prover, request.sessionId, proof, code);
  if (judged.kind !== 'OK') return judged;
  const key = request.signatureType === 'SIGNING' ? keys.signing : keys.authentication;
  return api.confirm(prover, request.sessionId, proof, await signatureText(key, checked), code);
};
