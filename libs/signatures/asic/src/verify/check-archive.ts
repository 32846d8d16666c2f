import { Buffer } from 'node:buffer';

import { archiveEntryNames, type ArchiveTimeStamp } from '../archive/archive-manifest.js';
import {
  ARCHIVE_MANIFEST_ENTRY,
  MANIFEST_ENTRY,
  MAX_ARCHIVE_TIME_STAMPS,
  MEDIA_TYPE,
  MIMETYPE_ENTRY,
  pastArchiveManifestEntry,
  SIGNATURE_ENTRY,
} from '../container-layout.js';
import { type AsicManifest, readManifest, type SignedDocument } from '../manifest.js';
import { UnreadableContainer } from '../zip/unreadable-container.js';
import type { ZipReader } from '../zip/zip-reader.js';
import type { Findings, ReportedDocument } from './report.js';

/** The parts of a container. */
export interface ContainerParts {
  /** The bytes that the signature is over. */
  readonly manifestBytes: Buffer;
  readonly manifest: AsicManifest | undefined;
  readonly signatureBytes: Buffer;
  /** The documents that the manifest names. */
  readonly documents: readonly ReportedDocument[] | undefined;
  /** Oldest first. */
  readonly archive: readonly ArchiveTimeStamp[];
}

const MAX_META_INF_BYTES = 1024 * 1024;

/** EN 319 162-1 §A.1 and A.4: the form of the archive, and whether the file in it is the one that was signed. */
export const checkArchive = async (zip: ZipReader, findings: Findings): Promise<ContainerParts | undefined> => {
  await checkMediaType(zip, findings);
  const names = zip.entries.map(({ name }) => name);
  findings.require(new Set(names).size === names.length, 'entries', 'two entries have one name: programs disagree on which of them counts');

  const manifestBytes = await readEntry(zip, MANIFEST_ENTRY);
  const signatureBytes = await readEntry(zip, SIGNATURE_ENTRY);
  if (!manifestBytes || !signatureBytes) {
    findings.add('entries', `${manifestBytes ? SIGNATURE_ENTRY : MANIFEST_ENTRY} is missing: this is no container of one CAdES signature`);
    return undefined;
  }
  const manifest = readManifest(manifestBytes);
  findings.require(
    manifest !== undefined,
    'manifest',
    'the manifest does not name 1 to 50 files by SHA-512 and this signature, in the form that is known here',
  );
  const documents = manifest && (await checkFiles(zip, manifest, findings));
  const archive = await readArchive(zip, findings);
  checkNoOther(names, { manifest, archived: archive.length }, findings);
  return { manifestBytes, manifest, signatureBytes, documents, archive };
};

/** The archive time-stamps, numbered from 1 without a gap: the newest one has the manifest without a number. */
const readArchive = async (zip: ZipReader, findings: Findings): Promise<readonly ArchiveTimeStamp[]> => {
  if (!zip.find(ARCHIVE_MANIFEST_ENTRY)) return [];
  let count = 1;
  while (count < MAX_ARCHIVE_TIME_STAMPS && zip.find(pastArchiveManifestEntry(count))) count += 1;
  const stamps: ArchiveTimeStamp[] = [];
  for (const names of archiveEntryNames(count)) {
    const [manifest, token] = [await readEntry(zip, names.manifest), await readEntry(zip, names.token)];
    if (manifest && token) stamps.push({ manifest, token });
    else findings.add('entries', `${manifest ? names.token : names.manifest} is missing: an archive time-stamp is not complete`);
  }
  return stamps.length === count ? stamps : [];
};

const checkMediaType = async (zip: ZipReader, findings: Findings): Promise<void> => {
  const [first] = zip.entries;
  const content = await readEntry(zip, MIMETYPE_ENTRY);
  findings.require(content?.toString('latin1') === MEDIA_TYPE, 'mimetype', 'the media type is absent or not that of an ASiC-E container');
  findings.require(
    first?.name === MIMETYPE_ENTRY && first.stored && first.extraFieldLength === 0 && !first.hasDataDescriptor,
    'mimetype',
    'the media type does not stand first and plain in the archive, where programs look for it',
  );
};

const checkFiles = async (zip: ZipReader, { documents }: AsicManifest, findings: Findings): Promise<readonly ReportedDocument[]> => {
  const reported: ReportedDocument[] = [];
  for (const document of documents) {
    const { name, hash } = document;
    const present = await checkFile(zip, document, documents.length === 1 ? 'the file in the container' : JSON.stringify(name), findings);
    reported.push({ name, hash: Buffer.from(hash).toString('hex'), present });
  }
  return reported;
};

const checkFile = async (zip: ZipReader, { name, hash }: SignedDocument, label: string, findings: Findings): Promise<boolean> => {
  const entry = zip.find(name);
  if (!entry) return false;
  const digest = await zip.sha512(entry);
  findings.require(digest.equals(Buffer.from(hash)), 'file-changed', `${label} is not the one that was signed`);
  return true;
};

const checkNoOther = (
  names: readonly string[],
  { manifest, archived }: { readonly manifest: AsicManifest | undefined; readonly archived: number },
  findings: Findings,
): void => {
  const archive = archiveEntryNames(archived).flatMap((one) => [one.manifest, one.token]);
  const documents = (manifest?.documents ?? []).map(({ name }) => name);
  const known = new Set([MIMETYPE_ENTRY, MANIFEST_ENTRY, SIGNATURE_ENTRY, ...archive, ...documents]);
  const others = new Set(names.filter((name) => !known.has(name)));
  for (const name of others) findings.add('entries', `${JSON.stringify(name)} is in the container but was not signed`);
};

const readEntry = async (zip: ZipReader, name: string): Promise<Buffer | undefined> => {
  const entry = zip.find(name);
  if (!entry) return undefined;
  if (entry.size > MAX_META_INF_BYTES) throw new UnreadableContainer(`${name} is larger than it can be`);
  return zip.read(entry, MAX_META_INF_BYTES);
};
