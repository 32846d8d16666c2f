import { generateKeyPairSync, sign } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { isRightSignature } from './verified-signatures.js';

const SCHEME = { key: 'ec', hash: 'sha256' } as const;
const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const made = (pair = newPair(), data = Buffer.from('what is signed')) => ({
  data,
  key: pair.publicKey,
  signature: sign('sha256', data, pair.privateKey),
});

describe('a signature', () => {
  it('that was right is not computed again', () => {
    const given = made();
    expect(isRightSignature(SCHEME, given, () => true)).toBe(true);
    const again = { ...given, data: Buffer.from(given.data), signature: Buffer.from(given.signature) };
    expect(isRightSignature(SCHEME, again, () => false)).toBe(true);
  });

  it('that was wrong is computed each time', () => {
    const given = made();
    expect(isRightSignature(SCHEME, given, () => false)).toBe(false);
    expect(isRightSignature(SCHEME, given, () => false)).toBe(false);
    expect(isRightSignature(SCHEME, given, () => true)).toBe(true);
  });

  it.each([
    ['data', () => ({ data: Buffer.from('what is signee') })],
    ['key', () => ({ key: newPair().publicKey })],
    ['signature', ({ signature }: ReturnType<typeof made>) => ({ signature: signature.subarray(1) })],
  ])('is another one with another %s', (_, change) => {
    const given = made();
    isRightSignature(SCHEME, given, () => true);
    expect(isRightSignature(SCHEME, { ...given, ...change(given) }, () => false)).toBe(false);
  });

  it('is another one where the border between signature and data moves', () => {
    const { publicKey: key } = newPair();
    isRightSignature(SCHEME, { key, signature: Buffer.from('ab'), data: Buffer.from('c') }, () => true);
    expect(isRightSignature(SCHEME, { key, signature: Buffer.from('a'), data: Buffer.from('bc') }, () => false)).toBe(false);
  });

  it('is another one where the border between the length of the salt and that of the signature moves', () => {
    const { publicKey: key } = newPair();
    const bytes = Buffer.alloc(40, 1);
    const split = (at: number) => ({ key, signature: bytes.subarray(0, at), data: bytes.subarray(at) });
    isRightSignature({ ...SCHEME, saltLength: 3 }, split(2), () => true);
    expect(isRightSignature(SCHEME, split(32), () => false)).toBe(false);
  });

  it.each([{ key: 'ec', hash: 'sha512' } as const, { key: 'rsa', hash: 'sha256' } as const, { key: 'ec', hash: 'sha256', saltLength: 32 } as const])(
    'is another one under %j',
    (scheme) => {
      const given = made();
      isRightSignature(SCHEME, given, () => true);
      expect(isRightSignature(scheme, given, () => false)).toBe(false);
    },
  );

  it('over a content of 64 KiB is not computed again', () => {
    const given = made(newPair(), Buffer.alloc(64 * 1024));
    isRightSignature(SCHEME, given, () => true);
    expect(isRightSignature(SCHEME, given, () => false)).toBe(true);
  });

  it('over a long content is computed each time', () => {
    const given = made(newPair(), Buffer.alloc(64 * 1024 + 1));
    isRightSignature(SCHEME, given, () => true);
    expect(isRightSignature(SCHEME, given, () => false)).toBe(false);
  });
});
