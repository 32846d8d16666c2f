import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { clientKeysIn, MOST_CLIENT_KEYS, publishedKeysIn } from './client-keys.js';

const rsa = (modulusLength = 2_048, publicExponent = 65_537) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
  return { ...publicKey.export({ format: 'jwk' }), kid: 'rsa' };
};
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ec = { ...p256.publicKey.export({ format: 'jwk' }), kid: 'ec' };

const faultOf = (jwks: unknown): string => {
  try {
    clientKeysIn(jwks);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

describe('the keys of a client', () => {
  it('are RSA and P-256, and lose the members that say nothing here', () => {
    const first = rsa();
    const { n, e } = first;
    expect(clientKeysIn({ keys: [{ ...first, use: 'sig', alg: 'PS256', x5t: 'a certificate' }, ec] })).toEqual({
      keys: [{ kty: 'RSA', kid: 'rsa', n, e }, ec],
    });
    expect(clientKeysIn({ keys: [] })).toEqual({ keys: [] });
  });

  it('are never private', () => {
    expect(faultOf({ keys: [ec, { ...p256.privateKey.export({ format: 'jwk' }), kid: 'other' }] })).toMatch(/keys\[1\].*private/);
    expect(faultOf({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'secret' }] })).toMatch(/keys\[0\].*private/);
  });

  it.each([
    ['no JWK Set', [ec], /must be a JWK Set/],
    ['a key without an id', { keys: [{ ...ec, kid: undefined }] }, /needs a `kid`/],
    ['two keys of one id', { keys: [ec, { ...rsa(), kid: 'ec' }] }, /keys\[1\].*another key/],
    ['a key for encryption', { keys: [{ ...ec, use: 'enc' }] }, /for signatures/],
    ['an RSA key that is too short', { keys: [rsa(1_024)] }, /2048 to 4096/],
    ['an RSA key with an exponent that costs time', { keys: [{ ...rsa(), e: 'AQAAAAAAAAAB' }] }, /AQAB/],
    ['a point that is not on the curve', { keys: [{ ...ec, y: ec.x }] }, /P-256/],
    ['another curve', { keys: [{ ...generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }), kid: 'ec' }] }, /P-256/],
    ['no object', { keys: ['key'] }, /must be a JWK/],
    ['more keys than it may', { keys: Array.from({ length: MOST_CLIENT_KEYS + 1 }, (_, at) => ({ ...ec, kid: `key-${at}` })) }, /at most 10 keys/],
  ])('are refused where the set holds %s', (_, jwks, fault) => {
    expect(faultOf(jwks)).toMatch(fault);
  });
});

describe('the keys that a client publishes', () => {
  const published = (keys: unknown) => publishedKeysIn(JSON.stringify({ keys }))?.map(({ kid }) => kid);

  it('are those for signatures; the others are left out', () => {
    const others = [
      { ...ec, kid: 'encryption', use: 'enc' },
      { ...ec, kid: undefined },
      { ...rsa(1_024), kid: 'short' },
      { ...p256.privateKey.export({ format: 'jwk' }), kid: 'private' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
      { kty: 'OKP', crv: 'Ed25519', x: 'x', kid: 'other' },
      null,
      'key',
      [],
    ];
    expect(published([...others, ec, rsa()])).toEqual(['ec', 'rsa']);
    expect(published([])).toEqual([]);
  });

  it('are ten at most, of the first hundred', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ ...ec, kid: `key-${at}` }));
    expect(published(many(11))).toEqual(many(10).map(({ kid }) => kid));
    expect(published([...Array.from({ length: 99 }, () => null), ec, rsa()])).toEqual(['ec']);
  });

  it.each(['', '{', '[]', 'null', '"keys"', '{"keys":{}}', '<html>'])('are none in %j', (text) => expect(publishedKeysIn(text)).toBeUndefined());
});
