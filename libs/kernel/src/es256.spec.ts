import { generateKeyPairSync, sign } from 'node:crypto';

import { verifyEs256 } from './es256.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signed = (content: Buffer): Buffer => sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });

/** The kind of a number, by its first byte. */
const kindOf = (byte: number): string => (byte === 0 ? 'zero' : byte === 0x80 ? 'high bit alone' : byte > 0x80 ? 'high' : 'low');

describe('verifyEs256', () => {
  const content = Buffer.from('the content');

  it('takes signatures whose numbers begin with zeros or high bits', async () => {
    const found = new Set<string>();
    // One number in 256 begins with a zero byte, one in 256 with the byte 0x80, and every second one with a high bit.
    for (let tries = 0; tries < 20_000 && found.size < 8; tries++) {
      const signature = signed(content);
      const kinds = [0, 32].map((at) => `${at} ${kindOf(signature[at] as number)}`);
      if (kinds.every((kind) => found.has(kind))) continue;
      for (const kind of kinds) found.add(kind);
      expect(await verifyEs256(publicKey, content, signature)).toBe(true);
    }
    expect(found.size).toBe(8);
  });

  it('refuses another content, another key, a changed byte, another length, and zeros', async () => {
    const signature = signed(content);
    const changed = Buffer.from(signature);
    changed.writeUInt8(changed.readUInt8(40) ^ 1, 40);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const refused = [
      verifyEs256(publicKey, Buffer.from('another content'), signature),
      verifyEs256(other, content, signature),
      verifyEs256(publicKey, content, changed),
      verifyEs256(publicKey, content, signature.subarray(0, 63)),
      verifyEs256(publicKey, content, Buffer.concat([signature, Buffer.alloc(1)])),
      // The same numbers with an additional zero: a second encoding of one signature.
      verifyEs256(publicKey, content, Buffer.concat([signature.subarray(0, 32), Buffer.alloc(1), signature.subarray(32)])),
      verifyEs256(publicKey, content, Buffer.alloc(0)),
      verifyEs256(publicKey, content, Buffer.alloc(64)),
      verifyEs256(publicKey, content, Buffer.alloc(64, 0xff)),
    ];
    expect(await Promise.all(refused)).toEqual(refused.map(() => false));
  });

  it('throws for a key of another kind, as it says nothing about the signature', async () => {
    const { publicKey: ed25519 } = generateKeyPairSync('ed25519');
    await expect(verifyEs256(ed25519, content, signed(content))).rejects.toThrow();
  });
});
