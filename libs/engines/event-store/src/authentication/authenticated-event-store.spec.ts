import { type DomainEvent, type EventId, KeyRing, type RingKey, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
  streamName,
} from '../event-store.js';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated, EVENT_RING } from '#testkit/event-store/authenticated';
import type { AuthenticationOptions } from './authenticated-event-store.js';
import { EventMacs } from './event-macs.js';
import type { StreamRefused } from './stream-refused.js';

const randomness = new SystemRandomness();
const newStream = (): StreamName => streamName('device', randomness.uuid());
const event = (number: number, type = 'PinAccepted'): { type: string; data: { number: number } } => ({ type, data: { number } });

/** Records each call that reaches the store below the MACs. */
class NotedStore extends ForwardingEventStore {
  readonly calls: string[] = [];
  readonly reads: (ReadOptions | undefined)[] = [];
  /** Whose events the store shows for each stream, in place of its own. */
  readonly shows = new Map<StreamName, StreamName>();

  override append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    this.calls.push('append');
    return super.append(stream, expected, events, options);
  }

  override appendTogether(appends: readonly StreamAppend[]): Promise<readonly AppendResult[] | undefined> {
    this.calls.push('appendTogether');
    return super.appendTogether(appends);
  }

  override read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    this.calls.push('read');
    this.reads.push(options);
    return super.read<Event>(this.shows.get(stream) ?? stream, options);
  }
}

/** Counts how often the key files are read again. */
class CountingRing extends KeyRing {
  rereads = 0;

  override current(): RingKey {
    return EVENT_RING.current();
  }

  override find(id: string): RingKey | undefined {
    return EVENT_RING.find(id);
  }

  override async reread(): Promise<void> {
    this.rereads += 1;
  }
}

let raw: SqliteEventStore;
let noted: NotedStore;
let ring: CountingRing;
let refusals: StreamRefused[];
let service: EventStore;
const started = (options: Partial<AuthenticationOptions> = {}): EventStore =>
  authenticated(noted, { macs: new EventMacs(ring, 'test'), refused: (refusal) => refusals.push(refusal), ...options });

beforeEach(() => {
  raw = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  noted = new NotedStore(raw);
  ring = new CountingRing();
  refusals = [];
  service = started();
});
afterEach(() => raw.close());

/** A stream of four events that another process has written. */
const written = async (): Promise<StreamName> => {
  const stream = newStream();
  await started().append(stream, NO_STREAM, [event(0, 'DeviceEnrolled'), event(1), event(2), event(3)]);
  noted.calls.length = 0;
  return stream;
};
const numbers = async (stream: StreamName): Promise<readonly unknown[]> => (await started().read(stream)).map(({ data }) => data['number']);

describe('a stream from memory', () => {
  beforeEach(() => {
    service = authenticated(raw, { macs: new EventMacs(ring, 'test'), refused: (refusal) => refusals.push(refusal) });
  });

  it('is shown once a read has checked it, and not before', async () => {
    const stream = newStream();
    await service.append(stream, NO_STREAM, [event(0)]);
    expect(raw.recent(stream)).toHaveLength(1);
    expect(service.recent(stream)).toBeUndefined();
    const read = await service.read(stream);
    expect(service.recent(stream)).toBe(read);
    expect(service.recent(newStream())).toBeUndefined();
  });

  it('is not shown when it holds a forged event', async () => {
    const stream = newStream();
    await service.append(stream, NO_STREAM, [event(0)]);
    await service.read(stream);
    await raw.append(stream, 0, [event(1)]);
    expect(raw.recent(stream)).toHaveLength(2);
    expect(service.recent(stream)).toBeUndefined();
    await expect(service.read(stream)).rejects.toMatchObject({ stream });
    expect(service.recent(stream)).toBeUndefined();
  });
});

describe('an append', () => {
  it('reads nothing where the process knows the end of the stream: by its own append', async () => {
    const stream = newStream();
    await service.append(stream, NO_STREAM, [event(0)]);
    await service.append(stream, 0, [event(1), event(2)]);
    await service.append(stream, 2, [event(3)]);
    expect(noted.calls).toEqual(['append', 'append', 'append']);
    expect(await numbers(stream)).toEqual([0, 1, 2, 3]);
  });

  it.each<readonly [string, ReadOptions | undefined]>([
    ['the whole stream', undefined],
    ['a part up to the end', { from: 2 }],
    ['the last event', { direction: 'backwards', limit: 1 }],
    ['the whole stream backwards', { direction: 'backwards' }],
  ])('reads nothing where the process knows the end of the stream: by a read of %s', async (_, options) => {
    const stream = await written();
    await service.read(stream, options);
    await service.append(stream, 3, [event(4)]);
    expect(noted.calls).toEqual(['read', 'append']);
    expect(await numbers(stream)).toEqual([0, 1, 2, 3, 4]);
  });

  it.each<readonly [string, ReadOptions]>([
    ['the begin', { limit: 2 }],
    ['an event before the last', { direction: 'backwards', from: 2, limit: 1 }],
    ['nothing', { from: 9 }],
  ])('does not take the end of a read of %s for that of the stream', async (_, options) => {
    const stream = await written();
    await service.read(stream);
    await service.read(stream, options);
    await service.append(stream, 3, [event(4)]);
    expect(noted.calls).toEqual(['read', 'read', 'append']);
  });

  it('reads the one event before it where the process does not know it, and takes the events as they were', async () => {
    const stream = await written();
    const changed = event(4);
    const appended = service.append(stream, 3, [changed]);
    changed.data.number = 9;
    await appended;
    expect(noted.reads).toEqual([{ direction: 'backwards', from: 3, limit: 1 }]);
    expect(await numbers(stream)).toEqual([0, 1, 2, 3, 4]);
  });

  it.each([-2, 0.5, Number.NaN])('after a revision that no event has is left to the store (%p)', async (expected) => {
    await expect(service.append(newStream(), expected, [event(0)])).rejects.toThrow();
    expect(noted.calls).toEqual(['append']);
  });

  it('that repeats another one does not take its own event for the stored one', async () => {
    const stream = newStream();
    const ids = [randomness.uuid<EventId>()];
    await started().append(stream, NO_STREAM, [event(0)], { ids });
    await service.append(stream, NO_STREAM, [event(1)], { ids });
    await service.append(stream, 0, [event(2)]);
    expect(await numbers(stream)).toEqual([0, 2]);
  });
});

describe('an append to several streams', () => {
  const both = (one: StreamName, two: StreamName, expected: ExpectedRevision, number: number) =>
    [one, two].map((stream, index) => ({ stream, expected: index === 0 ? NO_STREAM : expected, events: [event(number)] }));

  it('is handed to the store at once where the process knows all ends', async () => {
    const two = newStream();
    await service.append(two, NO_STREAM, [event(0)]);
    noted.calls.length = 0;
    const appended = service.appendTogether(both(newStream(), two, 0, 1));
    expect(noted.calls).toEqual(['appendTogether']);
    await appended;
    await service.append(two, 1, [event(2)]);
    expect(noted.calls).toEqual(['appendTogether', 'append']);
    expect(await numbers(two)).toEqual([0, 1, 2]);
  });

  it('reads the ends that the process does not know, and takes the events as they were', async () => {
    const [one, two] = [newStream(), await written()];
    const appends = both(one, two, 3, 4);
    const appended = service.appendTogether(appends);
    for (const { events } of appends) events[0]!.data.number = 9;
    await appended;
    expect(noted.calls).toEqual(['read', 'appendTogether']);
    expect([await numbers(one), await numbers(two)]).toEqual([[4], [0, 1, 2, 3, 4]]);
  });
});

describe('a read', () => {
  it('reads no key file again for events under a known key', async () => {
    const stream = await written();
    await service.read(stream);
    await service.read(stream, { limit: 2 });
    expect(ring.rereads).toBe(0);
  });

  it('that shows a genuine event of another stream is refused', async () => {
    const [victim, own] = [await written(), await written()];
    noted.shows.set(victim, own);
    await expect(service.read(victim)).rejects.toMatchObject({ stream: victim, because: 'forged', revision: 0 });
  });

  it('names the stream, the cause and the place in the refusal', async () => {
    const stream = await written();
    await raw.append(stream, 3, [event(4)]);
    await expect(service.read(stream)).rejects.toThrow(`${stream} is refused: an event has no MAC, revision 4`);
  });

  it('that shows a forged event is refused, and reads no key file again for it', async () => {
    const stream = newStream();
    await raw.append(stream, NO_STREAM, [{ ...event(0), metadata: { v: 1, mac: 'bm9uZQ' } }]);
    await expect(service.read(stream)).rejects.toMatchObject({ because: 'forged' });
    expect(refusals).toMatchObject([{ stream, because: 'forged' }]);
    expect(ring.rereads).toBe(0);
  });
});

describe('a subscription', () => {
  it('waits for no key where an event is forged, and shows the word when it has caught up', async () => {
    const stream = await written();
    await raw.append(stream, 3, [{ ...event(4), metadata: { v: 1, mac: 'bm9uZQ' } }]);
    const leave = new AbortController();
    const seen: unknown[] = [];
    for await (const item of service.subscribe({ categories: ['device'], signal: leave.signal })) {
      seen.push(item === 'caught-up' ? item : item.data['number']);
      if (item === 'caught-up') leave.abort();
    }
    expect(seen).toEqual([0, 1, 2, 3, 'caught-up']);
    expect(refusals).toMatchObject([{ because: 'forged', revision: 4 }]);
    expect(ring.rereads).toBe(0);
  });
});
