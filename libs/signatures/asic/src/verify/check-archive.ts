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
import type { ZipReader } from '../zip/zip-reader.js';
import { isArchivePart, isBeside, isManifest, isSignature } from './foreign/entry-names.js';
import { foreignParts } from './foreign/foreign-parts.js';
import type { ContainerParts } from './container-parts.js';
import { readEntry } from './read-entry.js';
import type { Findings, ReportedDocument } from './report.js';

/**
 * EN 319 162-1 §A.1 and A.4: the form of the archive, and whether the files in it are those that were signed. Answers the signatures with what they are
 * over: one in a container of the form that this service writes, any number in one of another form.
 */
export const checkArchive = async (zip: ZipReader, findings: Findings, form: 'any' | 'delivered' = 'any'): Promise<readonly ContainerParts[]> => {
  await checkMediaType(zip, findings);
  const names = zip.entries.map(({ name }) => name);
  findings.require(new Set(names).size === names.length, 'entries', 'two entries have one name: programs disagree on which of them counts');
  const own = await readOwn(zip, names);
  if (!own) {
    if (form === 'delivered')
      findings.add('manifest', 'the container is not of the form that this service writes: one manifest, and the signature over it');
    return foreignParts(zip, findings);
  }

  const { manifest, manifestBytes, signatureBytes } = own;
  const documents = await checkFiles(zip, manifest, findings);
  const archive = await readArchive(zip, findings);
  checkNoOther(names, { manifest, archived: archive.length }, findings);
  return [{ entry: SIGNATURE_ENTRY, manifestBytes, manifest, signatureBytes, documents, archive }];
};

/** The only manifest and the only signature, where they lie and look as this service writes them; undefined otherwise. */
const readOwn = async (zip: ZipReader, names: readonly string[]) => {
  const parts = names.filter((name) => isSignature(name) || (isManifest(name) && !isArchivePart(name)));
  if (parts.some((name) => name !== MANIFEST_ENTRY && name !== SIGNATURE_ENTRY)) return undefined;
  const manifestBytes = await readEntry(zip, MANIFEST_ENTRY);
  const signatureBytes = await readEntry(zip, SIGNATURE_ENTRY);
  const manifest = manifestBytes && readManifest(manifestBytes);
  return manifest && signatureBytes && { manifest, manifestBytes, signatureBytes };
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
  const content = (await readEntry(zip, MIMETYPE_ENTRY))?.toString('latin1');
  if (content === undefined) return findings.cannotJudge('mimetype', 'the archive does not say that it is an ASiC-E container');
  if (content !== MEDIA_TYPE) {
    if (content.trim() === MEDIA_TYPE) return findings.add('mimetype', 'the media type is not written as that of an ASiC-E container');
    return findings.cannotJudge('mimetype', `the media type is ${JSON.stringify(content.slice(0, 80))}, and not that of an ASiC-E container`);
  }
  if (first?.name !== MIMETYPE_ENTRY || !first.stored || first.extraFieldLength > 0 || first.hasDataDescriptor)
    findings.cannotJudge('mimetype', 'the media type does not stand first and plain in the archive, where programs look for it');
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
  const digest = await zip.digest(entry);
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
  const others = new Set(names.filter((name) => !known.has(name) && !isBeside(name)));
  for (const name of others) findings.add('entries', `${JSON.stringify(name)} is in the container but was not signed`);
};
