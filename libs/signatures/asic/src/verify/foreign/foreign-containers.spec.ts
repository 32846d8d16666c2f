import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { Certificate, TrustStore } from '#signatures/pki';
import { entriesOf, forgeContainer, type ForgedEntry, pack } from '#testkit/asic/forge-container';
import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import { indefinite } from '#testkit/pki/ber';

import { MANIFEST_ENTRY, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from '../../container-layout.js';
import { validationReport } from '../etsi-report/validation-report.js';
import { explainReport } from '../explain-report.js';
import { isUnjudged } from '../indication.js';
import { validateContainer, verifyContainer } from '../verify-container.js';

/** A folder of containers of a public suite; every one must end in a verdict. Unset: the containers of this repository. */
const SAMPLES = process.env['ASIC_SAMPLES'] ?? resolve('test/vectors/asic');
const DIGEST = /<ds:DigestMethod Algorithm="[^"]*"\/><ds:DigestValue>[^<]*<\/ds:DigestValue>/;
const ODF = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>';

let kit: SigningKit;
let standard: readonly ForgedEntry[];
beforeAll(async () => {
  kit = await SigningKit.open();
  standard = await entriesOf(await forgeContainer(kit));
});
const judge = (container: Uint8Array) => verifyContainer(container, { trust: kit.trust, now: kit.clock.now() });
const packed = (change: (all: readonly ForgedEntry[]) => readonly ForgedEntry[]): Promise<Buffer> => pack(change(standard));
const renamed =
  (from: string, to: string) =>
  (all: readonly ForgedEntry[]): readonly ForgedEntry[] =>
    all.map((entry) => (entry.name === from ? { ...entry, name: to } : entry));
const changed =
  (name: string, change: (content: Buffer) => Buffer) =>
  (all: readonly ForgedEntry[]): readonly ForgedEntry[] =>
    all.map((entry) => (entry.name === name ? { ...entry, content: change(entry.content) } : entry));
const beside =
  (name: string, content: string | Buffer) =>
  (all: readonly ForgedEntry[]): readonly ForgedEntry[] => [...all, { name, content: Buffer.from(content) }];
const commented = (zip: Buffer, comment: string): Buffer => {
  const whole = Buffer.concat([zip, Buffer.from(comment, 'latin1')]);
  whole.writeUInt16LE(comment.length, zip.length - 2);
  return whole;
};
/** The manifest in another form of XML that means the same: prefixes, quotes, order, comments, white space. */
const rewritten = (xml: string): string =>
  xml
    .replaceAll('asic:', 'a:')
    .replace('xmlns:asic=', 'xmlns:a=')
    .replaceAll('<ds:', '\n  <!-- a comment --><d:')
    .replaceAll('</ds:', '</d:')
    .replace('xmlns:ds=', 'xmlns:d=')
    .replace('standalone="no"', '')
    .replaceAll('"', "'")
    .replace('.pdf', '&#46;pdf');

describe('an ASiC-E container of another program is valid', () => {
  it.each<readonly [string, () => Promise<Buffer>]>([
    ['with its manifest under another name', () => packed(renamed(MANIFEST_ENTRY, 'META-INF/ASiCManifest.xml'))],
    ['with the manifest of ODF beside', () => packed(beside('META-INF/manifest.xml', ODF))],
    ['with an archive comment', async () => commented(await packed((all) => all), 'mimetype=application/vnd.etsi.asic-e+zip')],
    ['with its entries in another order', () => packed(([first, ...rest]) => [first as ForgedEntry, ...rest.toReversed()])],
    ['with its manifest in another form of XML', () => forgeContainer(kit, { manifest: rewritten })],
    ['with digests by SHA-256', () => forgeContainer(kit, { manifest: (xml) => xml.replace(DIGEST, digestElement('sha256')) })],
    ['with digests by SHA-384', () => forgeContainer(kit, { manifest: (xml) => xml.replace(DIGEST, digestElement('sha384')) })],
    [
      'with its signature in BER',
      () => packed((all) => renamed(MANIFEST_ENTRY, 'META-INF/ASiCManifest.xml')(changed(SIGNATURE_ENTRY, (p7s) => indefinite(p7s, 3))(all))),
    ],
    ['with an entry for a folder', () => withFolder()],
    ['with several signatures', () => several()],
  ])('%s', async (_, made) => {
    const report = await judge(await made());
    expect(report).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [] });
    expect(report.documents).toMatchObject([{ name: FILE_NAME, present: true }]);
    expect(report.signer?.name).toBe('Mari-Liis Männik');
  });

  it('and names each of several signers', async () => {
    const container = await several();
    const report = await judge(container);
    expect(report.signatures?.map(({ entry, verdict }) => [entry, verdict])).toEqual([
      [SIGNATURE_ENTRY, 'TOTAL_PASSED'],
      ['META-INF/signature002.p7s', 'TOTAL_PASSED'],
    ]);
    expect(explainReport(report).filter((line) => line.includes('Mari-Liis'))).toHaveLength(2);
    expect(validationReport(await validateContainer(container, { trust: kit.trust, now: kit.clock.now() }))).toContain('total-passed');
  });
});

describe('a container of another program is proved wrong', () => {
  const foreign = renamed(MANIFEST_ENTRY, 'META-INF/ASiCManifest.xml');
  it.each<readonly [string, () => Promise<Buffer>, string]>([
    ['when its file was changed', () => packed((all) => foreign(changed(FILE_NAME, () => Buffer.from('other'))(all))), 'HASH_FAILURE'],
    [
      'when its manifest was changed',
      () => packed((all) => foreign(changed(MANIFEST_ENTRY, (xml) => Buffer.from(`${xml.toString()} `))(all))),
      'HASH_FAILURE',
    ],
    [
      'when its manifest names no signature in it',
      () => packed((all) => foreign(renamed(SIGNATURE_ENTRY, 'META-INF/signature009.p7s')(all))),
      'FORMAT_FAILURE',
    ],
    ['when two entries have one name', () => packed((all) => beside(FILE_NAME, 'other')(foreign(all))), 'FORMAT_FAILURE'],
    [
      'when one of several signatures is wrong',
      async () => pack(changed(FILE_NAME, () => Buffer.from('other'))(await entriesOf(await several()))),
      'HASH_FAILURE',
    ],
  ])('%s', async (_, made, subIndication) => {
    const report = await judge(await made());
    expect(report.findings).not.toEqual([]);
    expect(report.verdict).not.toBe('TOTAL_PASSED');
    if (report.verdict === 'TOTAL_FAILED') expect(['HASH_FAILURE', 'FORMAT_FAILURE']).toContain(report.subIndication);
    expect([report.verdict, report.subIndication]).toEqual(['TOTAL_FAILED', subIndication]);
    expect(isUnjudged(report)).toBe(false);
  });

  it('when another end of the archive hides in its comment', async () => {
    const zip = await packed((all) => all);
    expect(await judge(commented(zip, 'PK\u0005\u0006hidden'))).toMatchObject({ verdict: 'TOTAL_FAILED', subIndication: 'FORMAT_FAILURE' });
  });
});

describe('what is not known here is not judged', () => {
  const only =
    (...names: readonly string[]) =>
    (all: readonly ForgedEntry[]) =>
      all.filter(({ name }) => names.includes(name));
  it.each<readonly [string, () => Promise<Buffer>]>([
    ['a container of XAdES signatures', () => packed((all) => beside('META-INF/signatures0.xml', '<a/>')(only(MIMETYPE_ENTRY, FILE_NAME)(all)))],
    [
      'a container of ASiC-S',
      () => packed((all) => changed(MIMETYPE_ENTRY, () => Buffer.from('application/vnd.etsi.asic-s+zip'))(only(MIMETYPE_ENTRY, FILE_NAME)(all))),
    ],
    [
      'a container of a time-stamp alone',
      () => packed((all) => beside('META-INF/timestamp.tst', 'x')(only(MIMETYPE_ENTRY, MANIFEST_ENTRY, FILE_NAME)(all))),
    ],
    ['an archive of anything else', () => pack([{ name: 'a.txt', content: FILE }])],
    ['a media type that comes last', () => packed(([first, ...rest]) => [...rest, first as ForgedEntry])],
    ['a manifest with a DOCTYPE', () => forgeContainer(kit, { manifest: (xml) => xml.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>') })],
    [
      'a manifest with a critical extension',
      () =>
        forgeContainer(kit, {
          manifest: (xml) =>
            xml.replace(
              '</asic:ASiCManifest>',
              '<asic:ASiCManifestExtensions><asic:Extension Critical="true"/></asic:ASiCManifestExtensions></asic:ASiCManifest>',
            ),
        }),
    ],
    [
      'a digest by an algorithm that is not known',
      () => forgeContainer(kit, { manifest: (xml) => xml.replace('xmlenc#sha512', 'xmlenc#ripemd160') }),
    ],
    ['a file that was not signed', () => packed((all) => beside('second.pdf', 'other')(renamed(MANIFEST_ENTRY, 'META-INF/ASiCManifest.xml')(all)))],
    [
      'archive time-stamps of another form',
      () => packed((all) => beside('META-INF/ASiCArchiveManifest001.xml', '<a/>')(renamed(MANIFEST_ENTRY, 'META-INF/ASiCManifest.xml')(all))),
    ],
    [
      'a signature that is no CMS of one signer',
      () => packed((all) => renamed(MANIFEST_ENTRY, 'META-INF/ASiCManifest.xml')(changed(SIGNATURE_ENTRY, () => Buffer.of(0x30, 0))(all))),
    ],
    ['an encrypted archive', async () => encrypted(await packed((all) => all.map((entry) => ({ ...entry, compress: entry.name === FILE_NAME }))))],
  ])('%s', async (_, made) => {
    const container = await made();
    const report = await judge(container);
    expect(report).toMatchObject({ verdict: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' });
    expect(isUnjudged(report)).toBe(true);
    expect(explainReport(report)[0]).toMatch(/this is not a form that can be judged here/);
    expect(validationReport(await validateContainer(container, { trust: kit.trust, now: kit.clock.now() }))).toContain('SIG_CONSTRAINTS_FAILURE');
  });
});

describe('a folder of containers', () => {
  it('ends in a verdict for each of them, and throws for none', async () => {
    const trust = new TrustStore([Certificate.parse(kit.pki.root.certificate)]);
    const names = (await readdir(SAMPLES, { recursive: true })).filter((name) => /\.(asice|sce|zip|asics|scs)$/i.test(name));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const validation = await validateContainer(await readFile(join(SAMPLES, name)), { trust, now: Date.UTC(2027, 0, 1) });
      expect([name, ['TOTAL_PASSED', 'INDETERMINATE', 'TOTAL_FAILED']]).toEqual([name, expect.arrayContaining([validation.report.verdict])]);
      expect(validationReport(validation)).toContain('SignatureValidationReport');
    }
  });

  it('holds hostile manifests too, for which it neither hangs nor throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('<a:', '<', '>', '/>', '</a:b>', '<!--', '-->', '"', "'", ' b="c"', '&', '&#x41;', '<![CDATA[', ']]>', 'x'), {
          maxLength: 200,
        }),
        async (pieces) => {
          const { verdict } = await judge(await packed((all) => changed(MANIFEST_ENTRY, () => Buffer.from(pieces.join('')))(all)));
          expect(verdict).not.toBe('TOTAL_PASSED');
        },
      ),
      { numRuns: 100 },
    );
    const deep = Buffer.from('<a>'.repeat(300_000));
    const long = Buffer.from(`<a ${'b'.repeat(500_000)}`);
    for (const xml of [deep, long, Buffer.from(`<a>${'<!--'.repeat(200_000)}`)])
      expect((await judge(await packed((all) => changed(MANIFEST_ENTRY, () => xml)(all)))).verdict).toBe('INDETERMINATE');
  });
});

const digestElement = (name: 'sha256' | 'sha384') => (): string => {
  const algorithm = { sha256: 'http://www.w3.org/2001/04/xmlenc#sha256', sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384' }[name];
  return `<ds:DigestMethod Algorithm="${algorithm}"/><ds:DigestValue>${hash(name, FILE, 'base64')}</ds:DigestValue>`;
};

/** Two signatures over one file, each with its manifest. */
const several = async (): Promise<Buffer> => {
  const manifest = (xml: string): string => xml.replace('signature001.p7s', 'signature002.p7s');
  const second = await entriesOf(await forgeContainer(kit, { manifest }));
  const of = (name: string): Buffer => second.find((entry) => entry.name === name)?.content ?? Buffer.alloc(0);
  return packed((all) => [
    ...all,
    { name: 'META-INF/ASiCManifest002.xml', content: of(MANIFEST_ENTRY) },
    { name: 'META-INF/signature002.p7s', content: of(SIGNATURE_ENTRY) },
  ]);
};

const withFolder = async (): Promise<Buffer> => {
  const zip = await packed(([first, ...rest]) => [first as ForgedEntry, { name: 'META-INF.', content: Buffer.alloc(0) }, ...rest]);
  return Buffer.from(zip.toString('latin1').replaceAll('META-INF.', 'META-INF/'), 'latin1');
};

/** The entry of the file marked as encrypted, in both of its headers. */
const encrypted = (zip: Buffer): Buffer => {
  const marked = Buffer.from(zip);
  for (const at of [zip.indexOf(FILE_NAME) - 30 + 6, zip.lastIndexOf(FILE_NAME) - 46 + 8]) marked.writeUInt16LE(marked.readUInt16LE(at) | 1, at);
  return marked;
};
