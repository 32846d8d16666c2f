import { generateKeyPairSync, type KeyObject } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { keyStrongUntil, schemeStrongUntil } from './cryptographic-constraints.js';

const LAST_MOMENT = Date.UTC(2029, 0, 1) - 1;
const rsa = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).publicKey;
const ec = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).publicKey;

describe('the constraints of ETSI TS 119 312', () => {
  it.each<[string, () => KeyObject, boolean, boolean]>([
    ['RSA of 512 bits', () => rsa(512), false, false],
    ['RSA of 1024 bits', () => rsa(1024), false, false],
    ['RSA of 2048 bits', () => rsa(2048), true, false],
    ['RSA of 3072 bits', () => rsa(3072), true, true],
    ['P-192', () => ec('prime192v1'), false, false],
    ['P-256', () => ec('prime256v1'), true, true],
    ['P-384', () => ec('secp384r1'), true, true],
    ['a curve without a standard', () => ec('secp256k1'), false, false],
    ['DSA', () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).publicKey, false, false],
    ['Ed25519', () => generateKeyPairSync('ed25519').publicKey, false, false],
  ])('judge a key of %s, until 2029 and after', (_, key, until, after) => {
    const made = key();
    expect([LAST_MOMENT < keyStrongUntil(made), LAST_MOMENT + 1 < keyStrongUntil(made)]).toEqual([until, after]);
  });

  it('let PKCS#1 v1.5 end with 2028, and neither ECDSA nor PSS', () => {
    const judge = (at: number) => (['rsa-pkcs1', 'rsa-pss', 'ecdsa'] as const).map((scheme) => at < schemeStrongUntil(scheme));
    expect([judge(LAST_MOMENT), judge(LAST_MOMENT + 1)]).toEqual([
      [true, true, true],
      [false, true, true],
    ]);
  });
});
