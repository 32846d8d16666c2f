import { createPublicKey } from 'node:crypto';

import { fromBase64url, InvalidRequest } from '#kernel';

/** Where and under which keys a browser takes pushes (Push API, `PushSubscription`). Keys in base64url without padding. */
export type PushSubscription = {
  readonly endpoint: string;
  /** An uncompressed point of P-256: the browser's key (RFC 8291 section 3.1). */
  readonly p256dh: string;
  /** 16 bytes: the authentication secret (RFC 8291 section 3.2). */
  readonly auth: string;
};

const POINT = 65;
const SECRET = 16;

/** Throws {@link InvalidRequest} for keys that no push could be encrypted for. */
export const checkPushKeys = ({ p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>): void => {
  if (!isPoint(fromBase64url(p256dh))) throw new InvalidRequest('`keys.p256dh` must be an uncompressed point of P-256 in base64url.');
  if (fromBase64url(auth)?.length !== SECRET) throw new InvalidRequest('`keys.auth` must be 16 bytes in base64url.');
};

const isPoint = (bytes: Buffer | undefined): boolean => {
  if (bytes?.length !== POINT || bytes[0] !== 0x04) return false;
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((half) => half.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` }, format: 'jwk' });
    return true;
  } catch {
    return false; // not on the curve
  }
};
