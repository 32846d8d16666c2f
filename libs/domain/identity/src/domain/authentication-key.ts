import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

import { InvalidRequest, RecentlyUsed } from '#kernel';

import type { AuthenticationKey } from './device.events.js';

/** Reads the public members of a P-256 key. Throws {@link InvalidRequest} for any other key and for a point that is not on the curve. */
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

/** The keys of the most recent phones. Making a key object takes about as long as verifying with it. */
const keys = new RecentlyUsed<string, KeyObject>(20_000);

/** The P-256 key object for verification, usually the same object for the same key. Throws when the point is not on the curve. */
export const verificationKey = ({ x, y }: JsonWebKey): KeyObject => {
  const point = `${x}.${y}`;
  const key = keys.get(point) ?? createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` }, format: 'jwk' });
  keys.set(point, key);
  return key;
};
