import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type LocalFileHeader,
  openPromise,
  parseExtraFields,
  validateFileName,
  type ZipFile,
} from 'yauzl';

import type { HashName } from '#signatures/pki';

import { BytesInMemory } from './bytes-in-memory.js';
import { UnreadableContainer } from './unreadable-container.js';

/** An entry whose two headers agree. */
export interface ZipEntry {
  readonly name: string;
  readonly stored: boolean;
  /** Declared size after inflating, in bytes. Reading more than that fails. */
  readonly size: number;
  /** Length of the local header's extra field. */
  readonly extraFieldLength: number;
  readonly hasDataDescriptor: boolean;
  /** The offset of the local header in the archive, in bytes. */
  readonly offset: number;
}

const MAX_ENTRIES = 1000;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
const DATA_DESCRIPTOR = 8;
const UTF8 = 0x0800;
/** The extra field of ZIP64, and the value of a size that stands there. */
const ZIP64 = 1;
const IN_ZIP64 = 0xffff_ffff;
const MAX_DESCRIPTOR_BYTES = 24;
/** EU DSS takes anything beyond for an attack; so do we, before a byte of it is inflated. */
const MAX_RATIO = 100;
const RATIO_FREE_BYTES = 1024 * 1024;

/** An entry as yauzl describes it, and where its content begins. */
interface Place {
  readonly entry: Entry;
  readonly start: number;
}

/**
 * An archive that is fully checked when it is opened: every entry is stored or deflated, unencrypted, described alike in its local
 * header and in the directory, and they lie side by side in the directory's order, so that every ZIP program sees
 * the same files. Throws {@link UnreadableContainer} when that is not so. Close it after use.
 */
export class ZipReader implements AsyncDisposable {
  private constructor(
    private readonly zip: ZipFile,
    readonly entries: readonly ZipEntry[],
    private readonly places: ReadonlyMap<ZipEntry, Place>,
    /** Absent of a file. */
    private readonly memory: BytesInMemory | undefined,
  ) {}

  /** `source`: the archive's bytes, or the path of a file. `foreign`: other programs may have put a comment at its end, and folders among its entries. */
  static async open(source: Uint8Array | string, { foreign = false }: { readonly foreign?: boolean } = {}): Promise<ZipReader> {
    // names are decoded here: yauzl refuses a file called C:x.pdf
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: true };
    const memory = typeof source === 'string' ? undefined : new BytesInMemory(Buffer.from(source.buffer, source.byteOffset, source.byteLength));
    const zip = await orUnreadable(memory ? fromRandomAccessReaderPromise(memory, source.length, options) : openPromise(source as string, options));
    try {
      return await orUnreadable(ZipReader.survey(zip, memory, foreign));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  private static async survey(zip: ZipFile, memory: BytesInMemory | undefined, foreign: boolean): Promise<ZipReader> {
    if (zip.entryCount > MAX_ENTRIES) throw new UnreadableContainer(`more than ${MAX_ENTRIES} entries`, { unjudged: true });
    checkComment(Buffer.from(zip.comment), foreign);
    // yauzl will begin to read the directory at this offset; its types call it a boolean
    const directory = Number(zip.readEntryCursor);
    const places = new Map<ZipEntry, Place>();
    let end = 0;
    let slack = 0;
    for await (const entry of zip.eachEntry()) {
      const local = await zip.readLocalFileHeaderPromise(entry);
      checkHeaders(entry, local);
      checkGap(entry.relativeOffsetOfLocalHeader - end, slack);
      end = local.fileDataStart + entry.compressedSize;
      slack = entry.generalPurposeBitFlag & DATA_DESCRIPTOR ? MAX_DESCRIPTOR_BYTES : 0;
      if (!foreign || !isFolder(entry)) places.set(describe(entry, local), { entry, start: local.fileDataStart });
    }
    checkGap(directory - end, slack);
    checkEnd(zip.fileSize - Number(zip.readEntryCursor) - zip.comment.length);
    return new ZipReader(zip, [...places.keys()], places, memory);
  }

  find(name: string): ZipEntry | undefined {
    return this.entries.find((entry) => entry.name === name);
  }

  /** The content of an entry of at most `limit` bytes. */
  async read(entry: ZipEntry, limit: number): Promise<Buffer> {
    if (entry.size > limit) throw new UnreadableContainer(`${entry.name} is larger than ${limit} bytes`);
    const chunks: Buffer[] = [];
    await this.each(entry, (chunk) => chunks.push(chunk));
    return Buffer.concat(chunks);
  }

  /** The hash of an entry of any size, read piece by piece. */
  async digest(entry: ZipEntry, name: HashName = 'sha512'): Promise<Buffer> {
    const digest = createHash(name);
    await this.each(entry, (chunk) => digest.update(chunk));
    return digest.digest();
  }

  close(): void {
    this.zip.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  private async each(entry: ZipEntry, use: (chunk: Buffer) => void): Promise<void> {
    const place = this.places.get(entry);
    if (!place) throw new TypeError('an entry of another archive');
    let checksum = 0;
    const take = (chunk: Buffer): void => {
      checksum = crc32(chunk, checksum);
      use(chunk);
    };
    if (this.memory && entry.stored) for (const chunk of this.memory.chunks(place.start, place.start + entry.size)) take(chunk);
    else await orUnreadable(this.inflate(place.entry, take));
    if (checksum !== place.entry.crc32) throw new UnreadableContainer(`the checksum of ${entry.name} is wrong`);
  }

  // yauzl stops with an error as soon as an entry inflates to more, or to less, than it declares
  private async inflate(entry: Entry, take: (chunk: Buffer) => void): Promise<void> {
    const stream: Readable = await this.zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) take(chunk);
  }
}

const END_SIGNATURE = Buffer.from('PK\u0005\u0006', 'latin1');

/** A comment in which another program could find another end of the archive is refused. */
const checkComment = (comment: Buffer, foreign: boolean): void => {
  if (comment.length === 0) return;
  if (!foreign || comment.includes(END_SIGNATURE)) throw new UnreadableContainer('an archive comment');
};

/** An entry for a folder, which holds nothing. */
const isFolder = ({ fileNameRaw, uncompressedSize }: Entry): boolean => uncompressedSize === 0 && fileNameRaw.at(-1) === 0x2f;

const checkHeaders = (entry: Entry, local: LocalFileHeader): void => {
  const flags = entry.generalPurposeBitFlag;
  const sizesLater = (flags & DATA_DESCRIPTOR) !== 0;
  const agree =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    local.generalPurposeBitFlag === flags &&
    (sizesLater || (local.crc32 === entry.crc32 && sizesOf(local).join() === [entry.uncompressedSize, entry.compressedSize].join()));
  if (!agree) throw new UnreadableContainer('the directory disagrees with an entry');
  if (flags & ENCRYPTED) throw new UnreadableContainer('an entry is encrypted', { unjudged: true });
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw new UnreadableContainer('an unknown compression', { unjudged: true });
  if (entry.uncompressedSize > RATIO_FREE_BYTES && entry.uncompressedSize > entry.compressedSize * MAX_RATIO) {
    throw new UnreadableContainer('an entry is packed more than 100 : 1, like a zip bomb');
  }
};

/** Size and compressed size of a local header. A program that writes ZIP64 may keep them in an extra field though they are small (APPNOTE 4.5.3). */
const sizesOf = ({ uncompressedSize, compressedSize, extraField }: LocalFileHeader): readonly number[] => {
  if (uncompressedSize !== IN_ZIP64 || compressedSize !== IN_ZIP64) return [uncompressedSize, compressedSize];
  const large = parseExtraFields(extraField).find(({ id, data }) => id === ZIP64 && data.length >= 16)?.data;
  return large ? [Number(large.readBigUInt64LE(0)), Number(large.readBigUInt64LE(8))] : [uncompressedSize, compressedSize];
};

/** The checked name of an entry. A colon is the mark of a drive only in a path. */
const nameOf = ({ generalPurposeBitFlag: flags, fileNameRaw, extraFields }: Entry): string => {
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true);
  const fault = /[/\\]/.test(name) || name === '..' ? validateFileName(name) : null;
  if (fault !== null) throw new UnreadableContainer(`not a sound ZIP archive: ${fault}`);
  if (name.endsWith('/')) throw new UnreadableContainer('a folder as an entry');
  if (!(flags & UTF8) && fileNameRaw.some((byte) => byte > 0x7f))
    throw new UnreadableContainer('a name that is not marked as UTF-8', { unjudged: true });
  if (!Buffer.from(name).equals(fileNameRaw)) throw new UnreadableContainer('a name that is not UTF-8');
  return name;
};

const checkGap = (gap: number, slack: number): void => {
  if (gap < 0 || gap > slack) throw new UnreadableContainer('entries overlap, or something lies between them');
};

/** Sizes in bytes of the end record and of the two records of ZIP64 before it. ZIP programs would not see anything else there. */
const END_RECORD = 22;
const ZIP64_RECORDS = 56 + 20;

const checkEnd = (rest: number): void => {
  if (rest !== END_RECORD && rest !== END_RECORD + ZIP64_RECORDS) throw new UnreadableContainer('something lies between the directory and the end');
};

const describe = (entry: Entry, local: LocalFileHeader): ZipEntry => ({
  name: nameOf(entry),
  stored: entry.compressionMethod === STORED,
  size: entry.uncompressedSize,
  extraFieldLength: local.extraFieldLength,
  hasDataDescriptor: (entry.generalPurposeBitFlag & DATA_DESCRIPTOR) !== 0,
  offset: entry.relativeOffsetOfLocalHeader,
});

const orUnreadable = async <T>(promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof UnreadableContainer || isFileSystemError(error)) throw error;
    throw new UnreadableContainer(`not a sound ZIP archive: ${(error as Error).message}`, { cause: error });
  }
};

/** The file is not there or cannot be read: nothing is said about the archive. */
const isFileSystemError = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.syscall !== undefined;
