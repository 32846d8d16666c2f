import { type EventId, KeyRing, type RingKey, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { type EventStore, NO_STREAM, type RecordedEvent, type StreamName, streamName } from '../event-store.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated, EVENT_RING } from '#testkit/event-store/authenticated';
import { EventMacs } from './event-macs.js';

const clock = new FixedClock();
const randomness = new SystemRandomness();
const newStream = (): StreamName => streamName('device', randomness.uuid());
const event = (type: string) => ({ type, data: { at: 1 } });

/** Counts the MACs that are made, and those that are checked. */
class CountingRing extends KeyRing {
  made = 0;
  checked = 0;

  override current(): RingKey {
    this.made += 1;
    return EVENT_RING.current();
  }

  override find(id: string): RingKey | undefined {
    this.checked += 1;
    return EVENT_RING.find(id);
  }
}

const process = (store: EventStore) => {
  const ring = new CountingRing();
  const counts = () => ({ made: ring.made, checked: ring.checked });
  return { counts, store: authenticated(store, { macs: new EventMacs(ring, 'test') }) };
};

const subscribed = async (store: EventStore): Promise<readonly RecordedEvent[]> => {
  const leave = new AbortController();
  const seen: RecordedEvent[] = [];
  for await (const item of store.subscribe({ categories: ['device'], signal: leave.signal })) {
    if (item === 'caught-up') leave.abort();
    else seen.push(item);
  }
  return seen;
};

describe('the MACs of events that one process writes and reads, on SQLite', () => {
  let sqlite: SqliteEventStore;
  beforeEach(() => {
    sqlite = new SqliteEventStore({ path: ':memory:', clock });
  });
  afterEach(() => sqlite.close());

  it('are made once for each event, and not checked again by the process that made them', async () => {
    const { counts, store } = process(sqlite);
    const [one, two, three] = [newStream(), newStream(), newStream()];
    await store.append(one, NO_STREAM, [event('DeviceEnrolled'), event('PinAccepted')]);
    await store.append(one, 1, [event('PinFailed')]);
    await store.appendTogether([two, three].map((stream) => ({ stream, expected: NO_STREAM, events: [event('DeviceEnrolled')] })));
    for (const stream of [one, two, three]) await store.read(stream);
    await store.read(one, { direction: 'backwards', limit: 1 });
    expect(await subscribed(store)).toHaveLength(5);
    expect(counts()).toEqual({ made: 5, checked: 0 });
  });

  it('are checked once by another process', async () => {
    const stream = newStream();
    await process(sqlite).store.append(stream, NO_STREAM, [event('DeviceEnrolled'), event('PinAccepted')]);
    const { counts, store } = process(sqlite);
    for (let times = 0; times < 3; times++) expect(await store.read(stream)).toHaveLength(2);
    expect(await subscribed(store)).toHaveLength(2);
    expect(counts()).toEqual({ made: 0, checked: 2 });
  });

  it('would be accepted, if they were checked', async () => {
    const { store } = process(sqlite);
    const stream = newStream();
    await store.append(stream, NO_STREAM, [event('DeviceEnrolled'), event('PinAccepted')]);
    const macs = new EventMacs(EVENT_RING, 'test');
    expect((await store.read(stream)).map((one) => macs.refusal(one))).toEqual([undefined, undefined]);
  });
});

const ENGINES = [
  { engine: 'SQLite', start: async () => undefined },
  { engine: 'the gRPC test server', start: () => SpawnedTestServer.start() },
];

describe.each(ENGINES)('an append by a service, on $engine,', ({ start }) => {
  let server: SpawnedTestServer | undefined;
  let raw: EventStore;
  beforeAll(async () => {
    server = await start();
    raw = server
      ? new EventStoreDbEventStore({ connectionString: server.connectionString, clock, randomness })
      : new SqliteEventStore({ path: ':memory:', clock });
  });
  afterAll(async () => {
    await raw.close();
    await server?.[Symbol.asyncDispose]();
  });

  it('makes the JSON of an event once: the text that is covered is the one that is stored', async () => {
    const { store } = process(raw);
    const [one, two] = [newStream(), newStream()];
    let times = 0;
    const counted = () => ({
      type: 'DeviceEnrolled',
      data: {
        get at() {
          times += 1;
          return 1;
        },
      },
    });
    await store.append(one, NO_STREAM, [counted()]);
    expect(times).toBe(1);
    await store.appendTogether([{ stream: two, expected: NO_STREAM, events: [counted()] }]);
    expect(times).toBe(2);
    expect((await store.read(one))[0]?.data).toEqual({ at: 1 });
  });

  it('does not vouch for the event that an intruder has stored under the same id', async () => {
    const { store } = process(raw);
    const stream = newStream();
    const ids = [randomness.uuid<EventId>()];
    await raw.append(stream, NO_STREAM, [{ type: 'DeviceEnrolled', data: { at: 2 } }], { ids });
    // The store takes it for a repetition.
    await store.append(stream, NO_STREAM, [event('DeviceEnrolled')], { ids });
    await expect(store.read(stream)).rejects.toMatchObject({ because: 'unsigned' });
  });

  it('does not vouch for the events of another writer that came first', async () => {
    const { store } = process(raw);
    const stream = newStream();
    await raw.append(stream, NO_STREAM, [{ type: 'DeviceEnrolled', data: { at: 2 } }]);
    await expect(store.append(stream, NO_STREAM, [event('DeviceEnrolled')])).rejects.toThrow('is at 0');
    await expect(store.read(stream)).rejects.toMatchObject({ because: 'unsigned' });
  });
});
