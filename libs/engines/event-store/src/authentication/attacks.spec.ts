import { type EventId, Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { type EventMetadata, type EventStore, NO_STREAM, type RecordedEvent, type StreamName, streamName } from '../event-store.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated, EVENT_RING, eventMacs } from '#testkit/event-store/authenticated';
import type { AuthenticationOptions } from './authenticated-event-store.js';
import { EventMacs } from './event-macs.js';
import type { StreamRefused } from './stream-refused.js';

const randomness = new SystemRandomness();
const clock = new FixedClock();

const ring = (id: string) => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);
const signedBy = (macs: EventMacs) => ({ macs });
const event = (type: string, number: number, metadata: EventMetadata = { v: 1, status: type }) => ({ type, data: { number }, metadata });

/** Events of the attacker's own making in place of those that the service has stored. */
type Edit = (
  events: readonly RecordedEvent[],
  foreign: readonly RecordedEvent[],
) => readonly Pick<RecordedEvent, 'id' | 'type' | 'data' | 'metadata'>[];
const change = (index: number, by: (event: RecordedEvent) => Partial<RecordedEvent>): Edit => {
  return (events) => events.map((one, at) => (at === index ? { ...one, ...by(one) } : one));
};
const without = (index: number): Edit => {
  return (events) => events.filter((_, at) => at !== index);
};
const ownMac = (events: readonly RecordedEvent[]): RecordedEvent => ({ ...(events[3] as RecordedEvent), id: randomness.uuid<EventId>() });

const ATTACKS: readonly (readonly [string, StreamRefused['because'], Edit])[] = [
  ['forged, without a MAC', 'unsigned', (events) => [...events, { ...ownMac(events), metadata: { v: 1 } }]],
  ['forged, with a MAC that is none', 'forged', (events) => [...events, { ...ownMac(events), metadata: { v: 1, mac: 'bm9uZQ' } }]],
  ['forged, with the MAC of another event', 'forged', (events) => [...events, ownMac(events)]],
  ['altered in its data', 'forged', change(2, () => ({ data: { number: 9 } }))],
  ['altered in its type', 'forged', change(2, () => ({ type: 'PinFailed' }))],
  ['altered in its id', 'forged', change(2, () => ({ id: randomness.uuid<EventId>() }))],
  ['altered in its version', 'forged', change(2, ({ metadata }) => ({ metadata: { ...metadata, v: 2 } }))],
  ['altered in its metadata', 'forged', change(2, ({ metadata }) => ({ metadata: { ...metadata, status: 'CONFIRMED', v: 1 } }))],
  [
    'altered in the type of a member of its metadata',
    'forged',
    change(2, ({ metadata }) => ({ metadata: { ...metadata, v: 1, status: ['PinAccepted'] } })),
  ],
  ['with a member more of its metadata', 'forged', change(2, ({ metadata }) => ({ metadata: { v: 1, note: 'mine', ...metadata } }))],
  ['with a trace context more', 'forged', change(2, ({ metadata }) => ({ metadata: { v: 1, traceparent: '00-a', ...metadata } }))],
  ['with a member less of its metadata', 'forged', change(2, ({ metadata }) => ({ metadata: { v: 1, mac: metadata?.mac ?? '' } }))],
  [
    'with members of its metadata in exchange',
    'forged',
    change(2, ({ metadata }) => ({ metadata: { v: 1, mac: metadata?.mac ?? '', note: 'PinAccepted' } })),
  ],
  ['without its MAC', 'unsigned', change(1, ({ metadata }) => ({ metadata: { v: metadata?.v ?? 1, status: 'PinAccepted' } }))],
  ['moved from another stream', 'forged', (events, foreign) => [...events.slice(0, 3), foreign[3] as RecordedEvent]],
  ['repeated at the end', 'forged', (events) => [...events, { ...(events[1] as RecordedEvent), id: randomness.uuid<EventId>() }]],
  ['repeated at the end with its id', 'forged', (events) => [...events, events[1] as RecordedEvent]],
  ['reordered', 'forged', (events) => [0, 2, 1, 3].map((index) => events[index] as RecordedEvent)],
  ['dropped from the middle', 'forged', without(1)],
  ['dropped from the start', 'forged', without(0)],
];

const ENGINES = [
  { engine: 'SQLite', start: async () => undefined },
  { engine: 'the gRPC test server', start: () => SpawnedTestServer.start() },
];

describe.each(ENGINES)('an intruder who can write to the event store, on $engine,', ({ start }) => {
  let server: SpawnedTestServer | undefined;
  let stores: EventStore[];
  let refusals: StreamRefused[];
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => server?.[Symbol.asyncDispose]());
  beforeEach(() => {
    stores = [];
    refusals = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
  });

  /** The attacker's access: the store itself. On the server, each stream has a name of its own. */
  const opened = (): EventStore => {
    const store = server
      ? new EventStoreDbEventStore({ connectionString: server.connectionString, clock, randomness })
      : new SqliteEventStore({ path: ':memory:', clock });
    stores.push(store);
    return store;
  };
  const service = (store: EventStore, options: Partial<AuthenticationOptions> = {}) =>
    authenticated(store, { refused: (refusal) => refusals.push(refusal), ...options });
  const newStream = (): StreamName => streamName('device', randomness.uuid());

  /** Four events of a service: two in one append, and two more. */
  const written = async (store: EventStore, stream: StreamName, options: Partial<AuthenticationOptions> = {}): Promise<readonly RecordedEvent[]> => {
    const writer = service(store, options);
    await writer.append(stream, NO_STREAM, [event('DeviceEnrolled', 0), event('PinAccepted', 1)]);
    await writer.append(stream, 1, [event('PinAccepted', 2)]);
    await writer.append(stream, 2, [event('PinFailed', 3)]);
    return store.read(stream);
  };
  const append = async (
    store: EventStore,
    stream: StreamName,
    after: number,
    events: readonly Pick<RecordedEvent, 'id' | 'type' | 'data' | 'metadata'>[],
  ): Promise<void> => {
    for (const [index, { id, type, data, metadata }] of events.entries()) {
      const at = after + index;
      await store.append(stream, at < 0 ? NO_STREAM : at, [{ type, data, ...(metadata && { metadata }) }], { ids: [id] });
    }
  };
  /** The service wrote the stream into one store. The attacker replaces it by another one with events of his choice. */
  const replaced = async (edit: Edit): Promise<{ store: EventStore; stream: StreamName; taken: number }> => {
    const [stream, other] = [newStream(), newStream()];
    const scratch = new SqliteEventStore({ path: ':memory:', clock });
    stores.push(scratch);
    const events = edit(await written(scratch, stream), await written(scratch, other));
    const store = opened();
    await append(store, stream, -1, events);
    return { store, stream, taken: events.length };
  };

  it.each(ATTACKS)('cannot have an event taken that is %s', async (_, because, edit) => {
    const { store, stream, taken } = await replaced(edit);
    expect(await store.read(stream)).toHaveLength(taken); // the store itself takes it
    await expect(service(store).read(stream)).rejects.toMatchObject({ code: 'service_unavailable', stream, because });
    expect(refusals).toMatchObject([{ stream, because }]);
  });

  it('cannot have a repeated PinAccepted taken where only the newest event is read', async () => {
    const { store, stream } = await replaced((events) => [...events, { ...(events[2] as RecordedEvent), id: randomness.uuid<EventId>() }]);
    const read = service(store).read(stream, { direction: 'backwards', limit: 1 });
    await expect(read).rejects.toMatchObject({ because: 'forged', revision: 4 });
  });

  it('cannot have a stream continued by the service after an event that is refused', async () => {
    const { store, stream } = await replaced((events) => [...events, ownMac(events)]);
    await expect(service(store).append(stream, 4, [event('PinAccepted', 5)])).rejects.toMatchObject({ because: 'forged' });
    expect(await store.read(stream)).toHaveLength(5);
  });

  it('cannot have an event taken after the service has read and checked the stream', async () => {
    const [store, stream] = [opened(), newStream()];
    await written(store, stream);
    const reader = service(store);
    expect(await reader.read(stream)).toHaveLength(4);
    await append(store, stream, 3, [{ ...ownMac(await store.read(stream)), metadata: { v: 1 } }]);
    await expect(reader.read(stream)).rejects.toMatchObject({ because: 'unsigned' });
  });

  it('cannot have an event taken that the memory of the process shows unchecked', async () => {
    const [store, stream] = [opened(), newStream()];
    await written(store, stream);
    const reader = service(store);
    await reader.read(stream);
    await append(store, stream, 3, [{ ...ownMac(await store.read(stream)), metadata: { v: 1 } }]);
    await store.read(stream);
    expect(store.recent(stream)?.length ?? 5).toBe(5);
    expect(reader.recent(stream)).toBeUndefined();
  });

  it('cannot join two histories of one stream, each of which the service has written', async () => {
    const [stream, one, two] = [newStream(), new SqliteEventStore({ path: ':memory:', clock }), opened()];
    stores.push(one);
    const first = await written(one, stream);
    await append(two, stream, -1, first.slice(0, 2));
    // The other branch: the store was restored from a copy that ended after two events.
    await service(two).append(stream, 1, [event('PinFailed', 2)]);
    await append(two, stream, 2, first.slice(3));
    await expect(service(two).read(stream)).rejects.toMatchObject({ because: 'chain', revision: 3 });
  });

  it('cannot truncate a stream that the service never truncates', async () => {
    const [store, stream] = [opened(), newStream()];
    await written(store, stream);
    await store.truncateBefore(stream, 2);
    await expect(service(store).read(stream)).rejects.toMatchObject({ because: 'chain', revision: 2 });
    const truncates = service(store, { shortened: () => 'truncated' });
    expect((await truncates.read(stream)).map(({ revision }) => revision)).toEqual([2, 3]);
  });

  it('cannot have an event of another environment taken', async () => {
    const [store, stream] = [opened(), newStream()];
    await written(store, stream, signedBy(new EventMacs(EVENT_RING, 'staging', ['status'])));
    await expect(service(store).read(stream)).rejects.toMatchObject({ because: 'forged', revision: 0 });
  });

  it('cannot have an event taken whose key the ring does not have', async () => {
    const [store, stream] = [opened(), newStream()];
    await written(store, stream, signedBy(eventMacs(ring('stolen'))));
    await expect(service(store).read(stream)).rejects.toMatchObject({ because: 'key' });
  });

  it('can drop the last events: no chain tells that (docs/security/threat-model.md)', async () => {
    const { store, stream } = await replaced((events) => events.slice(0, 2));
    expect(await service(store).read(stream)).toHaveLength(2);
  });

  it('cannot stop a subscription: it leaves out the forged event, raises the alarm, and goes on', async () => {
    const store = opened();
    const category = `category${randomness.bytes(4).toString('hex')}`;
    const [forged, whole] = [streamName(category, randomness.uuid()), streamName(category, randomness.uuid())];
    const events = await written(store, forged);
    await append(store, forged, 3, [{ ...ownMac(events), metadata: { v: 1 } }]);
    await written(store, whole);
    const leave = new AbortController();
    const seen: string[] = [];
    for await (const item of service(store).subscribe({ categories: [category], signal: leave.signal })) {
      if (item === 'caught-up') leave.abort();
      else seen.push(`${item.stream} ${item.revision}`);
    }
    expect(seen).toEqual([forged, whole].flatMap((stream) => [0, 1, 2, 3].map((revision) => `${stream} ${revision}`)));
    expect(refusals).toMatchObject([{ stream: forged, revision: 4, because: 'unsigned' }]);
  });

  describe('and a service', () => {
    it('goes on in a stream whose events have all expired', async () => {
      const [store, stream] = [opened(), newStream()];
      await written(store, stream);
      await store.setRetention(stream, { maxCount: 1 });
      const other = service(store, { shortened: () => 'aged' });
      await other.append(stream, 3, [event('PinAccepted', 4)]);
      expect((await other.read(stream)).map(({ revision }) => revision)).toEqual([4]);
    });
  });
});
