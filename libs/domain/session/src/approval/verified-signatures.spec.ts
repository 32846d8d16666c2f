import { generateKeyPairSync, sign } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import { verifyEs256 } from '#kernel';

import { VerifiedSignatures } from './verified-signatures.js';

const CONTENT = Buffer.from('{"challenge":"c"}');

const phone = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = (content: Buffer): Buffer => sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return { jwk: publicKey.export({ format: 'jwk' }), signed };
};

describe('the signatures that were verified', () => {
  const [one, other] = [phone(), phone()];
  let verifications: number;
  let signatures: VerifiedSignatures;
  beforeEach(() => {
    verifications = 0;
    signatures = new VerifiedSignatures((...given) => ((verifications += 1), verifyEs256(...given)));
  });

  it('verifies a right signature once', async () => {
    const signature = one.signed(CONTENT);
    for (let time = 0; time < 3; time++) expect(await signatures.isRight(one.jwk, CONTENT, Buffer.from(signature))).toBe(true);
    expect(verifications).toBe(1);
  });

  it('verifies each of the right signatures of a content', async () => {
    for (const signature of [one.signed(CONTENT), one.signed(CONTENT)]) expect(await signatures.isRight(one.jwk, CONTENT, signature)).toBe(true);
    expect(verifications).toBe(2);
  });

  it('remembers no wrong signature, and takes none for a right one that it knows', async () => {
    const signature = one.signed(CONTENT);
    expect(await signatures.isRight(one.jwk, CONTENT, signature)).toBe(true);
    const forged: Parameters<VerifiedSignatures['isRight']>[] = [
      [other.jwk, CONTENT, signature],
      [one.jwk, Buffer.from('{"challenge":"d"}'), signature],
      [one.jwk, CONTENT, other.signed(CONTENT)],
      // The same bytes, but the boundary between content and signature lies one byte earlier.
      [one.jwk, Buffer.concat([signature.subarray(-1), CONTENT]), signature.subarray(0, -1)],
      [one.jwk, CONTENT.subarray(1), Buffer.concat([signature, CONTENT.subarray(0, 1)])],
      [one.jwk, Buffer.concat([signature, CONTENT]), Buffer.alloc(0)],
    ];
    verifications = 0;
    for (const given of [...forged, ...forged]) expect(await signatures.isRight(...given)).toBe(false);
    expect(verifications).toBe(2 * forged.length);
  });

  it('refuses a key that is no point of the curve', async () => {
    await expect(signatures.isRight({ ...one.jwk, y: other.jwk.y as string }, CONTENT, one.signed(CONTENT))).rejects.toThrow();
    expect(verifications).toBe(0);
  });
});
