import { type DomainEvent, KeyRing, type RingKey, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { type EventStore, NO_STREAM, streamName, type SubscriptionItem } from '../event-store.js';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import { authenticated } from '#testkit/event-store/authenticated';
import { EventMacs } from './event-macs.js';
import type { StreamRefused } from './stream-refused.js';

const clock = new FixedClock();
const [older, newer] = ['older', 'newer'].map((id): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) })) as [RingKey, RingKey];
const stream = streamName('device', 'one');
const event = (type: string) => ({ type, data: {} });

/** A ring whose file got a newer key after it was read. */
class GrowingKeyRing extends KeyRing {
  #keys: readonly RingKey[] = [older];

  /** The key stands in the file from that reading on. */
  constructor(private readings = 1) {
    super();
  }

  override current(): RingKey {
    return older;
  }

  override find(id: string): RingKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  override async reread(): Promise<void> {
    if (--this.readings <= 0) this.#keys = [newer, older];
  }
}

/** A store that still shows the events that it has at hand when the signal was given. */
class EagerStore extends ForwardingEventStore {
  override async *subscribe<Event extends DomainEvent = DomainEvent>(): AsyncGenerator<SubscriptionItem<Event>> {
    yield* await this.store.read<Event>(stream);
  }
}

let store: EventStore;
let refusals: StreamRefused[];
let leave: AbortController;
let [pauses, leaveAfter, waited] = [0, Infinity, 0];

beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock });
  refusals = [];
  leave = new AbortController();
  [pauses, leaveAfter, waited] = [0, Infinity, 0];
});
afterEach(() => store.close());

const service = (ring: KeyRing): EventStore =>
  authenticated(store, {
    macs: new EventMacs(ring, 'test'),
    refused: (refusal) => refusals.push(refusal),
    pause: async (milliseconds, signal) => {
      if (pauses++ === leaveAfter) leave.abort();
      waited += signal.aborted ? 0 : milliseconds;
    },
  });
const before = (): EventStore => service(new StaticKeyRing([older]));
const after = (): EventStore => service(new StaticKeyRing([newer, older]));

describe('when the key of the events is rotated', () => {
  beforeEach(async () => {
    await before().append(stream, NO_STREAM, [event('DeviceEnrolled')]);
    await after().append(stream, 0, [event('PinAccepted')]);
  });

  it('a service with both keys takes the events under either, within one stream', async () => {
    expect(await after().read(stream)).toHaveLength(2);
  });

  it('a service without the newer key refuses the events under it', async () => {
    await expect(before().read(stream)).rejects.toMatchObject({ because: 'key', revision: 1 });
  });

  it('a service that started before the rotation reads the new key when it needs it', async () => {
    expect(await service(new GrowingKeyRing()).read(stream)).toHaveLength(2);
    expect(refusals).toEqual([]);
  });

  it('such a service reads the new key also for a stream that has one event only', async () => {
    const one = streamName('device', 'new');
    await after().append(one, NO_STREAM, [event('DeviceEnrolled')]);
    expect(await service(new GrowingKeyRing()).read(one)).toHaveLength(1);
    expect(refusals).toEqual([]);
  });

  it.each([1, 60])('a subscription that began before the rotation leaves no event out, with the key in the file at reading %d', async (readings) => {
    expect(await typesSeenWith(new GrowingKeyRing(readings))).toEqual(['DeviceEnrolled', 'PinAccepted']);
    expect(refusals).toEqual([]);
    expect(waited).toBe((readings - 1) * 2_000);
  });

  it('a subscription without the newer key waits for it for four minutes, once, and then leaves the events out', async () => {
    await after().append(streamName('device', 'two'), NO_STREAM, [event('DeviceEnrolled')]);
    expect(await typesSeenWith(new StaticKeyRing([older]))).toEqual(['DeviceEnrolled']);
    expect(refusals.map(({ because }) => because)).toEqual(['key', 'key']);
    expect(waited).toBe(240_000);
  });

  it('a subscription that ends while it waits refuses nothing, so that the next one shows the event', async () => {
    leaveAfter = 3;
    expect(await typesSeenWith(new StaticKeyRing([older]))).toEqual(['DeviceEnrolled']);
    expect(refusals).toEqual([]);
  });

  it('a subscription that ends while it waits shows no later event, so that the next one begins at the event that waits', async () => {
    await service(new StaticKeyRing([older, newer])).append(stream, 1, [event('PinFailed')]);
    store = new EagerStore(store);
    leaveAfter = 3;
    expect(await typesSeenWith(new StaticKeyRing([older]))).toEqual(['DeviceEnrolled']);
    expect(refusals).toEqual([]);
  });

  it('a forged event raises the alarm also when the subscription is about to end', async () => {
    await store.append(stream, 1, [{ ...event('PinFailed'), metadata: { v: 1, mac: 'bm9uZQ' } }]);
    store = new EagerStore(store);
    leave.abort();
    expect(await typesSeenWith(new StaticKeyRing([newer, older]))).toEqual(['DeviceEnrolled', 'PinAccepted']);
    expect(refusals).toMatchObject([{ because: 'forged', revision: 2 }]);
  });
});

const typesSeenWith = async (ring: KeyRing): Promise<readonly string[]> => {
  const seen: string[] = [];
  for await (const item of service(ring).subscribe({ categories: ['device'], signal: leave.signal })) {
    if (item === 'caught-up') leave.abort();
    else seen.push(item.type);
  }
  return seen;
};
