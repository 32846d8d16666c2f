import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

import { InvalidRequest, RecentlyMade } from '#kernel';

import type { AuthenticationKey } from './device.events.js';

/** The public members of a P-256 key. Throws {@link InvalidRequest} for anything else, also for a point off the curve. */
export const readAuthenticationKey = ({ kty, crv, x, y }: JsonWebKey): AuthenticationKey => {
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') throw new InvalidRequest('`jwk` must be a P-256 key.');
  const key: AuthenticationKey = { kty, crv, x, y };
  try {
    verificationKey(key);
  } catch {
    throw new InvalidRequest('`jwk` must be a point of P-256.');
  }
  return key;
};

/** Of the phones that called last: to make a key takes about as long as to verify by it. */
const keys = new RecentlyMade<KeyObject>(10_000);

/** The P-256 key to verify by, as a rule the same object for the same key. Throws when the point is not on the curve. */
export const verificationKey = ({ x, y }: JsonWebKey): KeyObject =>
  keys.get(`${x}.${y}`, () => createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` }, format: 'jwk' }));
