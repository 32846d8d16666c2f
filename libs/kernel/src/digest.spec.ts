import { createHmac } from 'node:crypto';

import { constantTimeEqual, hmac, sha256, sha256Base64url } from './digest.js';

const key = Buffer.alloc(32, 7);

describe('digests', () => {
  // FIPS 180-4 examples: "abc".
  it('are those of the standard', () => {
    expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Base64url('abc')).toBe(sha256(Buffer.from('abc')).toString('base64url'));
  });
});

describe('hmac', () => {
  it('is HMAC-SHA-256 over the parts, each after its length in four bytes', () => {
    const input = Buffer.concat([Buffer.of(0, 0, 0, 2), Buffer.from('ab'), Buffer.of(0, 0, 0, 3), Buffer.from('€')]);
    expect(hmac(key, 'ab', '€')).toEqual(createHmac('sha256', key).update(input).digest());
  });

  it('gives different digests for lists of parts that are equal when joined', () => {
    const lists = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], ['a', 'b', 'c'], []];
    expect(new Set(lists.map((parts) => hmac(key, ...parts).toString('hex'))).size).toBe(lists.length);
  });

  it('takes text and bytes alike, and a view of a part of a buffer', () => {
    expect(hmac(key, Buffer.from('€'))).toEqual(hmac(key, '€'));
    expect(hmac(key, new Uint8Array([1, 97, 98, 1]).subarray(1, 3))).toEqual(hmac(key, 'ab'));
    expect(hmac(key, new DataView(new Uint8Array([1, 97, 98, 1]).buffer, 1, 2))).toEqual(hmac(key, 'ab'));
    expect(hmac(key, new Uint16Array([0x6161, 0x6161]))).toEqual(hmac(key, 'aaaa'));
  });
});

describe('constantTimeEqual', () => {
  it('compares bytes', () => {
    expect(constantTimeEqual(Buffer.from('ab'), Buffer.from('ab'))).toBe(true);
    expect(constantTimeEqual(Buffer.from('ab'), Buffer.from('ac'))).toBe(false);
    expect(constantTimeEqual(Buffer.from('ab'), Buffer.from('abc'))).toBe(false);
    expect(constantTimeEqual(Buffer.alloc(0), Buffer.alloc(0))).toBe(true);
  });
});
