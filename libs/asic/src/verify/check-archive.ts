import { Buffer } from 'node:buffer';

import { MANIFEST_ENTRY, MEDIA_TYPE, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from '../container-layout.js';
import { type AsicManifest, readManifest } from '../manifest.js';
import { UnreadableContainer } from '../zip/unreadable-container.js';
import type { ZipReader } from '../zip/zip-reader.js';
import type { Findings } from './report.js';

/** The parts of a container. */
export interface ContainerParts {
  /** The bytes that the signature is over. */
  readonly manifestBytes: Buffer;
  readonly manifest: AsicManifest | undefined;
  readonly signatureBytes: Buffer;
  readonly holdsFile: boolean;
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
    'the manifest does not name one file by SHA-512 and this signature, in the form that is known here',
  );
  const holdsFile = manifest !== undefined && (await checkFile(zip, manifest, findings));
  checkNoOther(names, manifest, findings);
  return { manifestBytes, manifest, signatureBytes, holdsFile };
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

const checkFile = async (zip: ZipReader, { signedDataName, signedDataHash }: AsicManifest, findings: Findings): Promise<boolean> => {
  const entry = zip.find(signedDataName);
  if (!entry) return false;
  const digest = await zip.sha512(entry);
  findings.require(digest.equals(Buffer.from(signedDataHash)), 'file-changed', 'the file in the container is not the one that was signed');
  return true;
};

const checkNoOther = (names: readonly string[], manifest: AsicManifest | undefined, findings: Findings): void => {
  const known = [MIMETYPE_ENTRY, MANIFEST_ENTRY, SIGNATURE_ENTRY, manifest?.signedDataName];
  const others = new Set(names.filter((name) => !known.includes(name)));
  for (const name of others) findings.add('entries', `${JSON.stringify(name)} is in the container but was not signed`);
};

const readEntry = async (zip: ZipReader, name: string): Promise<Buffer | undefined> => {
  const entry = zip.find(name);
  if (!entry) return undefined;
  if (entry.size > MAX_META_INF_BYTES) throw new UnreadableContainer(`${name} is larger than it can be`);
  return zip.read(entry, MAX_META_INF_BYTES);
};
