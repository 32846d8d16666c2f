import { setTimeout as wait } from 'node:timers/promises';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { decideAndAppend, readLast } from '../decide-and-append.js';
import {
  type EventStore,
  type ExpectedRevision,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  streamName,
  WrongExpectedRevision,
} from '../event-store.js';
import { openClient } from '../eventstoredb/client.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import { authenticated } from '#testkit/event-store/authenticated';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { GuardedEventStore, type GuardOptions } from './guarded-event-store.js';
import { StreamRefused } from './stream-refused.js';

const randomness = new SystemRandomness();
const clock = new FixedClock();
const TRAIL = streamName('audit', 'log');
const OTHER = streamName('session', 'one');

const entry = (number: number) => ({ type: 'Changed', data: { number } });
const NEWEST: ReadOptions = { direction: 'backwards', limit: 3 };
const page = (from: number, limit = 3): ReadOptions => ({ direction: 'backwards', from, limit });

/** The store of a process, whose content an intruder replaces while the process runs. */
class ReplaceableStore extends ForwardingEventStore {
  replaceBy(store: EventStore): void {
    (this as unknown as { store: EventStore }).store = store;
  }
}

let refusals: StreamRefused[];
beforeEach(() => void (refusals = []));

/** A process of the service. */
const service = (store: EventStore, options: Partial<GuardOptions> = {}): GuardedEventStore => {
  const refused = (refusal: StreamRefused): void => void refusals.push(refusal);
  return new GuardedEventStore(authenticated(store, { refused }), { guarded: new Set([TRAIL]), refused, pause: async () => undefined, ...options });
};
const append = async (store: EventStore, numbers: readonly number[], expected?: ExpectedRevision): Promise<void> => {
  let last = expected ?? (await readLast(store, TRAIL)).revision;
  for (const number of numbers) ({ revision: last } = await store.append(TRAIL, last, [entry(number)]));
};
/** The events as they are, in another store. */
const copied = async (events: readonly RecordedEvent[], store: EventStore): Promise<EventStore> => {
  for (const { id, type, data, metadata, revision } of events)
    await store.append(TRAIL, revision === 0 ? NO_STREAM : revision - 1, [{ type, data, ...(metadata && { metadata }) }], { ids: [id] });
  return store;
};
const numbersOf = (events: readonly RecordedEvent[]): unknown[] => events.map(({ data }) => data['number' as never]);

describe.each(STORE_ENGINES)('a trail of which the process knows six entries, over $engine,', ({ open }) => {
  let stores: EventStore[];
  let raw: EventStore;
  let store: ReplaceableStore;
  let process: GuardedEventStore;
  const opened = async (): Promise<EventStore> => {
    const another = await open(clock);
    stores.push(another);
    return another;
  };
  beforeEach(async () => {
    stores = [];
    raw = await opened();
    store = new ReplaceableStore(raw);
    process = service(store);
    await append(process, [0, 1, 2, 3, 4, 5]);
  });
  afterEach(async () => {
    for (const one of stores) await one.close();
  });

  const entries = (): Promise<readonly RecordedEvent[]> => raw.read(TRAIL);
  /** A history with the same first entries, which another process of the service has written. */
  const forked = async (common: number, others: readonly number[]): Promise<readonly RecordedEvent[]> => {
    const fork = await copied((await entries()).slice(0, common), await opened());
    await append(authenticated(fork), others);
    return fork.read(TRAIL);
  };
  const replace = async (events: readonly RecordedEvent[]): Promise<EventStore> => {
    const other = await copied(events, await opened());
    store.replaceBy(other);
    return other;
  };

  it('is shown in pages, from both sides, and grows', async () => {
    expect(numbersOf(await process.read(TRAIL, NEWEST))).toEqual([5, 4, 3]);
    expect(numbersOf(await process.read(TRAIL, page(2)))).toEqual([2, 1, 0]);
    expect(numbersOf(await process.read(TRAIL, page(2, 50)))).toEqual([2, 1, 0]);
    expect(numbersOf(await process.read(TRAIL, page(5, 6)))).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await process.read(TRAIL, page(9))).toEqual([]);
    expect(numbersOf(await process.read(TRAIL))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(numbersOf(await process.read(TRAIL, { from: 4, limit: 1 }))).toEqual([4]);
    await append(process, [6]);
    expect(numbersOf(await process.read(TRAIL, NEWEST))).toEqual([6, 5, 4]);
    expect(refusals).toEqual([]);
  });

  const LOSSES: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['removed as a whole', () => replace([])],
    ['cut by its newest entry', async () => replace((await entries()).slice(0, 5))],
    ['cut to its first entry', async () => replace((await entries()).slice(0, 1))],
    ['replaced in its newest entry', async () => replace(await forked(5, [50]))],
    ['replaced by a longer history', async () => replace(await forked(4, [40, 50, 60, 70]))],
    ['truncated', () => raw.truncateBefore(TRAIL, 3)],
    ['truncated before its newest entry', () => raw.truncateBefore(TRAIL, 5)],
    ['tombstoned', () => raw.tombstone(TRAIL)],
  ];

  it.each(LOSSES)('is refused once it was %s: each read, each page and each append, with an alarm', async (_, lose) => {
    await lose();
    for (const options of [NEWEST, page(2), page(0), page(2, 50), page(9), undefined, { from: 4 }] as const) {
      const refused = await process.read(TRAIL, options).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StreamRefused);
      expect(refused).toMatchObject({ code: 'service_unavailable', stream: TRAIL });
    }
    const before = numbersOf(await store.read(TRAIL));
    for (const expected of [NO_STREAM, 0, 4, 5, 7] as const)
      await expect(append(process, [99], expected)).rejects.toMatchObject({ code: 'service_unavailable', stream: TRAIL });
    const together = [
      { stream: OTHER, expected: NO_STREAM, events: [entry(0)] } as const,
      { stream: TRAIL, expected: 5, events: [entry(99)] } as const,
    ];
    await expect(process.appendTogether(together)).rejects.toBeInstanceOf(StreamRefused);
    expect(numbersOf(await store.read(TRAIL))).toEqual(before);
    expect(await store.read(OTHER)).toEqual([]);
    expect(refusals.length).toBeGreaterThanOrEqual(13);
  });

  it('is refused at the edge of a page, where another history was put before it', async () => {
    const older = (await forked(1, [10, 20])).slice(0, 3);
    const joined = [...older, ...(await entries()).slice(3)];
    await replace(joined);
    expect(numbersOf(await process.read(TRAIL, NEWEST))).toEqual([5, 4, 3]);
    await expect(process.read(TRAIL, page(2))).rejects.toMatchObject({ stream: TRAIL, because: 'chain' });
  });

  it('is refused when it lost entries that another replica has written and this process has read', async () => {
    const replica = service(raw);
    await append(replica, [6, 7]);
    expect(numbersOf(await process.read(TRAIL, page(2)))).toEqual([2, 1, 0]);
    const whole = await entries();
    await replace(whole.slice(0, 7));
    await expect(process.read(TRAIL, NEWEST)).rejects.toMatchObject({ because: 'missing', revision: 7 });
    // What a process has not seen, it cannot miss.
    expect(numbersOf(await service(store).read(TRAIL, NEWEST))).toEqual([6, 5, 4]);
  });

  it('takes the entries of another replica, in any order of reads and appends', async () => {
    const replica = service(raw);
    const write = (on: EventStore, number: number) =>
      decideAndAppend({ store: on, clock }, TRAIL, { load: (conflict) => readLast(on, TRAIL, conflict), decide: () => [entry(number)] });
    const reads = (on: EventStore) => Promise.all([on.read(TRAIL, NEWEST), on.read(TRAIL, page(4)), on.read(TRAIL), on.read(TRAIL, page(9))]);
    await Promise.all(Array.from({ length: 8 }, (_, number) => [process, replica].flatMap((on) => [write(on, 100 + number), reads(on)])).flat());
    expect(await process.read(TRAIL)).toHaveLength(22);
    expect(refusals).toEqual([]);
  });

  it('is not refused for a conflict that is answered late, when the process has read later entries meanwhile', async () => {
    const replica = service(raw);
    class LateStore extends ForwardingEventStore {
      override async append(...args: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
        await append(replica, [6]);
        return super.append(...args).catch(async (error: unknown) => {
          await append(replica, [7]);
          await late.read(TRAIL, NEWEST);
          throw error;
        });
      }
    }
    const late = service(new LateStore(raw));
    expect(await late.read(TRAIL)).toHaveLength(6);
    await expect(late.append(TRAIL, 5, [entry(9)])).rejects.toMatchObject({ name: WrongExpectedRevision.name, actual: 6 });
    expect(refusals).toEqual([]);
  });

  it('may be empty for a process that has seen none of its entries, which begins it', async () => {
    const fresh = service(await opened());
    expect(await fresh.read(TRAIL, NEWEST)).toEqual([]);
    expect(await fresh.read(TRAIL)).toEqual([]);
    await append(fresh, [0]);
    expect(numbersOf(await fresh.read(TRAIL, NEWEST))).toEqual([0]);
    expect(refusals).toEqual([]);
  });

  it('that was tombstoned is refused by a process that has seen none of its entries, too', async () => {
    await raw.tombstone(TRAIL);
    const fresh = service(raw);
    await expect(fresh.read(TRAIL, NEWEST)).rejects.toMatchObject({ because: 'missing' });
    await expect(append(fresh, [0], NO_STREAM)).rejects.toBeInstanceOf(StreamRefused);
  });

  it('answers a writer that lost a race with a conflict, and a repetition of an append with its first answer', async () => {
    await expect(process.append(TRAIL, 3, [entry(9)])).rejects.toMatchObject({ name: WrongExpectedRevision.name, actual: 5 });
    await expect(process.append(TRAIL, NO_STREAM, [entry(9)])).rejects.toMatchObject({ name: WrongExpectedRevision.name, actual: 5 });
    const { ids } = await process.append(TRAIL, 5, [entry(6)]);
    await append(process, [7]);
    expect(await process.append(TRAIL, 5, [entry(6)], { ids })).toMatchObject({ revision: 6 });
    expect(await process.read(TRAIL)).toHaveLength(8);
    expect(refusals).toEqual([]);
  });

  it('is looked at again before it is refused: a node that has just begun to lead may lag', async () => {
    const waited: number[] = [];
    const lagging = await copied((await entries()).slice(0, 4), await opened());
    const follower = service(store, { pause: async (milliseconds) => void (waited.push(milliseconds), store.replaceBy(raw)) });
    await follower.read(TRAIL, NEWEST);
    store.replaceBy(lagging);
    expect(numbersOf(await follower.read(TRAIL, NEWEST))).toEqual([5, 4, 3]);
    expect(waited).toEqual([100]);
    expect(refusals).toEqual([]);
  });

  it('leaves other streams to the store, also what its memory tells', async () => {
    await process.append(OTHER, NO_STREAM, [entry(0)]);
    const read = await process.read(OTHER);
    expect(process.recent(OTHER)).toBe(authenticatedRecent(read));
    expect(process.recent(TRAIL)).toBeUndefined();
    await raw.tombstone(OTHER);
    expect(await process.read(OTHER)).toEqual([]);
    expect(refusals).toEqual([]);
  });
  /** With EventStoreDB only a read tells. */
  const authenticatedRecent = (read: readonly RecordedEvent[]) => (store.recent(OTHER) ? read : undefined);
});

describe('a trail that was deleted by a call of EventStoreDB', () => {
  let server: SpawnedTestServer;
  let raw: EventStoreDbEventStore;
  beforeAll(async () => {
    server = await SpawnedTestServer.start();
    raw = new EventStoreDbEventStore({ connectionString: server.connectionString, clock, randomness });
  });
  afterAll(async () => {
    await raw.close();
    await server[Symbol.asyncDispose]();
  });

  it('is refused by the process that knows it, and by one that would begin it again at the next revision', async () => {
    const process = service(raw);
    await append(process, [0, 1, 2]);
    const client = openClient(server.connectionString);
    await client.deleteStream(TRAIL);
    await Promise.race([client.dispose(), wait(500)]);
    await expect(process.read(TRAIL, NEWEST)).rejects.toMatchObject({ because: 'missing', revision: 2 });
    await expect(append(process, [3], 2)).rejects.toMatchObject({ because: 'missing', revision: 2 });
    await expect(append(service(raw), [0], NO_STREAM)).rejects.toMatchObject({ because: 'missing' });
    await expect(process.read(TRAIL, NEWEST)).rejects.toBeInstanceOf(StreamRefused);
    await expect(service(raw).read(TRAIL, NEWEST)).rejects.toBeInstanceOf(StreamRefused);
    expect(refusals.length).toBeGreaterThanOrEqual(5);
  });
});
