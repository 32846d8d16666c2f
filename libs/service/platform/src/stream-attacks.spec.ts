import {
  type AnyStreams,
  type EventStore,
  ForwardingEventStore,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  SqliteEventStore,
  type StreamName,
} from '#engines/event-store';
import { type DomainEvent, type EventId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { authenticated, EVENT_RING } from '#testkit/event-store/authenticated';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';

import { eventMacs, shortenedStreams, STREAMS } from './streams.js';

const randomness = new SystemRandomness();
const clock = new FixedClock();

type Stored = Pick<RecordedEvent, 'id' | 'type' | 'data' | 'metadata'>;

/** The service, as it opens its store: with the MACs and the declarations of all streams. */
const service = (store: EventStore, environment = 'test') =>
  authenticated(store, { macs: eventMacs(EVENT_RING, environment), shortened: shortenedStreams });

const copied = async (store: EventStore, stream: StreamName, events: readonly Stored[]): Promise<void> => {
  for (const [index, { id, type, data, metadata }] of events.entries())
    await store.append(stream, index === 0 ? NO_STREAM : index - 1, [{ type, data, ...(metadata && { metadata }) }], { ids: [id] });
};

/** A store of which an intruder has replaced the files: the second event of each stream is missing. */
class WithoutSecondEvent extends ForwardingEventStore {
  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    return (await super.read<Event>(stream, options)).filter(({ revision }) => revision !== 1);
  }
}

// On one store: a check asks the declaration of the category, whatever the store is. attacks.spec.ts runs on each.
describe.each(STORE_ENGINES.slice(0, 1))('an intruder who can write to the event store, over $engine,', ({ open }) => {
  let store: EventStore;
  let scratch: EventStore;
  beforeAll(async () => {
    store = await open(clock);
    scratch = new SqliteEventStore({ path: ':memory:', clock });
  });
  afterAll(async () => {
    await store.close();
    await scratch.close();
  });

  /** Four events of the service in a new stream of the category: as the scratch store has them, which an intruder can read. */
  const written = async (streams: AnyStreams, in_: EventStore = scratch, environment = 'test') => {
    const stream = streams.of(randomness.uuid());
    const [type = ''] = streams.terms.events.types;
    const writer = service(in_, environment);
    for (let number = 0; number < 4; number += 1)
      await writer.append(stream, number === 0 ? NO_STREAM : number - 1, [{ type, data: { number }, metadata: { v: 1 } }]);
    return { stream, events: await in_.read(stream) };
  };
  /** What the service reads of a stream whose events the intruder has chosen: how many, or why it refuses them. */
  const outcome = async (streams: AnyStreams, edit: (events: readonly RecordedEvent[], others: readonly RecordedEvent[]) => readonly Stored[]) => {
    const { stream, events } = await written(streams);
    const others = (await written(streams)).events;
    await copied(store, stream, edit(events, others));
    return read(stream);
  };
  const read = async (stream: StreamName, from = store): Promise<number | string> => {
    try {
      return (await service(from).read(stream)).length;
    } catch (error) {
      return (error as { because?: string }).because ?? String(error);
    }
  };
  const at = (events: readonly RecordedEvent[], index: number): RecordedEvent => events[index] as RecordedEvent;
  const own = (events: readonly RecordedEvent[]): Stored => ({ ...at(events, 3), id: randomness.uuid<EventId>(), metadata: { v: 1 } });

  describe.each(STREAMS.map((streams) => [streams.category, streams] as const))('%s', (_, streams) => {
    const shortening = shortenedStreams(streams.category);

    it('cannot have an event taken that is of his own, altered, moved or repeated', async () => {
      expect(await outcome(streams, (events) => events)).toBe(4);
      expect(await outcome(streams, (events) => [...events, own(events)])).toBe('unsigned');
      expect(await outcome(streams, (events) => [...events.slice(0, 3), { ...at(events, 3), data: { number: 9 } }])).toBe('forged');
      expect(await outcome(streams, (events) => [...events.slice(0, 3), { ...at(events, 3), type: 'Other' }])).toBe('forged');
      expect(await outcome(streams, (events, others) => [...events.slice(0, 3), at(others, 3)])).toBe('forged');
      expect(await outcome(streams, (events) => [...events, { ...at(events, 1), id: randomness.uuid<EventId>() }])).toBe('forged');
      expect(await outcome(streams, (events) => [at(events, 0), at(events, 2), at(events, 1), at(events, 3)])).toBe('forged');
    });

    it('cannot have an event of another environment taken, unless the stream is for all of them', async () => {
      const { stream, events } = await written(streams, scratch, 'staging');
      await copied(store, stream, events);
      expect(await read(stream)).toBe(streams.terms.acrossEnvironments ? 4 : 'forged');
    });

    // The claim of docs/security/threat-model.md, and its limits.
    it('cannot move later events to the place of one that he removes', async () => {
      expect(await outcome(streams, (events) => [at(events, 0), at(events, 2), at(events, 3)])).toBe('forged');
      expect(await outcome(streams, (events) => events.slice(1))).toBe('forged');
    });

    it(`${shortening ? 'can' : 'cannot'} remove the first events, which the declaration ${shortening ? 'lets the service lose' : 'keeps'}`, async () => {
      const { stream } = await written(streams, store);
      await store.truncateBefore(stream, 2);
      expect(await read(stream)).toBe(shortening ? 2 : 'chain');
    });

    it(`${shortening === 'aged' ? 'can' : 'cannot'} take an event out of the middle of the files`, async () => {
      const { stream } = await written(streams, store);
      expect(await read(stream, new WithoutSecondEvent(store))).toBe(shortening === 'aged' ? 3 : 'chain');
    });

    it('can remove the last events, and the whole stream (docs/security/threat-model.md)', async () => {
      expect(await outcome(streams, (events) => events.slice(0, 2))).toBe(2);
      const { stream } = await written(streams, store);
      await store.tombstone(stream);
      expect(await read(stream)).toBe(0);
    });
  });
});
