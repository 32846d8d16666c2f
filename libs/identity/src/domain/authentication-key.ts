import { createPublicKey, type JsonWebKey } from 'node:crypto';

import { InvalidRequest } from '#kernel';

import type { AuthenticationKey } from './device.events.js';

/** The public members of a P-256 key. Throws {@link InvalidRequest} for anything else, also for a point off the curve. */
export const readAuthenticationKey = ({ kty, crv, x, y }: JsonWebKey): AuthenticationKey => {
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') throw new InvalidRequest('`jwk` must be a P-256 key.');
  const key: AuthenticationKey = { kty, crv, x, y };
  try {
    createPublicKey({ key, format: 'jwk' });
  } catch {
    throw new InvalidRequest('`jwk` must be a point of P-256.');
  }
  return key;
};
