import { once } from 'node:events';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { EventStoreUnavailable, SqliteEventStore } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';

import { SOCKET, STORE, WORK_FILE } from './files.js';

/** The bytes of a consistent copy of the event store. */
export interface StoreCopy extends AsyncDisposable {
  readonly size: number;
  /** To be read once. Ends early when the service dies: compare the size. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * A copy of the event store in `dataDirectory`, from the service when it runs, otherwise from the file. It has every event that was acknowledged before the call. Throws
 * {@link EventStoreUnavailable}.
 */
export const copyStore = async (dataDirectory: string): Promise<StoreCopy> => (await askService(dataDirectory)) ?? (await readFile(dataDirectory));

const askService = async (dataDirectory: string): Promise<StoreCopy | undefined> => {
  const socket = createConnection(join(dataDirectory, SOCKET));
  try {
    await once(socket, 'connect');
  } catch {
    return undefined; // no service runs, or it died
  }
  return copyFrom(socket);
};

const LINE_LIMIT = 1_000;

const copyFrom = async (socket: Socket): Promise<StoreCopy> => {
  const chunks = socket.iterator({ destroyOnReturn: false });
  let begin = Buffer.alloc(0);
  while (!begin.includes('\n') && begin.length < LINE_LIMIT) {
    const next = (await chunks.next()) as IteratorResult<Buffer, undefined>;
    if (next.done) throw new EventStoreUnavailable('the service ended before it had copied the store');
    begin = Buffer.concat([begin, next.value]);
  }
  const end = begin.indexOf('\n');
  const { size, error } = JSON.parse(begin.toString('utf8', 0, end)) as { size?: number; error?: string };
  if (size === undefined) throw new EventStoreUnavailable(error ?? 'the service gave no copy of the store');
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield begin.subarray(end + 1);
    yield* socket;
  };
  return { size, bytes: bytes(), [Symbol.asyncDispose]: async () => void socket.destroy() };
};

const readFile = async (dataDirectory: string): Promise<StoreCopy> => {
  const path = join(dataDirectory, STORE);
  await (await open(path, 'r').catch(noStore(path))).close();
  const copy = join(dataDirectory, `${WORK_FILE}${new SystemRandomness().bytes(8).toString('hex')}`);
  const store = new SqliteEventStore({ path, clock: new SystemClock() });
  let file: FileHandle;
  try {
    await (await open(copy, 'wx', 0o600)).close();
    await store.backUp(copy);
    file = await open(copy, 'r');
  } finally {
    await rm(copy, { force: true });
    await store.close();
  }
  const { size } = await file.stat();
  return { size, bytes: Readable.from(file.createReadStream({ autoClose: false })), [Symbol.asyncDispose]: () => file.close() };
};

const noStore = (path: string) => (): never => {
  throw new EventStoreUnavailable(`there is no ${path}: set DATA_DIR to the folder of the service`);
};
