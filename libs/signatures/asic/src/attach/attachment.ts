import { isArchiveEntry, MANIFEST_ENTRY, MIMETYPE_ENTRY, SIGNATURE_ENTRY } from '../container-layout.js';
import { type AsicManifest, MAX_MANIFEST_BYTES, readManifest, type SignedDocument } from '../manifest.js';
import { AttachRefused } from './attach-refused.js';
import { type DirectoryEntry, encodeEntry, encodeEnd, END_BYTES, localHeader, readDirectory, readEnd, readLocalHeader } from './zip-records.js';

// Nothing in this file or below it uses Node: it runs in a browser as it is.

/** The bytes of a container, in memory or in a file. */
export interface ByteSource {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A container as this service delivered it, with or without the files, which may have been put into it since. */
export interface OpenedContainer {
  readonly manifest: AsicManifest;
  /** Bytes from the start that stay as they are. */
  readonly kept: number;
  readonly directory: Uint8Array;
  readonly entries: readonly DirectoryEntry[];
}

const DELIVERED = [MIMETYPE_ENTRY, MANIFEST_ENTRY, SIGNATURE_ENTRY];
const MAX_DIRECTORY_BYTES = 64 * 1024;
const MAX_SIGNATURE_BYTES = 1024 * 1024;
/** The limit of ZIP without its 64-bit extension, which ASiC containers do not use. */
export const MAX_ARCHIVE_BYTES = 0xffff_fffe;

/** Looks at the directory and the manifest alone. Throws {@link AttachRefused}. */
export const openDelivered = async (container: ByteSource): Promise<OpenedContainer> => {
  const end = container.size < END_BYTES ? undefined : readEnd(await container.read(container.size - END_BYTES, container.size));
  if (!end || end.size > MAX_DIRECTORY_BYTES || end.offset + end.size + END_BYTES !== container.size) throw notDelivered();
  const directory = await container.read(end.offset, end.offset + end.size);
  const entries = readDirectory(directory);
  if (entries?.length !== end.count || DELIVERED.some((name, at) => entries[at]?.name !== name)) throw notDelivered();

  const manifestEntry = entries[1] as DirectoryEntry;
  if (manifestEntry.size > MAX_MANIFEST_BYTES) throw notDelivered();
  const at = await dataOf(container, manifestEntry);
  const manifest = readManifest(await container.read(at.start, at.end));
  if (!manifest) throw notDelivered();

  const added = entries.slice(DELIVERED.length).map(({ name }) => name);
  const signed = new Set(manifest.documents.map(({ name }) => name));
  if (new Set(added).size < added.length || added.some((name) => !signed.has(name) && !isArchiveEntry(name))) {
    throw new AttachRefused('the container holds a file that was not signed: take the container as it was delivered');
  }
  return { manifest, kept: end.offset, directory, entries };
};

/** The place of a file in a container: the name that it was signed under, and its bytes, where the container holds it already. */
export interface AttachmentPlace {
  readonly name: string;
  readonly present: { readonly start: number; readonly end: number } | undefined;
}

/** Where a file of that SHA-512 belongs: under the first name that is not taken yet. Throws {@link AttachRefused} for a file that was not signed. */
export const placeOf = async (container: ByteSource, { manifest, entries }: OpenedContainer, sha512: Uint8Array): Promise<AttachmentPlace> => {
  const entryOf = ({ name }: SignedDocument) => entries.find((entry) => entry.name === name);
  const candidates = manifest.documents.filter(({ hash }) => sameBytes(hash, sha512));
  const document = candidates.find((candidate) => !entryOf(candidate)) ?? candidates[0];
  if (!document) throw wrongFile();
  const entry = entryOf(document);
  return { name: document.name, present: entry && (await dataOf(container, entry)) };
};

/** The signature's file of an opened container. Throws {@link AttachRefused}. */
export const signatureOf = async (container: ByteSource, { entries }: OpenedContainer): Promise<Uint8Array> => {
  const entry = entries[DELIVERED.indexOf(SIGNATURE_ENTRY)] as DirectoryEntry;
  if (entry.size > MAX_SIGNATURE_BYTES) throw notDelivered();
  const { start, end } = await dataOf(container, entry);
  return container.read(start, end);
};

export interface FileFacts {
  /** The name that was signed. */
  readonly name: string;
  readonly size: number;
  readonly crc32: number;
}

/** The parts after the kept bytes: a header, the file itself, and the new directory. Throws {@link AttachRefused}. */
export const appendFile = ({ kept, directory, entries }: OpenedContainer, file: FileFacts) => {
  const [first] = entries as [DirectoryEntry];
  const entry = { ...file, time: first.time, offset: kept };
  const header = localHeader(entry);
  const added = encodeEntry(entry);
  const offset = kept + header.length + file.size;
  const size = directory.length + added.length;
  if (offset + size + END_BYTES > MAX_ARCHIVE_BYTES) throw new AttachRefused('the file is too large for a container: 4 GiB is the most');
  return { header, trailer: concat(directory, added, encodeEnd({ count: entries.length + 1, size, offset })) };
};

/** The bytes of a stored entry; the directory and the local header must agree. Throws {@link AttachRefused}. */
export const dataOf = async (container: ByteSource, entry: DirectoryEntry): Promise<{ readonly start: number; readonly end: number }> => {
  const start = await readLocalHeader((from, to) => container.read(from, to), entry);
  if (start === undefined) throw notDelivered();
  return { start, end: start + entry.size };
};

const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, at) => byte === b[at]);

export const wrongFile = (): AttachRefused => new AttachRefused('this is not the file that was signed: its SHA-512 is another one');

export const otherFilePresent = (): AttachRefused =>
  new AttachRefused('the container holds another file under that name: take the container as it was delivered');

const notDelivered = (): AttachRefused => new AttachRefused('this is not a container as it was delivered: fetch it again, and do not pack it anew');
