import { EventIds, type ExpectedRevision, NO_STREAM, SqliteEventStore } from '#event-store';
import { type ClientId, type EndpointId, FixedClock, InvalidRequest, SystemRandomness } from '#kernel';
import type { WebhookEndpoints } from '#relying-party';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { deliveryLogStream } from '../delivery/delivery-log.js';
import { EndpointHealth } from './endpoint-health.js';
import { ListDeliveries } from './list-deliveries.js';

const clientId = 'c' as ClientId;
const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
const endpoints = { of: async () => [{ endpointId }] } as unknown as WebhookEndpoints;
const randomness = new SystemRandomness();

let store: SqliteEventStore;
let clock: FixedClock;
let list: ListDeliveries;
let read: number;
let revision: ExpectedRevision;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  [read, revision] = [0, NO_STREAM];
  const counted = { read: async (...args: Parameters<typeof store.read>) => (await store.read(...args)).map((event) => (read++, event)) } as unknown as SqliteEventStore;
  list = new ListDeliveries(counted, endpoints);
});
afterEach(() => store.close());

const record = async (events: readonly DeliveryEvent[]): Promise<void> => {
  const stream = deliveryLogStream(endpointId);
  const ids = new EventIds(randomness);
  for (let at = 0; at < events.length; at += 500) {
    ({ revision } = await store.append(stream, revision, events.slice(at, at + 500).map((event) => ({ ...event, id: ids.next(stream) }))));
  }
};
const added = (deliveryId: string): DeliveryEvent => ({
  type: 'DeliveryAdded',
  data: { at: clock.now(), deliveryId, clientId, message: { type: 'session.scanned', happenedAt: clock.now(), data: { sessionId: deliveryId, sequence: 1 } } },
});
const attempted = (deliveryId: string, attempt: number, status = 500): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { at: clock.now(), deliveryId, attempt, status, ...(status === 204 ? { end: 'succeeded' as const } : { nextAt: clock.now() + 1 }) },
});
const names = async (limit: number, after?: string): Promise<[string[], string | undefined]> => {
  const { entries, next } = await list.execute(clientId, endpointId, { limit, ...(after !== undefined && { after }) });
  return [entries.map(({ deliveryId }) => deliveryId), next];
};

describe('the deliveries of an endpoint', () => {
  it('are there page by page, the newest first, each with what was recorded of it later', async () => {
    await record([added('a'), added('b'), attempted('a', 1), added('c'), attempted('b', 1), attempted('a', 2, 204)]);
    expect(await names(2)).toEqual([['c', 'b'], 'b']);
    expect(await names(2, 'b')).toEqual([['a'], undefined]);
    const { entries } = await list.execute(clientId, endpointId, { limit: 3 });
    expect(entries.map(({ state, attempts }) => [state, attempts.map(({ status }) => status)])).toEqual([['pending', []], ['pending', [500]], ['succeeded', [500, 204]]]);
  });

  it('are none, then all of them', async () => {
    expect(await names(10)).toEqual([[], undefined]);
    await record([added('a')]);
    expect(await names(1)).toEqual([['a'], undefined]);
    await expect(list.execute(clientId, endpointId, { limit: 1, after: 'z' })).rejects.toBeInstanceOf(InvalidRequest);
  });

  it('are read no further back than the page goes, and found however far back they are', async () => {
    await record([added('first'), ...Array.from({ length: 3_000 }, (_, index) => added(`d${index}`)), attempted('first', 1, 204)]);
    expect(await names(2)).toEqual([['d2999', 'd2998'], 'd2998']);
    expect(read).toBe(1_000);
    const { entries } = await list.execute(clientId, endpointId, { limit: 5, after: 'd0' });
    expect(entries).toMatchObject([{ deliveryId: 'first', state: 'succeeded', attempts: [{ status: 204 }] }]);
  });

  it('end where the log has forgotten what was before', async () => {
    await store.setRetention(deliveryLogStream(endpointId), { maxAge: 60 });
    await record([added('forgotten'), added('half')]);
    clock.advance(61_000);
    await record([attempted('half', 1), added('kept')]);
    expect(await names(10)).toEqual([['kept'], undefined]);
  });
});

describe('the health of an endpoint', () => {
  const since = () => new EndpointHealth(store).failingSince(endpointId);

  it('is fine while nothing was tried, and since the last success', async () => {
    expect(await since()).toBeUndefined();
    await record([added('a'), attempted('a', 1)]);
    clock.advance(1_000);
    await record([attempted('a', 2, 204), added('b')]);
    expect(await since()).toBeUndefined();
  });

  it('tells since when nothing succeeded, also when that is longer ago than it looks', async () => {
    await record([added('a'), attempted('a', 1, 204), added('b')]);
    const begun = clock.now();
    await record([attempted('b', 1)]);
    clock.advance(1_000);
    await record([attempted('b', 2)]);
    expect(await since()).toBe(begun);
    await record(Array.from({ length: 1_000 }, (_, index) => attempted('b', index + 3)));
    expect(await since()).toBe(clock.now());
  });
});
