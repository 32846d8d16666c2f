import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { InvalidRequest } from '#kernel';

import { readAuthenticationKey, verificationKey } from './authentication-key.js';

const newKey = (): JsonWebKey => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const [one, other] = [newKey(), newKey()];

describe('the key of a phone', () => {
  it('is a point of P-256, without any further member', () => {
    expect(readAuthenticationKey({ ...one, d: 'private', kid: 'x' })).toEqual({ kty: 'EC', crv: 'P-256', x: one.x, y: one.y });
  });

  it.each<readonly [string, JsonWebKey]>([
    ['another kind', { ...one, kty: 'RSA' }],
    ['no kind', { crv: 'P-256', x: one.x!, y: one.y! }],
    ['another curve', { ...one, crv: 'secp256k1' }],
    ['no first coordinate', { kty: 'EC', crv: 'P-256', y: one.y! }],
    ['no second coordinate', { kty: 'EC', crv: 'P-256', x: one.x! }],
    ['a coordinate that is no text', { ...one, x: 7 as unknown as string }],
    ['another coordinate that is no text', { ...one, y: [one.y] as unknown as string }],
  ])('is not %s', (_, key) => {
    expect(() => readAuthenticationKey(key)).toThrow(expect.objectContaining({ code: 'invalid_request', detail: '`jwk` must be a P-256 key.' }));
  });

  it('is not a point beside the curve, nor a coordinate of another length', () => {
    for (const key of [
      { ...one, y: other.y! },
      { ...one, x: `${one.x}AA` },
      { ...one, x: '' },
    ]) {
      expect(() => readAuthenticationKey(key)).toThrow(InvalidRequest);
      expect(() => readAuthenticationKey(key)).toThrow(expect.objectContaining({ detail: '`jwk` must be a point of P-256.' }));
    }
  });

  it('is made into an object once, and never taken for that of another phone', () => {
    expect(verificationKey(one)).toBe(verificationKey({ ...one }));
    for (const key of [one, other]) expect(verificationKey(key).equals(createPublicKey({ key, format: 'jwk' }))).toBe(true);
  });
});
