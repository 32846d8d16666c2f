import { generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { InvalidRequest } from '#kernel';

import { bitString, encode, integer, nul, oid, sequence } from '../der/der.js';
import { OID } from '../der/oids.js';
import { newKey, signingRequest, spkiOf, STRAY } from '#testkit/pki/signing-requests';
import { readSigningRequest } from './signing-request.js';

const p256 = newKey['P-256']();
const refusal = (csr: Uint8Array): InvalidRequest => {
  try {
    readSigningRequest(csr);
  } catch (error) {
    if (error instanceof InvalidRequest) return error;
    throw error;
  }
  throw new Error('was accepted');
};
const refuses = (csr: Uint8Array, detail: RegExp): void => {
  const error = refusal(csr);
  expect(error.code).toBe('invalid_request');
  expect(error.detail).toMatch(/^signing_csr /);
  expect(error.detail).toMatch(detail);
  expect(error.reason).toMatch(/^signing_csr: /);
};

describe('a signing request', () => {
  it.each(['P-256', 'P-384', 'RSA'] as const)('is accepted with a %s key', (type) => {
    const keys = newKey[type]();
    expect(readSigningRequest(signingRequest(keys))).toMatchObject({ type, spki: spkiOf(keys.publicKey) });
  });

  it('is accepted with any of the three hashes', () => {
    expect(readSigningRequest(signingRequest(p256, { hash: 'sha512', algorithm: OID.ecdsaWithSha512 })).type).toBe('P-256');
  });

  it('must be signed by the key it holds', () => {
    refuses(signingRequest(p256, { signer: newKey['P-256']().privateKey }), /sign it with the key that it holds/);
  });

  it('must be signed as it says', () => {
    refuses(signingRequest(p256, { algorithm: OID.ecdsaWithSha384 }), /sign it with the key that it holds/);
    refuses(signingRequest(p256, { algorithm: OID.sha256WithRsa }), /ECDSA or RSA/);
    refuses(signingRequest(p256, { hash: 'sha1', algorithm: '1.2.840.10045.4.1' }), /ECDSA or RSA/);
  });

  it.each([
    ['RSA of 2048 bits', newKey.RSA(2048)],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'secp521r1' })],
    ['secp256k1', generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['P-256 with its parameters spelt out', generateKeyPairSync('ec', { namedCurve: 'prime256v1', paramEncoding: 'explicit' })],
    ['RSA-PSS', generateKeyPairSync('rsa-pss', { modulusLength: 3072 })],
  ])('is refused with a key of another kind: %s', (_, keys) => {
    refuses(signingRequest(keys as never), /P-256, P-384 or RSA key/);
  });

  it('is refused with an RSA exponent of 3', () => {
    refuses(signingRequest(generateKeyPairSync('rsa', { modulusLength: 3072, publicExponent: 3 })), /exponent/);
  });

  it.each([3076, 4092])('is refused with an RSA modulus of %d bits, which is no multiple of 8', (bits) => {
    refuses(signingRequest(newKey.RSA(bits)), new RegExp(`RSA modulus of ${bits} bits, which is no multiple of 8`));
  });

  it('is refused with an RSA modulus too long to be checked cheaply', () => {
    const spki = rsaSpki(Buffer.alloc(1100, 0xff), 65537);
    refuses(signingRequest(p256, { spki }), /3072 to 8192 bits/);
  });

  it('is refused with a point that is not on the curve', () => {
    const spki = Buffer.from(spkiOf(p256.publicKey));
    spki[spki.length - 1] = (spki.at(-1) ?? 0) ^ 1;
    refuses(signingRequest(p256, { spki }), /PKCS#10/);
  });

  it('is refused with a compressed point', () => {
    const point = spkiOf(p256.publicKey).subarray(-64);
    const compressed = Buffer.concat([Buffer.of((point.at(-1) ?? 0) & 1 ? 3 : 2), point.subarray(0, 32)]);
    const spki = encode(sequence(sequence(oid(OID.ecPublicKey), oid(OID.p256)), bitString(compressed)));
    refuses(signingRequest(p256, { spki }), /uncompressed/);
  });

  it('is refused unless it is one PKCS#10 structure', () => {
    const csr = signingRequest(p256);
    const nested = Buffer.concat([Buffer.alloc(4000, 0x30)]);
    const wide = encode(sequence(...Array.from({ length: 5000 }, () => nul())));
    for (const wrong of [
      Buffer.alloc(0),
      Buffer.from('<html>'),
      csr.subarray(0, -1),
      Buffer.concat([csr, Buffer.of(0)]),
      signingRequest(p256, { version: 1 }),
      signingRequest(p256, { tail: STRAY }),
      spkiOf(p256.publicKey),
      nested,
      wide,
      Buffer.alloc(16 * 1024 + 1, 0x30),
    ]) {
      refuses(wrong, /must be one PKCS#10 request in DER of at most 16384 bytes/);
    }
  });

  it('is refused in BER', () => {
    const der = signingRequest(p256);
    const content = der.subarray(der[1] === 0x81 ? 3 : 4);
    refuses(Buffer.concat([Buffer.of(0x30, 0x80), content, Buffer.of(0, 0)]), /PKCS#10/);
    refuses(Buffer.concat([Buffer.of(0x30, 0x83, 0, content.length >> 8, content.length & 255), content]), /PKCS#10/);
  });

  it('survives the change of any one byte: accepted as another good request, or refused', () => {
    const csr = signingRequest(p256);
    for (let at = 0; at < csr.length; at += 1) {
      const wrong = Buffer.from(csr);
      wrong[at] = (wrong[at] ?? 0) ^ 0x15;
      expect(() => readSigningRequest(wrong)).toThrow(InvalidRequest);
    }
  });
});

const rsaSpki = (modulus: Buffer, exponent: number): Buffer =>
  encode(sequence(sequence(oid(OID.rsaEncryption), nul()), bitString(encode(sequence(integer(modulus), integer(exponent))))));
