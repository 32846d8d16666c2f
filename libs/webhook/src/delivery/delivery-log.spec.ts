import { SqliteEventStore } from '#event-store';
import { type ClientId, type EndpointId, FixedClock, SystemRandomness } from '#kernel';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { DeliveryLog } from './delivery-log.js';

const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
const randomness = new SystemRandomness();

let store: SqliteEventStore;
let clock: FixedClock;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
});
afterEach(() => store.close());

const open = async (): Promise<DeliveryLog> => {
  const log = new DeliveryLog(endpointId, store, randomness);
  await log.refresh();
  return log;
};
const added = (deliveryId: string, sequence = 1): DeliveryEvent => ({
  type: 'DeliveryAdded',
  data: { at: clock.now(), deliveryId, clientId: 'c' as ClientId, message: { type: 'session.scanned', happenedAt: clock.now(), data: { sessionId: 's', sequence } } },
});
const attempted = (deliveryId: string, attempt: number, end?: 'succeeded'): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { at: clock.now(), deliveryId, attempt, status: end ? 204 : 500, ...(end ? { end } : { nextAt: clock.now() + 1 }) },
});

describe('the log of an endpoint', () => {
  it('holds after a start what it held before', async () => {
    const log = await open();
    await Promise.all([log.record(added('a')), log.record(added('b', 2))]);
    await log.record(attempted('a', 1));
    await log.record(attempted('b', 1, 'succeeded'));
    const again = await open();
    expect([...again.pending()]).toEqual([expect.objectContaining({ deliveryId: 'a', attempts: 1 })]);
    expect(again.get('b')).toEqual(log.get('b'));
  });

  it('is read in parts, however long it is', async () => {
    const log = await open();
    const many = Array.from({ length: 2_500 }, (_, number) => `d${number}`);
    await Promise.all(many.map((id) => log.record(added(id))));
    await Promise.all(many.map((id) => log.record(attempted(id, 1, 'succeeded'))));
    const longest: number[] = [];
    const read = store.read.bind(store);
    store.read = async (...call) => {
      const events = await read(...call);
      longest.push(events.length);
      return events;
    };
    const again = await open();
    expect(many.filter((id) => again.get(id)?.state !== 'succeeded')).toEqual([]);
    expect(longest).toEqual([2_000, 2_000, 1_000]);
  });

  it('is refreshed up to the moment of the asking, also when that falls into a refreshing', async () => {
    const [one, other] = [await open(), await open()];
    await one.record(added('a'));
    const first = other.refresh();
    await one.record(added('b', 2));
    await Promise.all([other.refresh(), other.refresh()]);
    expect(other.get('b')).toBeDefined();
    await first;
    expect(other.get('a')).toBeDefined();
  });

  it('puts what comes at once into one append, and refuses what does not follow', async () => {
    const log = await open();
    const outcomes = await Promise.all([log.record(added('a')), log.record(added('a')), log.record(attempted('a', 1)), log.record(attempted('a', 1)), log.record(attempted('a', 3))]);
    expect(outcomes.map((delivery) => delivery?.attempts)).toEqual([0, undefined, 1, undefined, undefined]);
  });

  it('lets one of two processes record an end', async () => {
    const [one, other] = [await open(), await open()];
    await one.record(added('a'));
    await other.refresh();
    const outcomes = await Promise.all([one.record(attempted('a', 1, 'succeeded')), other.record(attempted('a', 1, 'succeeded')), other.record({ type: 'DeliveryEnded', data: { at: 0, deliveryId: 'a', end: 'lapsed' } })]);
    expect(outcomes.filter((delivery) => delivery)).toHaveLength(1);
    await one.refresh();
    expect(other.get('a')).toEqual(one.get('a'));
  });

  it('goes on when all it held has expired', async () => {
    const log = await open();
    await log.record(added('a'));
    clock.advance(31 * 86_400_000);
    const later = await open();
    expect(await later.record(added('b'))).toMatchObject({ state: 'pending' });
    expect((await open()).get('b')).toBeDefined();
  });

  it('knows since when an endpoint fails', async () => {
    const log = await open();
    await log.record(added('a'));
    const began = clock.now();
    await log.record(attempted('a', 1));
    clock.advance(5_000);
    await log.record(attempted('a', 2));
    expect(log.failingSince).toBe(began);
    await log.record(attempted('a', 3, 'succeeded'));
    expect(log.failingSince).toBeUndefined();
  });

  it('begins anew when staff ask for a delivery again', async () => {
    const log = await open();
    await log.record(added('a'));
    expect(await log.record({ type: 'DeliveryRetried', data: { at: 0, deliveryId: 'a' } })).toBeUndefined();
    await log.record(attempted('a', 1, 'succeeded'));
    expect(await log.record({ type: 'DeliveryRetried', data: { at: 7, deliveryId: 'a' } })).toMatchObject({ state: 'pending', attempts: 1, tries: 0, nextAt: 7 });
  });
});
