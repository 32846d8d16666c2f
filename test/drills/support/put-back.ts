import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { type EventStore, NO_STREAM, openEventStoreDb, type Position, streamName } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import type { Dialect } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { EndedAfterTruncation, GrpcTestServer } from '#testkit/event-store/eventstoredb/grpc-test-server/test-server';

/** The script that operators use. */
const BACKUP = resolve(import.meta.dirname, '../../../deploy/backup/eventstoredb.sh');

/** Where the files of a gRPC test server lie, and how it speaks. */
interface Files {
  readonly folder: string;
  readonly dialect: Dialect;
}

/** Of one append that fills a store. */
const FILLERS = 200;

const randomness = new SystemRandomness();

/** Replaces the files of a server that does not run by a copy of them, as an operator does. */
export const putBack = async (copy: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true });
  await promisify(execFile)(BACKUP, ['restore', copy, folder]);
};

/** Appends events of no service, and answers the position of the last one. */
export const fill = async (store: EventStore): Promise<Position> => {
  const stream = streamName('filler', randomness.uuid());
  await store.append(
    stream,
    NO_STREAM,
    Array.from({ length: FILLERS }, () => ({ type: 'Filled', data: {} })),
  );
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  return last!.position;
};

/** Lets a store that was put back grow past the position before any service reaches it: on another port. */
export const growPast = async (position: Position, files: Files): Promise<void> => {
  const server = await startRestored(files);
  const store = await openEventStoreDb({ connectionString: server.connectionString, clock: new SystemClock(), randomness });
  try {
    while ((await fill(store)) <= position);
  } finally {
    await store.close();
    server.stop();
  }
};

const startRestored = async (files: Files): Promise<GrpcTestServer> => {
  try {
    return await GrpcTestServer.start(files);
  } catch (error) {
    if (!(error instanceof EndedAfterTruncation)) throw error;
    return GrpcTestServer.start(files);
  }
};
