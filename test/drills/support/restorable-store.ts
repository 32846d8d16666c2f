import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

import { type EventStore, MARK_STREAM, NO_STREAM, openEventStoreDb, type RecordedEvent, streamName } from '#engines/event-store';
import { type Dialect } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { putBack } from './put-back.js';

export const randomness = new SystemRandomness();

export let server: SpawnedTestServer;
export let copy: string;
export let store: EventStore;
export let category: string;
export let leave: AbortController;
export const reports: string[] = [];
export const alarms: string[] = [];
/** One for each time that a subscription found the store restored. */
export const restorations: unknown[] = [];

export const open = (): Promise<EventStore> =>
  openEventStoreDb({
    connectionString: server.connectionString,
    clock: new SystemClock(),
    randomness,
    report: (line) => reports.push(line),
    alarm: (line) => alarms.push(line),
    restored: (last) => restorations.push(last),
  });

/** Each test of the file, or of the part of it, gets a store on the gRPC test server, whose files are replaced by an older copy of them while its clients go on. */
export const useRestorableStore = (dialect: Dialect): void => {
  beforeAll(async () => {
    server = await SpawnedTestServer.start('--dialect', dialect);
    copy = await mkdtemp(join(tmpdir(), 'older-copy-'));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(copy, { recursive: true });
  });
  beforeEach(async () => {
    leave = new AbortController();
    category = `restored${randomness.bytes(6).toString('hex')}`;
    reports.length = 0;
    alarms.length = 0;
    restorations.length = 0;
    store = await open();
  });
  afterEach(async () => {
    leave.abort();
    await store.close();
  });
};

export const append = async (text: string): Promise<void> => {
  await store.append(streamName(category, randomness.uuid()), NO_STREAM, [{ type: 'Happened', data: { text } }]);
};
/** Writes a mark, as the holder of the lease does once a minute. */
export const mark = async (): Promise<void> => {
  const [last] = await store.read(MARK_STREAM, { direction: 'backwards', limit: 1 });
  await store.append(MARK_STREAM, last?.revision ?? NO_STREAM, [{ type: 'Marked', data: { at: 0, history: '' } }]);
};
export const textsOf = (events: readonly RecordedEvent[]): unknown[] => events.map(({ data }) => (data as { text: string }).text);
export const available = (): Promise<void> =>
  eventually(() =>
    store.check().then(
      () => true,
      () => false,
    ),
  );
export const copyFiles = async (name = 'older'): Promise<void> => {
  await server.terminate();
  await rm(join(copy, name), { recursive: true, force: true });
  await cp(server.folder, join(copy, name), { recursive: true });
  await server.restart();
  await available();
};
export const restoreCopy = async (name = 'older'): Promise<void> => {
  await server.kill();
  await putBack(join(copy, name), server.folder);
  await server.restartRestored();
  await available();
};
