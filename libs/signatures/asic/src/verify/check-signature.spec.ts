import { generateKeyPairSync } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';

import {
  attribute,
  Certificate,
  contents,
  type DerNode,
  DerReader,
  encode,
  generalizedTime,
  integer,
  isUniversal,
  octetString,
  oid,
  OID,
  raw,
  sequence,
  signingCertificateV2,
  TAG,
  time,
  TrustStore,
} from '#signatures/pki';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';

import { SIGNATURE_ENTRY } from '../container-layout.js';
import { forgeContainer, type Forgery } from '#testkit/asic/forge-container';
import { SigningKit } from '#testkit/asic/signing-kit';
import { fitsSigningTime } from './check-time-stamp.js';
import { verifyContainer } from './verify-container.js';

let kit: SigningKit;
beforeAll(async () => {
  kit = await SigningKit.open();
});

const findings = async (forgery: Forgery): Promise<readonly string[]> => {
  const report = await verifyContainer(await forgeContainer(kit, forgery), { trust: kit.trust, now: kit.clock.now() });
  return report.findings.map(({ rule, message }) => `${rule}: ${message}`);
};

const NAMED_OTHERWISE = 'signature-format: the signer is not named by issuer and serial number';

describe('the form of a signature', () => {
  it('has its signer named by issuer and serial number, in version 1 of SignerInfo (RFC 5652 §5.3)', async () => {
    expect(await findings({ signerVersion: 1 })).toEqual([]);
    expect(await findings({ signerVersion: 3 })).toEqual([NAMED_OTHERWISE]);
  });

  it.each([1, 3])('is refused with a signer who is named by the identifier of the key, version %d', async (signerVersion) => {
    const signerIdentifier: Forgery['signerIdentifier'] = ({ extensions }) => {
      const identifier = extensions.get(OID.subjectKeyIdentifier)?.value;
      if (!identifier) throw new TypeError('the profile names the key');
      return contents(TAG.primitive(0), identifier.subarray(2));
    };
    expect(await findings({ signerVersion, signerIdentifier })).toContain(NAMED_OTHERWISE);
  });

  it.each<[string, Forgery]>([
    ['its content inside', { content: Buffer.from('the manifest') }],
    ['another type of content than data', { contentType: OID.tstInfo }],
  ])('is refused with %s: it is not detached', async (_, forgery) => {
    expect(await findings(forgery)).toEqual(['signature-format: the signature is not detached']);
  });

  it('is refused with an attribute certificate, which this verification does not read', async () => {
    const attributeCertificate = contents(TAG.constructed(2), encode(integer(1)));
    const certificates: Forgery['certificates'] = (all) => [...all, { der: encode(attributeCertificate) } as Certificate];
    expect(await findings({ certificates })).toContain('signature-format: the signature holds a certificate of a kind that is not known here');
  });

  it('is refused with a certificate whose key is not for signing documents (RFC 5280 §4.2.1.3)', async () => {
    const keys = newKey['P-256']();
    const profile = withExtensions(PROFILES.signer(), [OID.keyUsage], new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true));
    const { certificate } = await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now(), keys });
    const { chain } = await kit.signer();
    expect(await findings({ phone: { keys, certificate, chain } })).toEqual([
      "signer-key-usage: the signer's certificate is not for signing documents",
    ]);
  });

  it('has no other unsigned attribute than the time-stamp', async () => {
    const unknown = attribute('1.2.3.4', octetString(Buffer.from('anything')));
    expect(await findings({ unsigned: (standard) => [unknown, ...standard] })).toEqual([
      'signature-format: an unsigned attribute that is not known here',
    ]);
  });
});

describe('a signature', () => {
  it('came with the certificate of its signer', async () => {
    expect(await findings({ certificates: (all) => all.slice(1) })).toContain("signer-certificate: the signer's certificate is missing");
  });

  it('is by a key that documents are signed with', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp521r1' });
    const phone = await kit.signer();
    const { serial } = Certificate.parse(phone.certificate);
    const terms = { profile: PROFILES.signer(), issuer: kit.pki.issuing, now: kit.clock.now(), keys: { privateKey, publicKey }, serial };
    const { certificate } = await testUnit(terms);
    const certificates: Forgery['certificates'] = ([, ...rest]) => [Certificate.parse(certificate), ...rest];
    expect(await findings({ phone, certificates })).toContain('algorithm: key and hash of the signature do not belong together, or are too weak');
  });

  it('is refused with a certificate that does not say what its key is for', async () => {
    const keys = newKey['P-256']();
    const profile = withExtensions(PROFILES.signer(), [OID.keyUsage]);
    const { certificate } = await testUnit({ profile, issuer: kit.pki.issuing, now: kit.clock.now(), keys });
    const { chain } = await kit.signer();
    expect(await findings({ phone: { keys, certificate, chain } })).toContain(
      "signer-key-usage: the signer's certificate is not for signing documents",
    );
  });

  it('is by an algorithm that was not outdated then (ETSI TS 119 312)', async () => {
    const later = await SigningKit.open(Date.UTC(2029, 5, 1));
    const building = later.container(later.sign(await later.signer('RSA')));
    await expect(building).rejects.toThrow('algorithm: the algorithm of the signature was outdated');
  });

  it('is over the hash that belongs to its key', async () => {
    expect(await findings({ digestAlgorithm: sequence(oid(OID.sha384)), announcedHash: 'sha384' })).toContain(
      'algorithm: key and hash of the signature do not belong together, or are too weak',
    );
  });

  const otherValue = attribute(OID.messageDigest, octetString(Buffer.alloc(32)));
  const reversed: Forgery['attributes'] = (standard) => Object.values(standard).sort((a, b) => Buffer.compare(encode(b), encode(a)));
  it.each<[string, Forgery]>([
    [
      'manifest-changed: the manifest is not the one that was signed, or its digest was changed',
      { attributes: (standard) => Object.values({ ...standard, messageDigest: otherValue }) },
    ],
    [
      'signature-value: the signature is wrong: the signed attributes or the signature were changed',
      { attributes: ({ contentType: _, ...rest }) => Object.values(rest) },
    ],
    ['signature-format: the CMS says version 1, which its contents contradict', { version: 1 }],
    ['signature-format: the CMS does not announce the hash that the signer used', { announcedHash: 'sha512' }],
    ['signature-order: a set in the CMS is not in the order of DER', { attributes: reversed, signedAsGiven: true, storedAsGiven: true }],
    [
      "signing-certificate: the signature does not say which certificate is the signer's",
      { attributes: ({ signingCertificate: _, ...rest }) => Object.values(rest) },
    ],
  ])('is told apart: %s', async (finding, forgery) => {
    expect(await findings(forgery)).toEqual([finding]);
  });

  it('names no other certificate', async () => {
    const other = signingCertificateV2(Certificate.parse((await kit.signer()).certificate));
    expect(
      await findings({ attributes: (standard) => Object.values({ ...standard, signingCertificate: attribute(OID.signingCertificateV2, other) }) }),
    ).toEqual(['signing-certificate: the signature names another certificate than the one it came with']);
  });
});

describe('the chain of a signer', () => {
  it('leads to a root that is trusted', async () => {
    const foreign = (await SigningKit.open(kit.clock.now())).trust;
    const { findings: found } = await verifyContainer(await forgeContainer(kit), { trust: foreign, now: kit.clock.now() });
    expect(found).toContainEqual({ rule: 'trust', message: "no chain leads from the signer's certificate to a root that you trust" });
  });

  it('was valid at the time of signing', async () => {
    const keys = newKey['P-256']();
    const now = kit.clock.now();
    const terms = { profile: PROFILES.signer(), issuer: kit.pki.issuing, now, keys, notAfter: now - 1000 };
    const { certificate } = await testUnit(terms);
    const { chain } = await kit.signer();
    expect(await findings({ phone: { keys, certificate, chain } })).toContain(
      "expired: the signer's certificate, or one of its chain, was not valid at the time of signing",
    );
  });
});

describe('the claimed signing time', () => {
  const HOUR = 3_600_000;
  const claimed = (later: number): Forgery => ({
    attributes: (standard) => Object.values({ ...standard, signingTime: attribute(OID.signingTime, time(kit.clock.now() + later)) }),
  });

  it('is not compared with the time-stamp when there is none', async () => {
    expect(await findings({ attributes: ({ signingTime: _, ...rest }) => Object.values(rest) })).toEqual([
      'signing-time: the signature holds no signing time, or one of the wrong type',
    ]);
  });

  it('is a GeneralizedTime from 2050 on (RFC 5652 §11.3)', async () => {
    const stated = (value: DerNode): Forgery => ({
      attributes: (standard) => Object.values({ ...standard, signingTime: attribute(OID.signingTime, value) }),
    });
    const wrongType = 'signing-time: the signature holds no signing time, or one of the wrong type';
    expect(await findings(stated(generalizedTime(Date.UTC(2050, 0, 1))))).not.toContain(wrongType);
    expect(await findings(stated(generalizedTime(Date.UTC(2050, 0, 1) - 1000)))).toContain(wrongType);
  });

  it.each([-HOUR, HOUR])('lies at the time-stamp: not %d ms from it', async (later) => {
    expect(await findings(claimed(later))).toContain('time-order: the claimed signing time and the time-stamp are too far apart');
  });
});

describe('the version of the CMS', () => {
  it('is 1 without revocation data, and with lists alone (RFC 5652 §5.1)', async () => {
    const bare = await findings({ evidence: async () => ({ level: 'B' }) });
    expect(bare).toEqual([expect.stringMatching(/^level: /)]);
    const listsAlone = await findings({ crls: (all) => all.filter(isUniversal) });
    expect(listsAlone.filter((finding) => finding.startsWith('signature-format'))).toEqual([]);
    expect(await findings({ crls: (all) => all.filter(isUniversal), version: 5 })).toContain(
      'signature-format: the CMS says version 5, which its contents contradict',
    );
  });
});

describe('the reference to the certificate of the signer', () => {
  it('names that certificate alone (EN 319 122-1 §5.2.2.3)', async () => {
    const twice: Forgery['attributes'] = ({ signingCertificate, ...rest }) => {
      const [, values] = DerReader.parse(encode(signingCertificate), 1 << 16).members();
      const reference = raw(values!.only(TAG.set).fields().take().fields().take().bytes);
      return [...Object.values(rest), attribute(OID.signingCertificateV2, sequence(sequence(reference, reference)))];
    };
    expect(await findings({ attributes: twice })).toEqual([expect.stringMatching(/^signature-format: .*a field too many$/)]);
  });

  it('ends after the serial number (RFC 5035 §4)', async () => {
    const longer: Forgery['attributes'] = ({ signingCertificate, ...rest }) => {
      const [, values] = DerReader.parse(encode(signingCertificate), 1 << 16).members();
      const parts = values!.only(TAG.set).fields().take().fields().take().members();
      const reference = sequence(...parts.map(({ bytes }) => raw(bytes)), octetString(Buffer.from('more')));
      return [...Object.values(rest), attribute(OID.signingCertificateV2, sequence(sequence(reference)))];
    };
    expect(await findings({ attributes: longer })).toEqual([expect.stringMatching(/^signature-format: .*a field too many$/)]);
  });
});

describe('a time-stamp', () => {
  it('holds no other certificate of its unit', async () => {
    const unit = kit.pki.timestamping.certificate;
    const entries: Forgery['entries'] = (all) =>
      all.map((entry) => {
        if (entry.name !== SIGNATURE_ENTRY) return entry;
        const content = Buffer.from(entry.content);
        const inToken = content.indexOf(unit, content.indexOf(unit) + 1);
        content.write('Countersigj', content.indexOf('Countersign', inToken));
        return { ...entry, content };
      });
    expect(await findings({ entries })).toContain('time-stamp: the token holds another certificate of the unit');
  });

  it.each([1, 2])('is not called wrong, nor the signer, when look-up %d of a chain has a fault', async (faulty) => {
    let asked = 0;
    class FailsOnce extends TrustStore {
      override chain(...terms: Parameters<TrustStore['chain']>) {
        asked += 1;
        if (asked === faulty) throw new RangeError('a fault');
        return super.chain(...terms);
      }
    }
    const trust = new FailsOnce(kit.trust.anchors);
    await expect(verifyContainer(await forgeContainer(kit), { trust, now: kit.clock.now() })).rejects.toThrow(new RangeError('a fault'));
  });

  const MINUTE = 60_000;

  it('fits a signing time up to a minute after it, and seven minutes before it', () => {
    const signingTime = Date.UTC(2026, 0, 1);
    const fits = [-MINUTE, 0, 7 * MINUTE].map((offset) => fitsSigningTime(signingTime + offset, signingTime));
    const doesNot = [-MINUTE - 1, 7 * MINUTE + 1].map((offset) => fitsSigningTime(signingTime + offset, signingTime));
    expect({ fits, doesNot }).toEqual({ fits: [true, true, true], doesNot: [false, false] });
  });
});
