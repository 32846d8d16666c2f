import { type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';

import { Decrypter, Encrypter } from 'age-encryption';

import { Refusal, UsageFailure } from '../failures.js';

/** The first line of a backup, before the bytes of the store. */
export interface BackupHeader {
  readonly format: 'countersign-backup-1';
  /** Epoch milliseconds. */
  readonly takenAt: number;
  /** Bytes of the store. */
  readonly size: number;
  /** Persons whose erasure was known when the copy was complete: id, and time in epoch milliseconds. */
  readonly erasures: readonly (readonly [string, number])[];
}

const FORMAT = 'countersign-backup-1';

/** Writes a backup as one file of age (https://age-encryption.org/v1): a line of JSON, then the store. Throws a Failure for an invalid recipient. */
export const writeBackup = async (
  to: Writable,
  recipients: readonly string[],
  header: Omit<BackupHeader, 'format'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  const content = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${JSON.stringify({ format: FORMAT, ...header })}\n`);
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      yield chunk;
    }
    if (size !== header.size) throw new Refusal('the copy of the store broke off: there is no backup');
  };
  await pipeline(await encrypter.encrypt(streamOf(content())), to);
};

/** Checks that a text is a recipient of age, `age1…`. Throws a Failure. */
export const addRecipient = (encrypter: Encrypter, recipient: string): void => {
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new UsageFailure(`not a recipient: ${recipient.slice(0, 20)}…; it begins with age1 (npm run cli -- backup-key)`, { cause });
  }
};

/** The header of a backup and the bytes behind it. Throws a Failure for a wrong key, and, while the bytes are read, for a backup that is broken off or was changed. */
export const readBackup = async (
  from: AsyncIterable<Uint8Array>,
  identities: readonly string[],
): Promise<{ readonly header: BackupHeader; readonly bytes: AsyncIterable<Uint8Array> }> => {
  const decrypter = new Decrypter();
  try {
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch (cause) {
    throw new UsageFailure('the file of the private key holds no line AGE-SECRET-KEY-1…', { cause });
  }
  const plain = await decrypter.decrypt(streamOf(from)).catch((cause: unknown) => {
    throw new Refusal('the backup cannot be opened: it was made for another key, or the file is no backup', { cause });
  });
  const chunks = refusing(plain)[Symbol.asyncIterator]();
  const { line, rest } = await firstLine(chunks);
  const header = parse(line);
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    let size = rest.length;
    yield rest;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      size += next.value.length;
      yield next.value;
    }
    if (size !== header.size) throw new Refusal('the backup is not complete');
  };
  return { header, bytes: bytes() };
};

async function* refusing(plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  try {
    yield* plain;
  } catch (cause) {
    throw new Refusal('the backup is not complete, or was changed', { cause });
  }
  return undefined;
}

/** Bytes. Each erasure takes about 60. */
const HEADER_LIMIT = 512 * 1024 * 1024;

const firstLine = async (chunks: AsyncIterator<Uint8Array>): Promise<{ readonly line: string; readonly rest: Buffer }> => {
  const parts: Buffer[] = [];
  for (let size = 0; size < HEADER_LIMIT;) {
    const next = await chunks.next();
    if (next.done) break;
    const chunk = Buffer.from(next.value);
    const end = chunk.indexOf('\n');
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    if (end >= 0) return { line: Buffer.concat(parts).toString(), rest: chunk.subarray(end + 1) };
    size += chunk.length;
  }
  throw new Refusal('the file is no backup of Countersign');
};

const parse = (line: string): BackupHeader => {
  try {
    const header = JSON.parse(line) as BackupHeader;
    if (header.format === FORMAT && Number.isSafeInteger(header.size) && Array.isArray(header.erasures)) return header;
  } catch {
    // The error below reports it.
  }
  throw new Refusal('the file is no backup of Countersign, or of another release');
};

// One class with two declarations: @types/node describes it in node:stream/web, and age-encryption expects the browser's.
const streamOf = (chunks: AsyncIterable<Uint8Array>): globalThis.ReadableStream<Uint8Array> =>
  ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>;
