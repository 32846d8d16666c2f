import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { type EventStore, NO_STREAM, type RecordedEvent, streamName } from '../event-store.js';
import { openEventStoreDb } from '../eventstoredb/open-eventstoredb.js';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated } from '#testkit/event-store/authenticated';
import { migrate } from './migrate.js';

const DAY = 86_400_000;
const [whole, cut, aged, expired, newest, gone, offset] = ['whole', 'cut', 'aged', 'expired', 'newest', 'gone', 'offset'].map((id) =>
  streamName(id === 'offset' ? 'busoffset' : 'device', id),
) as [never, never, never, never, never, never, never];

let directory: string;
let server: SpawnedTestServer;
beforeAll(async () => {
  server = await SpawnedTestServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migrate-'));
});
afterEach(() => rm(directory, { recursive: true }));

const path = (): string => join(directory, 'countersign.sqlite');
const clock = new FixedClock();
const sqlite = () => new SqliteEventStore({ path: path(), clock });
const behindMacs = (store: EventStore): EventStore => authenticated(store, { shortened: () => 'aged' });
const eventStoreDb = () =>
  openEventStoreDb({ connectionString: server.connectionString, clock: new SystemClock(), randomness: new SystemRandomness() });
const event = (number: number) => ({ type: 'Happened', data: { number, text: 'ä' }, metadata: { v: 1, note: 'one' } });
const withoutPosition = ({ position: _, ...rest }: RecordedEvent) => rest;
const run = async () => {
  const target = await eventStoreDb();
  try {
    return await migrate({ path: path(), target, leftOut: ['busoffset'], clock });
  } finally {
    await target.close();
  }
};

describe('the migration of an embedded store to EventStoreDB', () => {
  it('keeps ids, revisions, MACs, order, retentions and tombstones, and may be repeated', async () => {
    const file = sqlite();
    const store = behindMacs(file);
    await store.append(whole, NO_STREAM, [event(0), event(1)]);
    for (const name of [cut, aged, expired, newest, gone, offset]) await store.append(name, NO_STREAM, [event(0)]);
    await store.append(whole, 1, [event(2)]);
    for (const name of [cut, aged, expired, newest]) await store.append(name, 0, [event(1)]);
    await store.truncateBefore(cut, 1);
    await store.setRetention(newest, { maxCount: 1 });
    for (const name of [aged, expired]) await store.setRetention(name, { maxAge: DAY / 1000 });
    await store.tombstone(gone);
    clock.advance(2 * DAY);
    await store.append(aged, 1, [event(2)]);
    const before = new Map<string, readonly RecordedEvent[]>();
    for (const name of [whole, cut, aged, expired, newest]) before.set(name, await store.read(name));
    expect([...before.values()].map((events) => events.length)).toEqual([3, 1, 1, 0, 1]);
    await file.close();

    const done = await run();
    expect(done).toEqual({ streams: 5, events: 6, tombstones: 1 });
    expect(await run()).toEqual(done);

    const target = await eventStoreDb();
    const moved = behindMacs(target);
    try {
      for (const [name, events] of before) expect((await moved.read(name as never)).map(withoutPosition)).toEqual(events.map(withoutPosition));
      const seen: string[] = [];
      for await (const item of moved.subscribe({ categories: ['device', 'busoffset'], signal: new AbortController().signal })) {
        if (item === 'caught-up') break;
        seen.push(item.id);
      }
      const inOrder = [...before.values()].flat().sort((one, other) => Number(one.position - other.position));
      expect(seen).toEqual(inOrder.map(({ id }) => id));
      await expect(moved.append(gone, NO_STREAM, [event(0)])).rejects.toMatchObject({ name: 'StreamTombstoned' });
      expect(await moved.exists(expired)).toBe(true);
      for (const [name, revision] of [
        [whole, 2],
        [cut, 1],
        [aged, 2],
        [expired, 1],
        [newest, 1],
      ] as const) {
        expect(await moved.append(name, revision, [event(9)])).toMatchObject({ revision: revision + 1 });
        expect((await moved.read(name)).at(-1)).toMatchObject({ data: { number: 9 } });
      }
      expect(await moved.read(newest)).toHaveLength(1);
    } finally {
      await target.close();
    }
    await expect(run()).resolves.toEqual(done);
  }, 180_000);

  it('is refused into a store with other events, and from one with events without MACs', async () => {
    const stream = streamName('device', 'other');
    const target = await eventStoreDb();
    await target.append(stream, NO_STREAM, [event(0)]);
    await target.close();
    const file = sqlite();
    await behindMacs(file).append(stream, NO_STREAM, [event(0)]);
    await file.close();
    await expect(run()).rejects.toThrow('EventStoreDB has other events in device-other already');
    const again = sqlite();
    await again.append(streamName('device', 'unsigned'), NO_STREAM, [event(0)]);
    await again.close();
    await expect(run()).rejects.toThrow('device-unsigned has an event without a MAC');
  });

  it('is refused while a service holds the file', async () => {
    const file = sqlite();
    await expect(run()).rejects.toMatchObject({ reason: expect.stringContaining('held by another process') });
    await file.close();
  });
});
