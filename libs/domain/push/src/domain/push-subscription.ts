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

/** A subscription as it is stored. */
export type KeptSubscription = PushSubscription & {
  /** Wake-ups in a row that the push service did not take before they were of no more use. Absent: none. */
  readonly misses?: number;
  /** No push reaches the browser by it any more. It is kept only to refuse it when the browser gives it again. */
  readonly lost?: true;
};

/** So many misses in a row end a subscription: its push service is gone. */
const MOST_MISSES = 3;

/** The subscription after another wake-up that its push service did not take in time. */
export const afterMiss = (kept: KeptSubscription): KeptSubscription => {
  const misses = (kept.misses ?? 0) + 1;
  return { ...kept, misses, ...(misses >= MOST_MISSES && { lost: true as const }) };
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

/** Whether both lead to the same browser under the same keys. */
export const isSameSubscription = (one: PushSubscription | undefined, other: PushSubscription): boolean =>
  one?.endpoint === other.endpoint && one.p256dh === other.p256dh && one.auth === other.auth;
