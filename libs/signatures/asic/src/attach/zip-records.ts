// The few records of a ZIP archive that appending needs (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16).
// Archives are written by yazl and read by yauzl; neither appends, and neither runs in a browser.

/** An entry of the central directory, stored without compression. */
export interface DirectoryEntry {
  readonly name: string;
  readonly size: number;
  readonly crc32: number;
  /** DOS time and date as they stand in the record. */
  readonly time: number;
  /** The offset of the local header in the archive, in bytes. */
  readonly offset: number;
}

export interface DirectoryEnd {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

const LOCAL_SIGNATURE = 0x04034b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const LOCAL_BYTES = 30;
const ENTRY_BYTES = 46;
export const END_BYTES = 22;

const VERSION = 20;
const MADE_BY_UNIX = 0x0300 | VERSION;
const UTF8 = 0x0800;
const STORED = 0;
const REGULAR_FILE_0644 = 0o100644 * 0x10000;

/** Undefined unless this is the end record of a one-part archive without a comment. */
export const readEnd = (bytes: Uint8Array): DirectoryEnd | undefined => {
  const view = viewOf(bytes);
  const count = view.getUint16(10, true);
  const plain =
    view.getUint32(0, true) === END_SIGNATURE && view.getUint32(4, true) === 0 && view.getUint16(8, true) === count && view.getUint16(20, true) === 0;
  return plain ? { count, size: view.getUint32(12, true), offset: view.getUint32(16, true) } : undefined;
};

/** Undefined when the directory is broken, or when an entry is compressed or encrypted. */
export const readDirectory = (bytes: Uint8Array): readonly DirectoryEntry[] | undefined => {
  const view = viewOf(bytes);
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY_SIGNATURE) return undefined;
    const nameLength = view.getUint16(at + 28, true);
    const size = view.getUint32(at + 24, true);
    const plain = (view.getUint16(at + 8, true) & ~UTF8) === 0 && view.getUint16(at + 10, true) === STORED && view.getUint32(at + 20, true) === size;
    const name = utf8(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength));
    if (!plain || name === undefined) return undefined;
    entries.push({ name, size, crc32: view.getUint32(at + 16, true), time: view.getUint32(at + 12, true), offset: view.getUint32(at + 42, true) });
    at += ENTRY_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (at > bytes.length) return undefined;
  }
  return entries;
};

/** The offset of the entry's data, in bytes, or undefined when its local header disagrees with the directory. */
export const readLocalHeader = async (
  read: (start: number, end: number) => Promise<Uint8Array>,
  { name, size, offset }: DirectoryEntry,
): Promise<number | undefined> => {
  const fixed = await read(offset, offset + LOCAL_BYTES);
  if (fixed.length < LOCAL_BYTES) return undefined;
  const view = viewOf(fixed);
  const nameStart = offset + LOCAL_BYTES;
  const nameEnd = nameStart + view.getUint16(26, true);
  const agree =
    view.getUint32(0, true) === LOCAL_SIGNATURE &&
    view.getUint16(8, true) === STORED &&
    view.getUint32(18, true) === size &&
    view.getUint32(22, true) === size &&
    utf8(await read(nameStart, nameEnd)) === name;
  return agree ? nameEnd + view.getUint16(28, true) : undefined;
};

export const localHeader = (entry: DirectoryEntry): Uint8Array<ArrayBuffer> => {
  const name = new TextEncoder().encode(entry.name);
  const bytes = new Uint8Array(LOCAL_BYTES + name.length);
  const view = viewOf(bytes);
  view.setUint32(0, LOCAL_SIGNATURE, true);
  writeCommon(view, 4, entry, name);
  bytes.set(name, LOCAL_BYTES);
  return bytes;
};

export const encodeEntry = (entry: DirectoryEntry): Uint8Array<ArrayBuffer> => {
  const name = new TextEncoder().encode(entry.name);
  const bytes = new Uint8Array(ENTRY_BYTES + name.length);
  const view = viewOf(bytes);
  view.setUint32(0, ENTRY_SIGNATURE, true);
  view.setUint16(4, MADE_BY_UNIX, true);
  writeCommon(view, 6, entry, name);
  view.setUint32(38, REGULAR_FILE_0644, true);
  view.setUint32(42, entry.offset, true);
  bytes.set(name, ENTRY_BYTES);
  return bytes;
};

/** The 24 bytes that a local header and a directory entry have in common, from "version needed" to the name's length. */
const writeCommon = (view: DataView, at: number, { size, crc32, time }: DirectoryEntry, name: Uint8Array): void => {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 4, STORED, true);
  view.setUint32(at + 6, time, true);
  view.setUint32(at + 10, crc32, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, name.length, true);
};

export const encodeEnd = ({ count, size, offset }: DirectoryEnd): Uint8Array => {
  const bytes = new Uint8Array(END_BYTES);
  const view = viewOf(bytes);
  view.setUint32(0, END_SIGNATURE, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, size, true);
  view.setUint32(16, offset, true);
  return bytes;
};

const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
