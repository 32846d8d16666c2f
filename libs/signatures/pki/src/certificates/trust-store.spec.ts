import { generateKeyPairSync, type KeyObject } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { type DerNode, nul, oid, sequence } from '../der/der.js';
import { OID } from '../der/oids.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { pssAlgorithm, resigned } from '#testkit/pki/resigned';
import { type KeyPair, newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { Certificate } from './certificate.js';
import { issuingProfile } from './certificate-profiles.js';
import { trustServiceAddresses } from './trust-service-addresses.js';
import { TrustStore, Untrusted } from './trust-store.js';

let kit: DevelopmentKit;
beforeAll(async () => {
  kit = await developmentKit();
});

const rsa = (modulusLength: number): KeyPair => generateKeyPairSync('rsa', { modulusLength });
const curve = (namedCurve: string): KeyPair => generateKeyPairSync('ec', { namedCurve });
const outdated = { md5: '1.2.840.113549.1.1.4', sha1: '1.2.840.113549.1.1.5' } as const;

/** A signer's certificate of that key, by the issuing CA. */
const signerOf = async (keys: KeyPair): Promise<Certificate> =>
  Certificate.parse((await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now(), keys })).certificate);

/** A CA of an RSA key under the root, and a signer's certificate that it signed by that algorithm. */
const signedByRsa = async (algorithm: DerNode, how: { hash: string; saltLength?: number }, keys: KeyPair = rsa(3072)) => {
  const now = kit.clock.now();
  const profile = issuingProfile(trustServiceAddresses('http://localhost:3000'));
  const ca = await testUnit({ profile, issuer: kit.pki.root, now, keys });
  // its name is that of the issuing CA, whose certificates are signed with P-256: only the signature is made anew
  const { certificate } = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now });
  const signer = resigned(certificate, ca.privateKey as KeyObject, { algorithm, ...how });
  return { signer: Certificate.parse(signer), pool: [Certificate.parse(ca.certificate)] };
};

const chain = (signer: Certificate, pool: readonly Certificate[] = [kit.issuing], at = kit.clock.now()): number =>
  kit.trust.chain(signer, pool, at).length;

describe('a chain', () => {
  it.each(['prime256v1', 'secp384r1', 'secp521r1', 'brainpoolP256r1'])('may hold a key on the curve %s', async (name) => {
    expect(chain(await signerOf(curve(name)))).toBe(3);
  });

  it.each(['prime192v1', 'secp224r1', 'secp256k1'])('does not hold a key on the curve %s (ETSI TS 119 312)', async (name) => {
    const signer = await signerOf(curve(name));
    expect(() => chain(signer)).toThrow(Untrusted);
  });

  it.each([512, 1024])('does not hold an RSA key of %d bits', async (bits) => {
    const signer = await signerOf(rsa(bits));
    expect(() => chain(signer)).toThrow(Untrusted);
  });

  it('holds an RSA key of 2048 bits until the end of 2028, and one of 3072 bits afterwards', async () => {
    const at2029 = Date.UTC(2029, 0, 1);
    const of = async (bits: number): Promise<Certificate> => {
      const unit = { profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now(), notAfter: Date.UTC(2030, 0, 1), keys: rsa(bits) };
      return Certificate.parse((await testUnit(unit)).certificate);
    };
    const [short, long] = [await of(2048), await of(3072)];
    expect(chain(short, [kit.issuing], at2029 - 1)).toBe(3);
    expect(() => chain(short, [kit.issuing], at2029)).toThrow(Untrusted);
    expect(chain(long, [kit.issuing], at2029)).toBe(3);
  });

  it.each(['prime256v1', 'secp384r1'])('does not hold a key on the curve %s with its parameters spelt out (RFC 5480 §2.1.1)', async (namedCurve) => {
    const keys = generateKeyPairSync('ec', { namedCurve, paramEncoding: 'explicit' });
    const signer = await signerOf(keys);
    expect(() => chain(signer)).toThrow(expect.objectContaining({ name: 'Untrusted', obstacle: 'weak' }));
    const profile = issuingProfile(trustServiceAddresses('http://localhost:3000'));
    const ca = await testUnit({ profile, issuer: kit.pki.root, now: kit.clock.now(), keys });
    const { certificate } = await testUnit({ profile: PROFILES.signer(), issuer: ca, now: kit.clock.now() });
    expect(() => chain(Certificate.parse(certificate), [Certificate.parse(ca.certificate)])).toThrow(Untrusted);
  });

  it('does not hold a DSA key', async () => {
    const signer = await signerOf(generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }));
    expect(() => chain(signer)).toThrow(Untrusted);
  });

  it.each(['md5', 'sha1'] as const)('does not hold a certificate that was signed with %s', async (hash) => {
    const { signer, pool } = await signedByRsa(sequence(oid(outdated[hash]), nul()), { hash });
    expect(() => chain(signer, pool)).toThrow(Untrusted);
  });

  it('may hold certificates signed by RSASSA-PSS', async () => {
    const { signer, pool } = await signedByRsa(pssAlgorithm(OID.sha256, 32), { hash: 'sha256', saltLength: 32 });
    expect(chain(signer, pool)).toBe(3);
  });

  it('does not hold a certificate signed by RSASSA-PSS with SHA-1, or with a mask of another hash', async () => {
    const weak = await signedByRsa(pssAlgorithm(OID.sha1, 20), { hash: 'sha1', saltLength: 20 });
    expect(() => chain(weak.signer, weak.pool)).toThrow(Untrusted);
    const mixed = await signedByRsa(pssAlgorithm(OID.sha256, 32, OID.sha1), { hash: 'sha256', saltLength: 32 });
    expect(() => chain(mixed.signer, mixed.pool)).toThrow(Untrusted);
  });

  it('does not hold a certificate whose two algorithms are different', async () => {
    const { certificate } = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now(), keys: newKey['P-256']() });
    const wrong = Buffer.from(certificate);
    // the last arc of ecdsa-with-SHA256, outside the signed part
    wrong[certificate.lastIndexOf(Buffer.from('2a8648ce3d040302', 'hex')) + 7] = 3;
    expect(() => Certificate.parse(wrong)).toThrow('the signature algorithm stands differently');
  });

  it('needs a trusted root', () => {
    expect(() => new TrustStore([]).chain(kit.signer, [kit.issuing, kit.root], kit.clock.now())).toThrow(Untrusted);
  });
});
