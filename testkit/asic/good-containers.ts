import { constants, hash, type KeyObject, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { AuthorityInfoAccessExtension, CRLDistributionPointsExtension, KeyUsageFlags, KeyUsagesExtension } from '@peculiar/x509';

import { OID } from '#signatures/pki';
import { PROFILES, testUnit, withExtensions } from '#testkit/pki/test-certificates';
import { newKey } from '#testkit/pki/signing-requests';
import { pssAlgorithm } from '#testkit/pki/resigned';
import { testCrl } from '#testkit/pki/test-crl';

import { renewArchive } from '#signatures/asic';
import type { Evidence } from '#signatures/asic';
import { type Level, LEVELS } from '#signatures/asic';
import { completed, forgeContainer } from './forge-container.js';
import type { KeyType, Signed, SigningKit } from './signing-kit.js';

const HOUR = 3_600_000;
export const KEY_TYPES: readonly KeyType[] = ['P-256', 'P-384', 'RSA'];
const NAMES = [
  'a+b.txt',
  '100%.pdf',
  'a#b?.txt',
  `q"<>&'.txt`,
  'sœur 😀.txt',
  'e\u0301te\u0301.txt',
  'a%20b.txt',
  ' outer blanks ',
  'ab:c.txt',
  'C:x.pdf',
  'a..b.pdf',
  'META-INFO.txt',
  'a\u200eb\u200fc\u061cd.pdf',
  '-dash',
  '@at',
  "o'clock (1)!*.txt",
  'ё'.repeat(254),
];
/** A container that is right, and the level to judge it by. */
export interface Case {
  readonly title: string;
  readonly container: Buffer;
  readonly level: Level;
  readonly hashOnly?: boolean;
  /** BcCheck knows the first archive time-stamp only. */
  readonly renewed?: boolean;
}

/** Each level and key type, one and many documents, and every odd name. */
export const goodCases = async (kit: SigningKit): Promise<readonly Case[]> => {
  const cases: Case[] = [];
  for (const type of KEY_TYPES) {
    const signer = await kit.signer(type);
    for (const level of LEVELS) {
      const delivered = await kit.container(kit.sign(signer), level);
      cases.push({ title: `${type} ${level}`, container: await completed(delivered), level });
      // EU DSS judges an archive time-stamp with the documents only
      if (level === 'LT') cases.push({ title: `${type} ${level} as delivered`, container: delivered, level, hashOnly: true });
    }
  }
  cases.push({ title: 'RSA-PSS LT', container: await signedByPss(kit), level: 'LT' });
  cases.push({ title: 'P-256 LT, a certificate for messages too', container: await signedForMessages(kit), level: 'LT' });
  cases.push({ title: 'P-256 LT by a list', container: await listed(kit), level: 'LT' });
  cases.push({ title: 'P-256 LT by a list, in place of a responder', container: await listed(kit, kit.pki.addresses.ocsp), level: 'LT' });
  const signer = await kit.signer();
  const files = Array.from({ length: 50 }, (_, at) => Buffer.from(`document ${at}`));
  const documents = files.map((file, at) => ({ name: NAMES[at] ?? `${at}.pdf`, hash: hash('sha512', file, 'buffer') }));
  const several = await kit.container(kit.signDocuments(signer, documents, { relyingParty: 'Bank & "Co" <õ>', title: 'Loan 100 %' }));
  cases.push({ title: '50 documents with the request', container: await completed(several, ...files), level: 'LT' });
  const archived = await kit.container(kit.signDocuments(signer, documents), 'LTA');
  cases.push({ title: '50 documents, LTA', container: await completed(archived, ...files), level: 'LTA' });
  for (const name of NAMES)
    cases.push({ title: `named ${name}`, container: await completed(await kit.container(kit.sign(signer, name))), level: 'LT' });
  return cases;
};

/** Containers that got archive time-stamps later, one after the other. `directory`: for their files. */
export const renewedCases = async (kit: SigningKit, directory: string): Promise<readonly Case[]> => {
  const files = Array.from({ length: 3 }, (_, at) => Buffer.from(`document ${at}`));
  const documents = files.map((file, at) => ({ name: `${at}.pdf`, hash: hash('sha512', file, 'buffer') }));
  const signer = await kit.signer();
  const made = [
    { title: 'LT, renewed twice', container: await completed(await kit.container(kit.sign(signer))), times: 2 },
    { title: 'LTA, renewed twice', container: await completed(await kit.container(kit.sign(signer), 'LTA')), times: 2 },
    {
      title: '3 documents, renewed',
      container: await completed(await kit.container(kit.signDocuments(signer, documents), 'LTA'), ...files),
      times: 1,
    },
  ];
  const cases: Case[] = [];
  for (const [number, { title, container, times }] of made.entries()) {
    const path = join(directory, `renewed-${number}.asice`);
    await writeFile(path, container);
    for (let time = 0; time < times; time += 1) {
      kit.clock.advance(60_000);
      await renewArchive({ container: path, stamper: kit.archive, trust: kit.trust, now: kit.clock.now(), within: Infinity });
    }
    cases.push({ title, container: await readFile(path), level: 'LTA', renewed: true });
  }
  return cases;
};

/** A container of another service, whose signature is RSASSA-PSS with SHA-256. */
export const signedByPss = async (kit: SigningKit): Promise<Buffer> => {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  const algorithm = {
    identifier: pssAlgorithm(OID.sha256, pss.saltLength),
    sign: (toBeSigned: Buffer, key: KeyObject) => sign('sha256', toBeSigned, { key, ...pss }),
  };
  return forgeContainer(kit, { phone: await kit.signer('RSA'), algorithm });
};

/** A container whose signer may sign messages as well as documents (EN 319 412-2 §4.3.2, type B). */
const signedForMessages = async (kit: SigningKit): Promise<Buffer> => {
  const keys = newKey['P-256']();
  const { issuing, root } = kit.pki;
  const usage = new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, true);
  const profile = withExtensions(PROFILES.signer(), [OID.keyUsage], usage);
  const { certificate } = await testUnit({ profile, issuer: issuing, now: kit.clock.now(), keys });
  return forgeContainer(kit, { phone: { keys, certificate, chain: [issuing.certificate, root.certificate] } });
};

/** A container that proves by a list that its signer was good. `ocsp`: the address of a responder in the certificate; none by default. */
const listed = async (kit: SigningKit, ocsp?: string): Promise<Buffer> => {
  const keys = newKey['P-256']();
  const { issuing, root, addresses } = kit.pki;
  const profile = withExtensions(
    PROFILES.signer(),
    [OID.authorityInfoAccess],
    new AuthorityInfoAccessExtension({ caIssuers: addresses.issuingCertificate, ...(ocsp !== undefined && { ocsp }) }),
    new CRLDistributionPointsExtension(['http://localhost:3000/pki/issuing.crl']),
  );
  const { certificate } = await testUnit({ profile, issuer: issuing, now: kit.clock.now(), keys });
  const evidence = async (signed: Signed): Promise<Evidence> => {
    const good = await kit.evidence(signed);
    if (good.level !== 'LT') throw new TypeError('level LT expected');
    const now = kit.clock.now();
    const list = { type: 'crl', der: testCrl({ signer: issuing, now, nextUpdate: now + 24 * HOUR }), status: 'good', producedAt: now } as const;
    return { ...good, revocation: [list, ...good.revocation.filter(({ type }) => type === 'crl')] };
  };
  return forgeContainer(kit, { phone: { keys, certificate, chain: [issuing.certificate, root.certificate] }, evidence });
};
