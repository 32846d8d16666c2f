import { beforeEach, describe, expect, it } from '@jest/globals';

import { Certificate, issueRootCrl, withValidationData } from '#signatures/pki';

import { archiveTokenEntry, isArchiveEntry, pastArchiveManifestEntry, SIGNATURE_ENTRY } from '../container-layout.js';
import { completed, entriesOf, type ForgedEntry, pack } from '#testkit/asic/forge-container';
import { readReport } from '#testkit/asic/read-report';
import { type KeyType, SigningKit } from '#testkit/asic/signing-kit';
import { validationReport } from '../verify/etsi-report/validation-report.js';
import { explainReport } from '../verify/explain-report.js';
import { validateContainer, verifyContainer } from '../verify/verify-container.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 366 * DAY;

let kit: SigningKit;
beforeEach(async () => {
  kit = await SigningKit.open();
});

const judge = (container: Uint8Array, level: 'LT' | 'LTA' = 'LTA', now = kit.clock.now()) =>
  verifyContainer(container, { trust: kit.trust, now, level });
const signed = async (type: KeyType = 'P-256', level: 'LT' | 'LTA' = 'LTA'): Promise<Buffer> =>
  completed(await kit.container(kit.sign(await kit.signer(type)), level));
const changed = async (container: Buffer, change: (entry: ForgedEntry) => ForgedEntry | readonly ForgedEntry[]): Promise<Buffer> =>
  pack((await entriesOf(container)).flatMap((entry) => change(entry)));
describe('a container of level LTA', () => {
  it.each(['P-256', 'P-384', 'RSA'] as const)('signed with a %s key is valid, without its file and with it', async (type) => {
    const container = await kit.container(kit.sign(await kit.signer(type)), 'LTA');
    expect((await entriesOf(container)).map(({ name }) => name)).toEqual([
      'mimetype',
      'META-INF/ASiCManifest001.xml',
      'META-INF/signature001.p7s',
      'META-INF/ASiCArchiveManifest.xml',
      'META-INF/timestamp001.tst',
    ]);
    expect(await judge(container)).toMatchObject({ subIndication: 'SIGNED_DATA_NOT_FOUND', findings: [], level: 'LTA' });
    expect(await judge(await completed(container))).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [], level: 'LTA' });
  });

  it('tells of its archive time-stamp, in the validation report too', async () => {
    const container = await signed();
    const validation = await validateContainer(container, { trust: kit.trust, now: kit.clock.now() });
    const [stamp] = validation.report.archiveTimeStamps ?? [];
    expect(stamp).toMatchObject({ at: kit.clock.now(), authority: 'Countersign Time-Stamping Unit (TEST, not qualified)' });
    expect(explainReport(validation.report).at(-1)).toMatch(/^Kept {3}archive time-stamp of 2026-.* by ".*", which holds until 2031-/);
    expect(readReport(validationReport(validation)).objects('timestamp')).toHaveLength(2);
  });

  it('is asked for by its level: LT does not suffice', async () => {
    expect(await judge(await signed('P-256', 'LT'))).toMatchObject({ level: 'LT', findings: [{ rule: 'level' }] });
    expect(await judge(await signed(), 'LT')).toMatchObject({ level: 'LTA', findings: [] });
  });

  it('proves nothing after its archive time-stamp has ended', async () => {
    expect(await judge(await signed(), 'LTA', kit.clock.now() + 6 * YEAR)).toMatchObject({
      subIndication: 'REVOCATION_OUT_OF_BOUNDS_NO_POE',
      findings: [{ rule: 'lifetime' }],
    });
  });
});

describe('a wrong archive time-stamp is refused', () => {
  const replacing = (name: string, by: (content: Buffer) => Buffer) => (entry: ForgedEntry) =>
    entry.name === name ? { ...entry, content: by(entry.content) } : entry;
  const MANIFEST = 'META-INF/ASiCArchiveManifest.xml';
  const TOKEN = archiveTokenEntry(1);
  const text = (change: (xml: string) => string) => (content: Buffer) => Buffer.from(change(content.toString()));
  const restamped = async (change: (xml: string) => string, by: SigningKit = kit, later = 0): Promise<Buffer> => {
    const container = await signed();
    kit.clock.advance(later);
    const manifest = Buffer.from(change((await entriesOf(container)).find(({ name }) => name === MANIFEST)?.content.toString() ?? ''));
    const token = await by.archive.withProof(await by.timestampAuthority.stamp(manifest));
    kit.clock.advance(-later);
    return changed(container, (entry) =>
      entry.name === MANIFEST ? { ...entry, content: manifest } : entry.name === TOKEN ? { ...entry, content: token } : entry,
    );
  };

  it.each<[string, string, () => Promise<Buffer>]>([
    ['without its token', 'entries', async () => changed(await signed(), (entry) => (entry.name === TOKEN ? [] : entry))],
    ['without its manifest', 'entries', async () => changed(await signed(), (entry) => (entry.name === MANIFEST ? [] : entry))],
    [
      'with a further token',
      'entries',
      async () => changed(await signed(), (entry) => (entry.name === TOKEN ? [entry, { ...entry, name: archiveTokenEntry(2) }] : entry)),
    ],
    [
      'with another one that counts before it',
      'archive-manifest',
      async () =>
        changed(await signed(), (entry) =>
          entry.name === TOKEN
            ? [entry, { ...entry, name: archiveTokenEntry(2) }]
            : entry.name === MANIFEST
              ? [entry, { ...entry, name: pastArchiveManifestEntry(1) }]
              : entry,
        ),
    ],
    [
      'whose manifest was changed',
      'archive-changed',
      async () =>
        changed(
          await signed(),
          replacing(
            MANIFEST,
            text((xml) => xml.replace(/DigestValue>(.)/, (_, first) => `DigestValue>${first === 'A' ? 'B' : 'A'}`)),
          ),
        ),
    ],
    [
      'whose token is over something else',
      'archive-time-stamp',
      async () => {
        const { token } = await kit.timestampAuthority.stamp(Buffer.from('something else'));
        return changed(
          await signed(),
          replacing(TOKEN, () => token),
        );
      },
    ],
    [
      'whose token was changed',
      'archive-time-stamp',
      async () =>
        changed(
          await signed(),
          replacing(TOKEN, (der) => Buffer.concat([der.subarray(0, -1), Buffer.of((der.at(-1) ?? 0) ^ 1)])),
        ),
    ],
    [
      'whose token is no token',
      'archive-time-stamp',
      async () =>
        changed(
          await signed(),
          replacing(TOKEN, () => Buffer.from('hello')),
        ),
    ],
    ['of a unit that is not trusted', 'archive-time-stamp', async () => restamped((xml) => xml, await SigningKit.open())],
    [
      'that leaves the documents out',
      'archive-manifest',
      async () =>
        restamped((xml) => xml.replace(/<asic:DataObjectReference MimeType="application\/octet-stream".*?<\/asic:DataObjectReference>/, '')),
    ],
    [
      'that leaves the signature out',
      'archive-manifest',
      async () =>
        restamped((xml) => xml.replace(/<asic:DataObjectReference MimeType="application\/pkcs7-signature".*?<\/asic:DataObjectReference>/, '')),
    ],
    ['that names another token', 'archive-manifest', async () => restamped((xml) => xml.replace('timestamp001', 'timestamp002'))],
    [
      'over another signature',
      'archive-changed',
      async () => {
        const other = (await entriesOf(await signed())).find(({ name }) => name === SIGNATURE_ENTRY)?.content ?? Buffer.alloc(0);
        return changed(
          await signed(),
          replacing(SIGNATURE_ENTRY, () => other),
        );
      },
    ],
    [
      'from before the signature',
      'time-order',
      async () => {
        kit.clock.advance(HOUR);
        return restamped((xml) => xml, kit, -HOUR / 2);
      },
    ],
  ])('%s', async (_, rule, forge) => {
    const container = await forge();
    const report = await judge(container, 'LT');
    expect(report.findings.map((finding) => finding.rule)).toContain(rule);
    expect(report.verdict).not.toBe('TOTAL_PASSED');
    if (rule.startsWith('archive-')) expect(report.level).toBe('LT');
  });

  it('when any one byte of it was changed', async () => {
    const container = await signed();
    const entries = await entriesOf(container);
    for (const { name, content } of entries.filter((entry) => isArchiveEntry(entry.name))) {
      for (let at = 0; at < content.length; at += 37) {
        const wrong = Buffer.from(content);
        wrong[at] = (wrong[at] ?? 0) ^ 0x21;
        const report = await judge(await pack(entries.map((entry) => (entry.name === name ? { name, content: wrong } : entry))), 'LT');
        expect([name, at, report.verdict]).not.toEqual([name, at, 'TOTAL_PASSED']);
      }
    }
  });

  it('when it holds a certificate or a statement that nothing in it uses', async () => {
    const container = await signed();
    const { chain, crls, token } = (await validateContainer(container, { trust: kit.trust, now: kit.clock.now() })).material?.archive[0] ?? {};
    if (!chain || !crls || !token) throw new Error('an archive time-stamp');
    const stranger = Certificate.parse((await kit.signer()).certificate);
    const foreign = await SigningKit.open(kit.clock.now());
    const list = issueRootCrl(foreign.pki.root, kit.clock.now());
    for (const data of [
      { certificates: [...chain, stranger], crls },
      { certificates: chain, crls: [...crls, list] },
    ]) {
      const wrong = withValidationData(token, data);
      const { findings } = await judge(
        await changed(
          container,
          replacing(TOKEN, () => wrong),
        ),
        'LT',
      );
      expect(findings).toEqual([{ rule: 'archive-time-stamp', message: expect.stringContaining('that nothing in it uses') }]);
    }
  });
});
