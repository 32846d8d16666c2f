import type { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { type TrustStore } from '#signatures/pki';

import { type ByteSource, dataOf, MAX_ARCHIVE_BYTES, openDelivered } from '../attach/attachment.js';
import { type Chunks, sourceOf, writeWhole } from '../attach/container-file.js';
import { type DirectoryEntry, encodeEnd, encodeEntry, localHeader } from '../attach/zip-records.js';
import { isArchiveEntry, MANIFEST_ENTRY, MAX_ARCHIVE_TIME_STAMPS, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from '../container-layout.js';
import type { ContainerReport, Finding } from '../verify/report.js';
import { validateContainer, verifyContainer } from '../verify/verify-container.js';
import type { Validation, ValidationMaterial } from '../verify/validation.js';
import { archiveEntries, type ArchiveTimeStamp } from './archive-manifest.js';
import type { ArchiveStamper } from './archive-stamper.js';

export interface RenewalOrder {
  /** The path of the container, of level LT at least. */
  readonly container: string;
  /** The path of the renewed container. Default: the path of the container. */
  readonly output?: string;
  readonly stamper: ArchiveStamper;
  readonly trust: TrustStore;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Nothing is done while the last archive time-stamp holds for longer than this. Milliseconds. */
  readonly within: number;
}

/** The outcome of {@link renewArchive}. */
export interface Renewal {
  /** False when the last archive time-stamp holds for long enough. */
  readonly changed: boolean;
  /** When the proof of the last archive time-stamp ends. Epoch milliseconds. */
  readonly endsAt: number;
}

/** The container is not valid, so no archive time-stamp can extend its proof. */
export class RenewalRefused extends Error {
  constructor(
    message: string,
    readonly findings: readonly Finding[] = [],
  ) {
    super([message, ...findings.map((finding) => finding.message)].join('; '));
    this.name = 'RenewalRefused';
  }
}

/**
 * Adds an archive time-stamp to a container, the first one or a further one, while the proof still holds (EN 319 162-1 §A.7). The previous archive
 * time-stamp gets the present statements of the authorities about its unit. Files of any size are streamed; the result is verified, and appears
 * complete or not at all. Throws {@link RenewalRefused}, what `ArchiveStamper.stamp` throws, and the errors of the file system.
 */
export const renewArchive = async (order: RenewalOrder): Promise<Renewal> => {
  const { container, output = container, stamper, trust, now, within } = order;
  const { parts, archive } = requireValid(await validateContainer(container, { trust, now, level: 'LT', form: 'delivered' }));
  const last = archive.at(-1);
  if (last && last.endsAt > now + within) return { changed: false, endsAt: last.endsAt };
  if (archive.length === MAX_ARCHIVE_TIME_STAMPS) throw new RenewalRefused('the container holds as many archive time-stamps as it can');

  const earlier = await Promise.all(
    parts.archive.map(async (one, at): Promise<ArchiveTimeStamp> => {
      const proof = archive[at];
      // a later archive time-stamp covers the earlier ones, so they must stay as they are
      return proof && proof === last ? { ...one, token: await stamper.withProof(proof, proof.crls) } : one;
    }),
  );
  const documents = parts.manifest?.documents ?? [];
  const added = await stamper.stamp({ manifest: parts.manifestBytes, signature: parts.signatureBytes, documents, earlier });
  await using handle = await open(container);
  const source = await sourceOf(handle);
  const entries = await renewedEntries(container, source, archiveEntries([...earlier, added]));
  let endsAt = 0;
  await writeWhole(output, archiveOf(entries), async (draft) => {
    const report = await verifyContainer(draft, { trust, now, level: 'LTA', form: 'delivered' });
    if (!isValid(report)) throw new RenewalRefused('the renewed container breaks its own rules', report.findings);
    endsAt = report.archiveTimeStamps?.at(-1)?.endsAt ?? 0;
  });
  return { changed: true, endsAt };
};

const isValid = ({ verdict, subIndication }: ContainerReport): boolean => verdict === 'TOTAL_PASSED' || subIndication === 'SIGNED_DATA_NOT_FOUND';

const requireValid = ({ report, material }: Validation): ValidationMaterial => {
  if (!material || !isValid(report)) throw new RenewalRefused('the container is not valid, and no time-stamp can change that', report.findings);
  return material;
};

interface WrittenEntry extends Omit<DirectoryEntry, 'offset'> {
  readonly content: Chunks;
}

/** The entries of the container with these in place of its archive time-stamps: those of the signature first, the documents last. */
const renewedEntries = async (
  path: string,
  source: ByteSource,
  archive: readonly { readonly name: string; readonly content: Buffer }[],
): Promise<readonly WrittenEntry[]> => {
  const { entries } = await openDelivered(source);
  const kept: WrittenEntry[] = [];
  for (const entry of entries.filter(({ name }) => !isArchiveEntry(name))) {
    const { start, end } = await dataOf(source, entry);
    kept.push({ ...entry, content: end > start ? createReadStreamLater(path, { start, end: end - 1 }) : [] });
  }
  const time = kept[0]?.time ?? 0;
  const stamps = archive.map(({ name, content }) => ({ name, time, size: content.length, crc32: crc32(content), content: [content] }));
  const ofSignature = new Set([MIMETYPE_ENTRY, MANIFEST_ENTRY, SIGNATURE_ENTRY]);
  return [...kept.filter(({ name }) => ofSignature.has(name)), ...stamps, ...kept.filter(({ name }) => !ofSignature.has(name))];
};

/** Opens the file only when its bytes are read, after those of the entries before it. */
async function* createReadStreamLater(path: string, range: { readonly start: number; readonly end: number }): AsyncGenerator<Buffer> {
  yield* createReadStream(path, range) as AsyncIterable<Buffer>;
}

const archiveOf = (entries: readonly WrittenEntry[]): readonly Chunks[] => {
  const parts: Chunks[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { content, ...entry } of entries) {
    const header = localHeader({ ...entry, offset });
    parts.push([header], content);
    directory.push(encodeEntry({ ...entry, offset }));
    offset += header.length + entry.size;
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  if (offset + size > MAX_ARCHIVE_BYTES) throw new RenewalRefused('the container is too large: 4 GiB is the most');
  return [...parts, directory, [encodeEnd({ count: entries.length, size, offset })]];
};
