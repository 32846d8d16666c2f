import { hash, sign } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { Certificate, DerReader, OID, TAG } from '#signatures/pki';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';

import { prepareSignature } from './prepare-signature.js';
import { FILE, type KeyType, type Signer, SigningKit, signLikePhone } from '#testkit/asic/signing-kit';
import { derFromP1363, verifyDeviceSignature } from './verify-device-signature.js';

const KEY_TYPES: readonly KeyType[] = ['P-256', 'P-384', 'RSA'];
let kit: SigningKit;
const signers = new Map<KeyType, Signer>();
beforeAll(async () => {
  kit = await SigningKit.open();
  for (const type of KEY_TYPES) signers.set(type, await kit.signer(type));
});
const prepare = (type: KeyType) => {
  const signer = signers.get(type) as Signer;
  const terms = {
    documents: [{ name: 'a.pdf', hash: hash('sha512', FILE, 'buffer') }],
    certificate: signer.certificate,
    signingTime: kit.clock.now() + 999,
  };
  return { signer, terms, ...prepareSignature(terms) };
};

describe('what the phone signs', () => {
  it.each([
    ['P-256', 'ES256', 'sha256'],
    ['P-384', 'ES384', 'sha384'],
    ['RSA', 'RS512', 'sha512'],
  ] as const)('follows from a %s key: %s', (type, algorithm, digest) => {
    const prepared = prepare(type);
    expect(prepared.algorithm).toBe(algorithm);
    const attributes = DerReader.parse(prepared.toBeSigned, 4096).members(TAG.set);
    const values = new Map(attributes.map((one) => [one.members()[0]?.oid(), one.members()[1]?.only(TAG.set)]));
    expect([...values.keys()].sort()).toEqual([OID.contentType, OID.messageDigest, OID.signingTime, OID.signingCertificateV2].sort());
    expect(values.get(OID.contentType)?.oid()).toBe(OID.data);
    expect(values.get(OID.messageDigest)?.octets()).toEqual(hash(digest, prepared.manifest, 'buffer'));
    expect(values.get(OID.signingTime)?.as(TAG.utcTime).time()).toBe(kit.clock.now());
    expect(attributes.map(({ bytes }) => bytes)).toEqual(attributes.map(({ bytes }) => bytes).sort(Buffer.compare));
  });

  it('names the certificate without naming SHA-256, the default', () => {
    const { toBeSigned, signer } = prepare('P-256');
    const digest = hash('sha256', signer.certificate, 'buffer');
    const at = toBeSigned.indexOf(digest);
    // SEQUENCE { OCTET STRING …: no AlgorithmIdentifier before the hash
    expect(toBeSigned.subarray(at - 2, at).toString('hex')).toBe('0420');
    expect(toBeSigned.includes(Certificate.parse(signer.certificate).issuer)).toBe(true);
  });

  it('is the same for the same input, byte for byte', () => {
    const { terms, manifest, toBeSigned } = prepare('P-256');
    expect(prepareSignature(terms)).toMatchObject({ manifest, toBeSigned });
  });

  it('is refused for a certificate whose key signs no documents', async () => {
    const { terms } = prepare('P-256');
    const { certificate } = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now(), keys: newKey.RSA(2048) });
    expect(() => prepareSignature({ ...terms, certificate })).toThrow('no key that signs documents');
    expect(() => prepareSignature({ ...terms, certificate: Buffer.from('junk') })).toThrow('certificate');
  });
});

describe("a phone's signature", () => {
  it.each(KEY_TYPES)('of a %s key is taken when it is over those bytes with that key', (type) => {
    const { signer, toBeSigned } = prepare(type);
    const device = { toBeSigned, certificate: signer.certificate, signature: signLikePhone(toBeSigned, signer.keys) };
    expect(verifyDeviceSignature(device)).toBeInstanceOf(Buffer);
    expect(verifyDeviceSignature({ ...device, toBeSigned: Buffer.concat([toBeSigned, Buffer.of(0)]) })).toBeUndefined();
    expect(verifyDeviceSignature({ ...device, signature: signLikePhone(toBeSigned, newKey[type]()) })).toBeUndefined();
    expect(verifyDeviceSignature({ ...device, certificate: kit.pki.issuing.certificate })).toBeUndefined();
  });

  it.each(KEY_TYPES)('of a %s key has one length and no other shape', (type) => {
    const { signer, toBeSigned } = prepare(type);
    const good = signLikePhone(toBeSigned, signer.keys);
    for (const signature of [
      Buffer.alloc(0),
      good.subarray(1),
      Buffer.concat([Buffer.of(0), good]),
      Buffer.concat([good, Buffer.of(0)]),
      Buffer.alloc(good.length),
      Buffer.alloc(good.length, 0xff),
    ]) {
      expect(verifyDeviceSignature({ toBeSigned, certificate: signer.certificate, signature })).toBeUndefined();
    }
  });

  it('of an RSA key from before the rule about its bits is taken with as many octets as hold the modulus (RFC 8017 §8.2.2)', async () => {
    const keys = newKey.RSA(3076);
    const unit = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now(), keys });
    const toBeSigned = Buffer.from('the attributes');
    const signature = sign('sha512', toBeSigned, keys.privateKey);
    expect(signature).toHaveLength(385);
    expect(verifyDeviceSignature({ toBeSigned, certificate: unit.certificate, signature })).toEqual(signature);
    expect(verifyDeviceSignature({ toBeSigned, certificate: unit.certificate, signature: signature.subarray(1) })).toBeUndefined();
  });

  it("in DER, over the digest's digest, or with PSS is refused", () => {
    const { signer, toBeSigned } = prepare('P-256');
    const refused = (signature: Buffer) => expect(verifyDeviceSignature({ toBeSigned, certificate: signer.certificate, signature })).toBeUndefined();
    refused(sign('sha256', toBeSigned, signer.keys.privateKey));
    refused(sign('sha256', hash('sha256', toBeSigned, 'buffer'), { key: signer.keys.privateKey, dsaEncoding: 'ieee-p1363' }));
    const rsa = prepare('RSA');
    const pss = sign('sha512', rsa.toBeSigned, { key: rsa.signer.keys.privateKey, padding: 6, saltLength: 64 });
    expect(verifyDeviceSignature({ toBeSigned: rsa.toBeSigned, certificate: rsa.signer.certificate, signature: pss })).toBeUndefined();
  });

  it('becomes DER with minimal integers', () => {
    const half = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
    const edge = fc
      .constantFrom('00'.repeat(31) + '01', '80' + '00'.repeat(31), '00ff' + '00'.repeat(30), '7f' + 'ff'.repeat(31))
      .map((hex) => Buffer.from(hex, 'hex'));
    fc.assert(
      fc.property(fc.oneof(half, edge), fc.oneof(half, edge), (r, s) => {
        const fields = DerReader.parse(derFromP1363(Buffer.concat([r, s])), 100).fields();
        for (const part of [r, s]) {
          const octets = fields.take(TAG.integer).content();
          expect(BigInt(`0x${octets.toString('hex')}`)).toBe(BigInt(`0x${part.toString('hex')}`));
          expect((octets[0] ?? 0xff) < 0x80).toBe(true);
          if (octets.length > 1 && octets[0] === 0) expect(octets[1]).toBeGreaterThan(0x7f);
        }
      }),
    );
  });

  it('verifies, and becomes DER, with any bits', () => {
    const { signer, toBeSigned } = prepare('P-256');
    for (let time = 0; time < 200; time += 1) {
      const signature = signLikePhone(toBeSigned, signer.keys);
      expect(verifyDeviceSignature({ toBeSigned, certificate: signer.certificate, signature })).toEqual(derFromP1363(signature));
    }
  });
});
