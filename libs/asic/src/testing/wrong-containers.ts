import { hash } from 'node:crypto';

import { ExtendedKeyUsageExtension } from '@peculiar/x509';

import {
  attribute,
  encode,
  generalizedTime,
  isUniversal,
  OID,
  oid,
  sequence,
  signingCertificateV2,
  Certificate,
  readSignedData,
  type RevocationEvidence,
  time,
} from '#pki';
import { type CertificateProfile, PROFILES, testUnit, unverifiedOcsp, unverifiedTimeStamp, withExtensions } from '#pki/testing';

import type { Evidence } from '../assemble-signature.js';

import { MANIFEST_ENTRY, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from '../container-layout.js';
import type { Rule } from '../verify/report.js';
import { forgeContainer, type ForgedEntry, type Forgery } from './forge-container.js';
import { FILE, FILE_NAME, type Signed, SigningKit } from './signing-kit.js';

/** What an independent validator answers: each is blind to something, which is why there are two. */
export type Verdict = 'accepts' | 'refuses';

/** One wrong container, and who must notice. Rows of `signing.md` 10. */
export interface WrongContainer {
  readonly title: string;
  readonly container: Buffer;
  /** The rule that our own verification must name. */
  readonly rule: Rule;
  /** EU DSS with the demands of AsicCheck, and BcCheck. */
  readonly dss: Verdict;
  readonly bouncyCastle: Verdict;
}

type Row = Omit<WrongContainer, 'container'> & { readonly forge: () => Promise<Buffer> };

const HOUR = 3_600_000;

/** Every wrong container of the table, made under one trust service. */
export const wrongContainers = async (kit: SigningKit): Promise<readonly WrongContainer[]> => {
  const made: WrongContainer[] = [];
  for (const { forge, ...row } of rows(kit)) made.push({ ...row, container: await forge() });
  return made;
};

const rows = (kit: SigningKit): readonly Row[] => {
  const forging = (forgery: Forgery) => () => forgeContainer(kit, forgery);
  return [
    ...contentRows(forging),
    ...archiveRows(forging),
    ...attributeRows(kit, forging),
    ...timeStampRows(kit, forging),
    ...revocationRows(kit, forging),
  ];
};

type Forging = (forgery: Forgery) => () => Promise<Buffer>;

const contentRows = (forging: Forging): readonly Row[] => [
  {
    title: 'another file under the name',
    rule: 'file-changed',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: replacing(FILE_NAME, { content: Buffer.from('something else') }) }),
  },
  {
    title: 'the file under another name',
    rule: 'entries',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: replacing(FILE_NAME, { name: 'other.pdf' }) }),
  },
  {
    title: 'a second file that nobody signed',
    rule: 'entries',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: (all) => [...all, { name: 'second.pdf', content: FILE }] }),
  },
  {
    title: 'two entries of one name',
    rule: 'entries',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: (all) => [...all, { name: FILE_NAME, content: Buffer.from('the other one') }] }),
  },
  {
    title: 'a manifest changed after signing',
    rule: 'signature-value',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: (all) => all.map((entry) => (entry.name === MANIFEST_ENTRY ? { ...entry, content: Buffer.from(entry.content.toString().replace('octet-stream', 'octet-streaM')) } : entry)) }),
  },
  ...['signature001.p7s', '/META-INF/signature001.p7s', 'META-INF/other.p7s'].map((uri) => ({
    title: `a manifest that names the signature ${uri}`,
    rule: 'manifest' as const,
    dss: 'refuses' as const,
    bouncyCastle: 'refuses' as const,
    forge: forging({ manifest: (text) => text.replace('URI="META-INF/signature001.p7s"', `URI="${uri}"`) }),
  })),
];

const archiveRows = (forging: Forging): readonly Row[] => [
  {
    title: 'a file of more than 1 MB packed better than 100 : 1',
    rule: 'archive',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: replacing(FILE_NAME, { content: Buffer.alloc(4 * 1024 * 1024), compress: true }) }),
  },
  { title: 'a media type that is compressed', rule: 'mimetype', dss: 'accepts', bouncyCastle: 'refuses', forge: forging({ entries: replacing(MIMETYPE_ENTRY, { compress: true }) }) },
  { title: 'a media type that comes last', rule: 'mimetype', dss: 'accepts', bouncyCastle: 'refuses', forge: forging({ entries: ([first, ...rest]) => [...rest, first as ForgedEntry] }) },
  { title: 'no media type', rule: 'mimetype', dss: 'refuses', bouncyCastle: 'refuses', forge: forging({ entries: (all) => all.slice(1) }) },
  {
    title: 'a media type with a newline',
    rule: 'mimetype',
    dss: 'refuses',
    bouncyCastle: 'refuses',
    forge: forging({ entries: (all) => all.map((entry) => (entry.name === MIMETYPE_ENTRY ? { ...entry, content: Buffer.from(`${entry.content.toString()}\n`) } : entry)) }),
  },
];

const attributeRows = (kit: SigningKit, forging: Forging): readonly Row[] => {
  const both = { dss: 'refuses', bouncyCastle: 'refuses' } as const;
  return [
    {
      title: 'a signature changed afterwards',
      rule: 'signature-value',
      ...both,
      forge: forging({ entries: (all) => all.map((entry) => (entry.name === SIGNATURE_ENTRY ? { ...entry, content: damagedSignature(entry.content) } : entry)) }),
    },
    { title: 'no signing-certificate attribute', rule: 'signing-certificate', ...both, forge: forging({ attributes: ({ signingCertificate: _, ...rest }) => Object.values(rest) }) },
    {
      title: "another person's certificate in signing-certificate",
      rule: 'signing-certificate',
      ...both,
      forge: async () => {
        const other = Certificate.parse((await kit.signer()).certificate);
        return forgeContainer(kit, { attributes: (standard) => Object.values({ ...standard, signingCertificate: attribute(OID.signingCertificateV2, signingCertificateV2(other)) }) });
      },
    },
    {
      title: "the CA's certificate in signing-certificate",
      rule: 'signing-certificate',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        attributes: (standard) => Object.values({ ...standard, signingCertificate: attribute(OID.signingCertificateV2, signingCertificateV2(Certificate.parse(kit.pki.issuing.certificate))) }),
      }),
    },
    { title: 'no signing time', rule: 'signing-time', ...both, forge: forging({ attributes: ({ signingTime: _, ...rest }) => Object.values(rest) }) },
    {
      title: 'a signing time of the wrong type',
      rule: 'signing-time',
      ...both,
      forge: forging({ attributes: (standard) => Object.values({ ...standard, signingTime: attribute(OID.signingTime, generalizedTime(kit.clock.now())) }) }),
    },
    { title: 'no content-type', rule: 'signature-value', ...both, forge: forging({ attributes: ({ contentType: _, ...rest }) => Object.values(rest) }) },
    { title: 'attributes signed and stored out of order', rule: 'signature-order', ...both, forge: forging({ attributes: reversed, signedAsGiven: true, storedAsGiven: true }) },
    {
      title: 'attributes signed in order but stored out of it',
      rule: 'signature-order',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({ attributes: reversed, storedAsGiven: true }),
    },
    { title: 'r and s as the phone sent them', rule: 'signature-value', ...both, forge: forging({ signature: (p1363) => p1363 }) },
    { title: "a digest algorithm that is not the signature's", rule: 'signature-value', ...both, forge: forging({ digestAlgorithm: sequence(oid(OID.sha512)) }) },
    { title: 'version 1 with an OCSP response', rule: 'signature-format', dss: 'accepts', bouncyCastle: 'refuses', forge: forging({ version: 1 }) },
    {
      title: 'a signing time an hour before the time-stamp',
      rule: 'time-order',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        beforeSigning: 2 * HOUR,
        attributes: (standard) => Object.values({ ...standard, signingTime: attribute(OID.signingTime, time(kit.clock.now() - HOUR)) }),
      }),
    },
  ];
};

const timeStampRows = (kit: SigningKit, forging: Forging): readonly Row[] => {
  const both = { dss: 'refuses', bouncyCastle: 'refuses' } as const;
  const stampedBy = (profile: CertificateProfile): Forgery => ({
    evidence: async (signed) => {
      // as old as the root: a list that is older than the certificate it is about would be a second flaw
      const unit = await testUnit({ profile, issuer: kit.pki.root, now: kit.clock.now(), notBefore: kit.openedAt - HOUR });
      const timeStamp = unverifiedTimeStamp(unit, kit.pki.root, { data: signed.signature, now: kit.clock.now() });
      return { ...(await goodEvidence(kit, signed)), timeStamp };
    },
  });
  return [
    { title: 'a time-stamp over something else', rule: 'time-stamp', ...both, forge: forging({ stamped: (signature) => hash('sha512', signature, 'buffer') }) },
    {
      title: 'a time-stamp of an authority that is not trusted',
      rule: 'time-stamp',
      ...both,
      forge: forging({
        evidence: async (signed) => {
          const foreign = await SigningKit.open(kit.clock.now());
          return { ...(await goodEvidence(kit, signed)), timeStamp: await foreign.timestampAuthority.stamp(signed.signature) };
        },
      }),
    },
    { title: "a time-stamp whose unit's certificate is not for time-stamping", rule: 'time-stamp', ...both, forge: forging(stampedBy(withExtensions(PROFILES.timestamping(), [OID.extKeyUsage]))) },
    {
      title: "a time-stamp whose unit's certificate is not marked critical",
      rule: 'time-stamp',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging(stampedBy(withExtensions(PROFILES.timestamping(), [OID.extKeyUsage], new ExtendedKeyUsageExtension([OID.kpTimeStamping])))),
    },
    {
      title: "a time-stamp whose unit's certificate is for other things too",
      rule: 'time-stamp',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging(stampedBy(withExtensions(PROFILES.timestamping(), [OID.extKeyUsage], new ExtendedKeyUsageExtension([OID.kpTimeStamping, OID.kpOcspSigning], true)))),
    },
  ];
};

const revocationRows = (kit: SigningKit, forging: Forging): readonly Row[] => {
  const both = { dss: 'refuses', bouncyCastle: 'refuses' } as const;
  const answeredBy = (profile: CertificateProfile, issuer = kit.pki.issuing): Forgery => ({
    evidence: async (signed) => {
      const responder = await testUnit({ profile, issuer, now: kit.clock.now() });
      const answer = await unverifiedOcsp({ ...kit.pki, responder }, { certificate: signed.signer.certificate, now: kit.clock.now() });
      return withAnswer(await goodEvidence(kit, signed), answer);
    },
  });
  return [
    { title: 'no OCSP response', rule: 'level', ...both, forge: forging({ crls: (all) => all.filter(isUniversal) }) },
    { title: 'no CRL for the time-stamping unit', rule: 'revocation', dss: 'refuses', bouncyCastle: 'accepts', forge: forging({ crls: (all) => all.filter((node) => !isUniversal(node)) }) },
    { title: "only the signer's certificate", rule: 'trust', ...both, forge: forging({ certificates: (all) => all.slice(0, 1) }) },
    {
      title: 'a certificate changed afterwards',
      rule: 'trust',
      ...both,
      forge: forging({ entries: (all) => all.map((entry) => (entry.name === SIGNATURE_ENTRY ? { ...entry, content: damagedName(entry.content) } : entry)) }),
    },
    {
      title: 'an OCSP response older than the time-stamp',
      rule: 'time-order',
      dss: 'accepts',
      bouncyCastle: 'refuses',
      forge: forging({
        evidence: async (signed) => {
          const answer = await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now: kit.clock.now() });
          kit.clock.advance(10_000);
          return withAnswer(await goodEvidence(kit, signed), answer);
        },
      }),
    },
    {
      title: 'a signer who was revoked',
      rule: 'revoked',
      ...both,
      forge: forging({
        evidence: async (signed) => {
          const now = kit.clock.now();
          return withAnswer(await goodEvidence(kit, signed), await unverifiedOcsp(kit.pki, { certificate: signed.signer.certificate, now, revokedAt: now - HOUR / 60 }));
        },
      }),
    },
    {
      title: 'a responder that would have to be looked up itself',
      rule: 'revocation',
      dss: 'refuses',
      bouncyCastle: 'accepts',
      forge: forging(answeredBy(withExtensions(PROFILES.responder(), [OID.ocspNoCheck]))),
    },
    { title: 'a responder that may not answer', rule: 'revocation', dss: 'accepts', bouncyCastle: 'refuses', forge: forging(answeredBy(withExtensions(PROFILES.responder(), [OID.extKeyUsage]))) },
    { title: "a responder of the root instead of the signer's CA", rule: 'revocation', dss: 'accepts', bouncyCastle: 'refuses', forge: forging(answeredBy(PROFILES.responder(), kit.pki.root)) },
  ];
};

const goodEvidence = async (kit: SigningKit, signed: Signed): Promise<Evidence & { level: 'LT' }> => {
  const evidence = await kit.evidence(signed);
  if (evidence.level !== 'LT') throw new TypeError('level LT expected');
  return evidence;
};

/** The evidence with another answer about the signer. */
const withAnswer = (evidence: Evidence & { level: 'LT' }, answer: RevocationEvidence): Evidence => ({
  ...evidence,
  revocation: [answer, ...evidence.revocation.filter(({ type }) => type === 'crl')],
});

const damagedSignature = (p7s: Buffer): Buffer => {
  const { signature } = readSignedData(p7s, p7s.length).signer;
  const damaged = Buffer.from(p7s);
  const last = p7s.indexOf(signature) + signature.length - 1;
  damaged[last] = (damaged[last] ?? 0) ^ 1;
  return damaged;
};

const damagedName = (p7s: Buffer): Buffer => {
  const damaged = Buffer.from(p7s);
  damaged.write('Mari-Lies', p7s.indexOf('Mari-Liis'));
  return damaged;
};

const replacing =
  (name: string, by: Partial<ForgedEntry>) =>
  (all: readonly ForgedEntry[]): readonly ForgedEntry[] =>
    all.map((entry) => (entry.name === name ? { ...entry, ...by } : entry));

const reversed = (standard: Parameters<NonNullable<Forgery['attributes']>>[0]) =>
  Object.values(standard)
    .sort((a, b) => Buffer.compare(encode(b), encode(a)));
