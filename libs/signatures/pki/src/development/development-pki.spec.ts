import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as x509 from '@peculiar/x509';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { Certificate } from '../certificates/certificate.js';
import { OID } from '../der/oids.js';
import { newKey, signingRequest, spkiOf } from '#testkit/pki/signing-requests';
import type { CertificateHolder } from '../certificates/certificate-authority.js';
import { DevelopmentCertificateAuthority } from './development-certificate-authority.js';
import { type DevelopmentPki, DevelopmentPkiRefused, openDevelopmentPki } from './development-pki.js';

const START = Date.UTC(2026, 5, 1, 12);
const HOUR = 3_600_000;
const ROOT = String.raw`C=XX, O=Countersign Development (TEST\, not qualified), CN=Countersign Root CA (TEST\, not qualified)`;
const ISSUING = ROOT.replace('Root', 'Issuing');
const MARIE: CertificateHolder = {
  givenName: 'Marie Žofie',
  familyName: 'O’Connor-Šímová',
  personalCode: '47101010033',
  country: 'EE',
};

let keyDirectory: string;
beforeEach(async () => {
  keyDirectory = await mkdtemp(join(tmpdir(), 'pki-'));
});
afterEach(() => rm(keyDirectory, { recursive: true, force: true }));
const clock = new FixedClock(START);
const randomness = new SystemRandomness();
const open = ({ guarded = false, directory = keyDirectory } = {}): Promise<DevelopmentPki> =>
  openDevelopmentPki({ keyDirectory: directory, baseUrl: 'https://sign.example/', guarded, clock, randomness });

describe('the development trust service', () => {
  it('is made once and kept over restarts', async () => {
    const first = await open();
    expect((await open()).root.certificate).toEqual(first.root.certificate);
    expect((await open()).issuing.privateKey.equals(first.issuing.privateKey)).toBe(true);
  });

  it('is made once, however many processes make it at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(new Set(opened.map((pki) => pki.issuing.certificate.toString('hex'))).size).toBe(1);
    expect(await readdir(keyDirectory)).toEqual(['pki']);
  });

  it('keeps its keys to its owner', async () => {
    await open();
    const mode = async (file: string): Promise<number> => (await stat(join(keyDirectory, 'pki', file))).mode & 0o777;
    expect(await mode('')).toBe(0o700);
    for (const unit of ['root', 'issuing', 'responder', 'timestamping']) expect(await mode(`${unit}.key`)).toBe(0o600);
  });

  it('is marked as for development, and a guarded environment neither makes nor uses it', async () => {
    await expect(open({ guarded: true })).rejects.toThrow(DevelopmentPkiRefused);
    expect(await readdir(keyDirectory)).toEqual([]);
    await open();
    await expect(open({ guarded: true })).rejects.toThrow(DevelopmentPkiRefused);
    expect(JSON.parse(await readFile(join(keyDirectory, 'pki', 'development.json'), 'utf8'))).toMatchObject({ development: true });
  });

  it('does not start with a key that is not its certificate’s', async () => {
    await open();
    const stray = newKey['P-256']().privateKey.export({ format: 'pem', type: 'pkcs8' });
    await writeFile(join(keyDirectory, 'pki', 'issuing.key'), stray);
    await expect(open()).rejects.toThrow(/issuing\.key does not belong to issuing\.pem/);
  });
});

describe('its certificates', () => {
  let directory: string;
  let pki: DevelopmentPki;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pki-'));
    pki = await open({ directory });
  });
  afterAll(() => rm(directory, { recursive: true }));
  const authority = (): DevelopmentCertificateAuthority => new DevelopmentCertificateAuthority(pki, clock, randomness);
  const issued = async (person = MARIE, keys = newKey['P-256']()) => {
    const answer = await authority().issue({ csr: signingRequest(keys), holder: person });
    return { ...answer, keys, parsed: new x509.X509Certificate(answer.certificate) };
  };

  it('root: P-384, 20 years, a CA without limit', () => {
    expect(profileOf(pki.root.certificate)).toEqual({
      subject: ROOT,
      issuer: ROOT,
      key: 'P-384',
      days: 7305,
      critical: ['2.5.29.19', '2.5.29.15'],
      basicConstraints: { ca: true, pathLength: undefined },
      keyUsage: x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
      extendedKeyUsage: undefined,
      ocsp: [],
      caIssuers: [],
      crl: undefined,
      policies: undefined,
      noCheck: undefined,
    });
  });

  it('issuing CA: P-256, 10 years, no CA below it', () => {
    expect(profileOf(pki.issuing.certificate)).toMatchObject({
      subject: ISSUING,
      key: 'P-256',
      days: 3653,
      critical: ['2.5.29.19', '2.5.29.15'],
      basicConstraints: { ca: true, pathLength: 0 },
      keyUsage: x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
      caIssuers: ['https://sign.example/pki/root.cer'],
      crl: ['https://sign.example/pki/root.crl'],
    });
  });

  it('OCSP responder: issued by the CA of the signers, not to be looked up itself', () => {
    expect(profileOf(pki.responder.certificate)).toMatchObject({
      issuer: ISSUING,
      key: 'P-256',
      critical: ['2.5.29.15'],
      basicConstraints: { ca: false },
      keyUsage: x509.KeyUsageFlags.digitalSignature,
      extendedKeyUsage: [x509.ExtendedKeyUsage.ocspSigning],
      noCheck: '0500',
      caIssuers: ['https://sign.example/pki/issuing.cer'],
      crl: undefined,
    });
  });

  it('time-stamping unit: five years, issued by the root, time-stamping alone and critical', () => {
    expect(profileOf(pki.timestamping.certificate)).toMatchObject({
      issuer: ROOT,
      key: 'P-256',
      days: 1826,
      critical: ['2.5.29.15', '2.5.29.37'],
      basicConstraints: { ca: false },
      keyUsage: x509.KeyUsageFlags.digitalSignature,
      extendedKeyUsage: [x509.ExtendedKeyUsage.timeStamping],
      caIssuers: ['https://sign.example/pki/root.cer'],
      crl: ['https://sign.example/pki/root.crl'],
    });
  });

  it('signer: nonRepudiation alone, the person’s names, an example policy, two years', async () => {
    const { certificate, parsed, serial, notAfter, chain, keys } = await issued();
    expect(profileOf(certificate)).toMatchObject({
      key: 'P-256',
      days: 731,
      critical: ['2.5.29.15'],
      basicConstraints: { ca: false },
      keyUsage: x509.KeyUsageFlags.nonRepudiation,
      extendedKeyUsage: undefined,
      ocsp: ['https://sign.example/pki/ocsp'],
      caIssuers: ['https://sign.example/pki/issuing.cer'],
      policies: ['1.3.6.1.4.1.32473.1.1'],
      noCheck: undefined,
    });
    expect(parsed.subjectName.toJSON()).toEqual([
      { C: ['EE'] },
      { CN: ['O’CONNOR-ŠÍMOVÁ,MARIE ŽOFIE,47101010033'] },
      { SN: ['O’Connor-Šímová'] },
      { G: ['Marie Žofie'] },
      { '2.5.4.5': ['PNOEE-47101010033'] },
    ]);
    expect(Buffer.from(parsed.publicKey.rawData)).toEqual(spkiOf(keys.publicKey));
    expect(serial).toMatch(/^[4-7][0-9a-f]{31}$/);
    expect(parsed.serialNumber).toBe(serial);
    expect(notAfter).toBe(Date.UTC(2028, 5, 1, 12));
    expect(parsed.notAfter.getTime()).toBe(notAfter);
    expect(parsed.notBefore.getTime()).toBe(START - 60_000);
    expect(chain).toEqual([pki.issuing.certificate, pki.root.certificate]);
  });

  it('signer: a common name of at most 64 characters, which keeps the personal code whole (RFC 5280 appendix A)', async () => {
    const holder = { givenName: 'Š'.repeat(40), familyName: 'O’Connor-'.repeat(5), personalCode: '47101010033', country: 'EE' };
    const authority = new DevelopmentCertificateAuthority(pki, clock, randomness);
    const { certificate } = await authority.issue({ csr: signingRequest(newKey['P-256']()), holder });
    const name = Certificate.parse(certificate).subjectAttribute(OID.commonName) ?? '';
    expect([...name]).toHaveLength(64);
    expect(name).toMatch(/^O’CONNOR-.*,Š+,47101010033$/);
    expect(Certificate.parse(certificate).subjectAttribute(OID.givenName)).toBe(holder.givenName);
  });

  it.each([
    [{ givenName: '', familyName: 'Sukarno' }, 'SUKARNO,121212+1212'],
    [{ givenName: 'Sukarno', familyName: '' }, 'SUKARNO,121212+1212'],
    [{ givenName: 'B', familyName: 'A'.repeat(51) }, `${'A'.repeat(51)},121212+1212`],
  ])('signer: has no empty name, and none that the cut has emptied: %j', async (names, commonName) => {
    const authority = new DevelopmentCertificateAuthority(pki, clock, randomness);
    const holder = { ...names, personalCode: '121212+1212', country: 'XK' };
    const signer = Certificate.parse((await authority.issue({ csr: signingRequest(newKey['P-256']()), holder })).certificate);
    const values = [OID.commonName, OID.givenName, OID.surname, OID.serialNumber, OID.countryName].map((oid) => signer.subjectAttribute(oid));
    expect(values).toEqual([commonName, names.givenName || undefined, names.familyName || undefined, 'PNOXK-121212+1212', 'XK']);
  });

  it('signer: holds names of the greatest length in full', async () => {
    const authority = new DevelopmentCertificateAuthority(pki, clock, randomness);
    const holder = { givenName: 'Ž'.repeat(32_768), familyName: 'x'.repeat(65), personalCode: '1', country: 'EE' };
    const signer = Certificate.parse((await authority.issue({ csr: signingRequest(newKey['P-256']()), holder })).certificate);
    expect([signer.subjectAttribute(OID.givenName), signer.subjectAttribute(OID.surname)]).toEqual([holder.givenName, holder.familyName]);
  });

  it('are marked as test certificates, and nowhere as qualified', async () => {
    const { certificate } = await issued();
    for (const der of [pki.root.certificate, pki.issuing.certificate, pki.responder.certificate, pki.timestamping.certificate, certificate]) {
      expect(der.includes('TEST, not qualified')).toBe(true);
      // 1.3.6.1.5.5.7.1.3 (QcStatements) and 0.4.0.194112 (EN 319 411-2)
      expect(der.includes(Buffer.from('06082b06010505070103', 'hex'))).toBe(false);
      expect(der.includes(Buffer.from('04008bec40', 'hex'))).toBe(false);
    }
  });

  it('carry country and personal number as PrintableString, names as UTF8String', async () => {
    const { certificate } = await issued();
    expect(certificate.includes(Buffer.concat([Buffer.from('06035504051311', 'hex'), Buffer.from('PNOEE-47101010033')]))).toBe(true);
    expect(certificate.includes(Buffer.concat([Buffer.from('06035504061302', 'hex'), Buffer.from('EE')]))).toBe(true);
    expect(certificate.includes(Buffer.concat([Buffer.from('060355042a0c0c', 'hex'), Buffer.from('Marie Žofie')]))).toBe(true);
  });

  it('are different for two requests of one key', async () => {
    const keys = newKey['P-256']();
    expect((await issued(MARIE, keys)).serial).not.toBe((await issued(MARIE, keys)).serial);
  });

  it.each(['P-384', 'RSA'] as const)('are issued to %s keys as well', async (type) => {
    const { certificate } = await issued(MARIE, newKey[type]());
    expect(new X509Certificate(certificate).verify(new X509Certificate(pki.issuing.certificate).publicKey)).toBe(true);
  });
});

const profileOf = (der: Buffer) => {
  const certificate = new x509.X509Certificate(der);
  const extension = <T extends x509.Extension>(type: string): T | undefined => (certificate.getExtension(type) as T | undefined) ?? undefined;
  const basic = extension<x509.BasicConstraintsExtension>('2.5.29.19');
  const access = extension<x509.AuthorityInfoAccessExtension>('1.3.6.1.5.5.7.1.1');
  return {
    subject: certificate.subject,
    issuer: certificate.issuer,
    key: (certificate.publicKey.algorithm as unknown as { namedCurve: string }).namedCurve,
    days: Math.round((certificate.notAfter.getTime() - certificate.notBefore.getTime()) / (24 * HOUR)),
    critical: certificate.extensions.filter((one) => one.critical).map((one) => one.type),
    basicConstraints: { ca: basic?.ca, pathLength: basic?.pathLength },
    keyUsage: extension<x509.KeyUsagesExtension>('2.5.29.15')?.usages,
    extendedKeyUsage: extension<x509.ExtendedKeyUsageExtension>('2.5.29.37')?.usages,
    ocsp: access?.ocsp.map((name) => name.value) ?? [],
    caIssuers: access?.caIssuers.map((name) => name.value) ?? [],
    crl: extension<x509.CRLDistributionPointsExtension>('2.5.29.31')?.distributionPoints.map(
      (point) => point.distributionPoint?.fullName?.[0]?.uniformResourceIdentifier,
    ),
    policies: extension<x509.CertificatePolicyExtension>('2.5.29.32')?.policies,
    noCheck: noCheckOf(certificate),
  };
};

const noCheckOf = (certificate: x509.X509Certificate): string | undefined => {
  const found = certificate.getExtension('1.3.6.1.5.5.7.48.1.5');
  return found ? Buffer.from(found.value).toString('hex') : undefined;
};
