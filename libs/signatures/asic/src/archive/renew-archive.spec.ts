import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { issueRootCrl, type RevocationEvidence, RevocationSource } from '#signatures/pki';

import { attachFile } from '../attach/attach-file.js';
import { archiveTokenEntry, isArchiveEntry, pastArchiveManifestEntry } from '../container-layout.js';
import { completed, entriesOf, type ForgedEntry, pack } from '#testkit/asic/forge-container';
import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from '../verify/verify-container.js';
import { ArchiveStamper } from './archive-stamper.js';
import { renewArchive, RenewalRefused } from './renew-archive.js';

const DAY = 86_400_000;
const YEAR = 366 * DAY;

let kit: SigningKit;
let directory: string;
beforeEach(async () => {
  kit = await SigningKit.open();
  directory = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterEach(() => rm(directory, { recursive: true }));

const judge = (container: Uint8Array | string, level: 'LT' | 'LTA' = 'LTA') =>
  verifyContainer(container, { trust: kit.trust, now: kit.clock.now(), level });
const signed = async (): Promise<Buffer> => completed(await kit.container(kit.sign(await kit.signer()), 'LTA'));
const changed = async (container: Buffer, change: (entry: ForgedEntry) => ForgedEntry | readonly ForgedEntry[]): Promise<Buffer> =>
  pack((await entriesOf(container)).flatMap((entry) => change(entry)));
const inFile = async (container: Buffer): Promise<string> => {
  const path = join(directory, 'x.asice');
  await writeFile(path, container);
  return path;
};
const renewed = (container: string, more: { within?: number; stamper?: ArchiveStamper; output?: string } = {}) =>
  renewArchive({ container, stamper: kit.archive, trust: kit.trust, now: kit.clock.now(), within: YEAR, ...more });

describe('a renewal', () => {
  it('extends the proof again and again, also after the previous time-stamp has ended', async () => {
    const path = await inFile(await signed());
    for (let years = 4; years <= 16; years += 4) {
      kit.clock.advance(4 * YEAR);
      // the unit of the kit has a life of five years: each renewal meets another one
      kit = await kit.withNewUnit();
      expect(await renewed(path)).toMatchObject({ changed: true });
      expect(await judge(path)).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [], level: 'LTA' });
    }
    const report = await judge(path);
    expect(report.archiveTimeStamps).toHaveLength(5);
    expect((await entriesOf(await readFile(path))).map(({ name }) => name)).toEqual([
      'mimetype',
      'META-INF/ASiCManifest001.xml',
      'META-INF/signature001.p7s',
      ...[1, 2, 3, 4].flatMap((number) => [pastArchiveManifestEntry(number), archiveTokenEntry(number)]),
      'META-INF/ASiCArchiveManifest.xml',
      archiveTokenEntry(5),
      FILE_NAME,
    ]);
  });

  it('brings a container of level LT to level LTA, and its file can be added afterwards', async () => {
    const path = await inFile(await kit.container(kit.sign(await kit.signer())));
    expect(await renewed(path)).toMatchObject({ changed: true });
    expect(await judge(path)).toMatchObject({ subIndication: 'SIGNED_DATA_NOT_FOUND', level: 'LTA', findings: [] });
    const file = join(directory, 'file');
    await writeFile(file, FILE);
    await attachFile({ container: path, file });
    expect(await judge(path)).toMatchObject({ verdict: 'TOTAL_PASSED', level: 'LTA' });
  });

  it('does nothing before it is due', async () => {
    const container = await signed();
    const path = await inFile(container);
    const { endsAt } = await renewed(path, { within: 4 * YEAR });
    expect(await readFile(path)).toEqual(container);
    expect(await renewed(path, { within: endsAt - kit.clock.now() })).toMatchObject({ changed: true });
  });

  it('keeps every byte that the signature and the documents have, of many documents too', async () => {
    const files = Array.from({ length: 50 }, (_, at) => Buffer.from(`document ${at}`));
    const documents = files.map((file, at) => ({ name: `${at} & é.pdf`, hash: hash('sha512', file, 'buffer') }));
    let container = await kit.container(kit.signDocuments(await kit.signer(), documents), 'LTA');
    for (const file of [...files].reverse()) container = await completed(container, file);
    const path = await inFile(container);
    const output = join(directory, 'renewed.asice');
    await renewed(path, { within: 10 * YEAR, output });
    expect(await readFile(path)).toEqual(container);
    const kept = async (bytes: Buffer) => (await entriesOf(bytes)).filter(({ name }) => !isArchiveEntry(name));
    expect(await kept(await readFile(output))).toEqual(await kept(container));
    expect(await judge(output)).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [], level: 'LTA' });
  });

  it('refuses a container that is not valid, and leaves it as it was', async () => {
    const wrong = await changed(await signed(), (entry) => (entry.name === archiveTokenEntry(1) ? { ...entry, content: Buffer.from('x') } : entry));
    const path = await inFile(wrong);
    await expect(renewed(path)).rejects.toThrow(RenewalRefused);
    expect(await readFile(path)).toEqual(wrong);
  });

  it('comes too late once the last time-stamp has ended', async () => {
    const path = await inFile(await signed());
    kit.clock.advance(6 * YEAR);
    kit = await kit.withNewUnit();
    await expect(renewed(path)).rejects.toThrow(/has ended|had ended/);
  });

  it('refuses a unit that is revoked, and leaves the container as it was', async () => {
    const container = await signed();
    const path = await inFile(container);
    const revoked = new (class extends RevocationSource {
      override ask = async (): Promise<RevocationEvidence> => Promise.reject(new Error('not asked'));
      override current = async (): Promise<RevocationEvidence> => ({
        type: 'crl',
        der: issueRootCrl(kit.pki.root, kit.clock.now()),
        status: 'revoked',
        producedAt: kit.clock.now(),
      });
    })();
    await expect(renewed(path, { within: 10 * YEAR, stamper: new ArchiveStamper(kit.timestampAuthority, revoked) })).rejects.toThrow(/revoked/);
    expect(await readFile(path)).toEqual(container);
  });
});

describe('a renewed container is refused', () => {
  const twice = async (): Promise<Buffer> => {
    const path = await inFile(await signed());
    kit.clock.advance(DAY);
    await renewed(path, { within: 10 * YEAR });
    return readFile(path);
  };

  it.each<[string, string, (container: Buffer) => Promise<Buffer>]>([
    [
      'when its first archive time-stamp is taken out',
      'entries',
      (container) => changed(container, (entry) => (entry.name === archiveTokenEntry(1) ? [] : entry)),
    ],
    [
      'when the manifest of its first archive time-stamp is taken out',
      'archive-manifest',
      (container) => changed(container, (entry) => (entry.name === pastArchiveManifestEntry(1) ? [] : entry)),
    ],
    [
      'when the token of its first archive time-stamp is another one, over the same',
      'archive-changed',
      async (container) => {
        const manifest = (await entriesOf(container)).find(({ name }) => name === pastArchiveManifestEntry(1))?.content ?? Buffer.alloc(0);
        const { token } = await kit.timestampAuthority.stamp(manifest);
        return changed(container, (entry) => (entry.name === archiveTokenEntry(1) ? { ...entry, content: token } : entry));
      },
    ],
    [
      'when its archive time-stamps change their places',
      'archive-changed',
      (container) =>
        changed(container, (entry) => {
          const other = { [archiveTokenEntry(1)]: archiveTokenEntry(2), [archiveTokenEntry(2)]: archiveTokenEntry(1) }[entry.name];
          return other ? { ...entry, name: other } : entry;
        }),
    ],
  ])('%s', async (_, rule, forge) => {
    const report = await judge(await forge(await twice()), 'LT');
    expect(report.findings.map((finding) => finding.rule)).toContain(rule);
    expect([report.verdict, report.level]).not.toEqual(['TOTAL_PASSED', 'LTA']);
  });
});
