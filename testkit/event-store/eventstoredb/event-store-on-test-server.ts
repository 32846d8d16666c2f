import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { type EventStore, type Place, type RecordedEvent, type StreamName, streamName, type SubscriptionItem } from '#engines/event-store';
import { EventStoreDbEventStore } from '#engines/event-store';
import type { Dialect } from './grpc-test-server/dialect.js';
import { SpawnedTestServer } from './spawned-test-server.js';

export const randomness = new SystemRandomness();
export const category = (): string => `own${randomness.bytes(6).toString('hex')}`;
export const stream = (of = category()): StreamName => streamName(of, randomness.uuid());

export let server: SpawnedTestServer;
export let store: EventStore;
export const troubles: string[] = [];
export const alarms: string[] = [];

export const open = (connectionString = server.connectionString, clock = new SystemClock()): EventStore =>
  new EventStoreDbEventStore({
    connectionString,
    clock,
    randomness,
    report: (trouble) => troubles.push(trouble),
    alarm: (trouble) => alarms.push(trouble),
  });

/** The tests of the file, or of the part of it, share a gRPC test server; each gets a store on it. */
export const useTestServer = (dialect: Dialect = '23.10'): void => {
  beforeAll(async () => {
    server = await SpawnedTestServer.start('--dialect', dialect);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(() => {
    troubles.length = 0;
    alarms.length = 0;
    store = open();
  });
  afterEach(() => store.close());
};

export const available = (opened: EventStore): Promise<void> =>
  eventually(() =>
    opened.check().then(
      () => true,
      () => false,
    ),
  );
export const took = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work.catch(() => undefined);
  return performance.now() - began;
};

/** So many events of the subscription; without a number, all until it ends. */
export const collected = async (items: AsyncIterable<SubscriptionItem>, count = Infinity): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const item of items) {
    if (item !== 'caught-up') events.push(item);
    if (events.length >= count) break;
  }
  return events;
};
export const fetched = (of: string, count: number): Promise<RecordedEvent[]> =>
  collected(store.subscribe({ categories: [of], signal: new AbortController().signal }), count);

/** Collects the items of a subscription in the background. */
export const follow = (options: { category: string; after?: 'end'; reached?: (place: Place) => void }) => {
  const leave = new AbortController();
  const items: SubscriptionItem[] = [];
  const recorded = (): RecordedEvent[] => items.filter((item) => item !== 'caught-up');
  const ended = (async () => {
    for await (const item of store.subscribe({
      categories: [options.category],
      signal: leave.signal,
      ...(options.after && { after: options.after }),
      ...(options.reached && { reached: options.reached }),
    }))
      items.push(item);
  })();
  const until = (enough: () => boolean): Promise<void> => eventually(enough, { what: () => `${String(enough)}, with ${items.length} items` });
  return { items, recorded, until, notes: () => items.filter((item) => item === 'caught-up').length, end: () => (leave.abort(), ended), ended };
};
