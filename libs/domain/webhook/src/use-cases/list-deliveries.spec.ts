import { type ExpectedRevision, NO_STREAM, SqliteEventStore } from '#engines/event-store';
import { type ClientId, type EndpointId, InvalidRequest, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import type { WebhookEndpoints } from '#domain/relying-party';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { signedMessage } from '../domain/message-body.js';
import { deliveryLogStream } from '../streams.js';
import { EndpointHealth } from '../delivery/endpoint-health.js';
import { deliveriesProjection } from '../read-models/deliveries-projection.js';
import { DeliveryRows } from '../read-models/delivery-rows.js';
import { type DeliveryRecord, ListDeliveries } from './list-deliveries.js';

const DAY = 86_400_000;
const clientId = 'c' as ClientId;
const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
const endpoints = { of: async () => [{ endpointId }] } as unknown as WebhookEndpoints;

let store: SqliteEventStore;
let clock: FixedClock;
let projections: Projections;
let list: ListDeliveries;
let revision: ExpectedRevision;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  revision = NO_STREAM;
  projections = projectionsInMemory(store);
  list = new ListDeliveries(new DeliveryRows(projections.follow(deliveriesProjection)), endpoints, clock);
});
afterEach(async () => {
  await projections.close();
  await store.close();
});

const record = async (events: readonly DeliveryEvent[]): Promise<void> => {
  const stream = deliveryLogStream(endpointId);
  for (let at = 0; at < events.length; at += 500) {
    const { revision: appended } = await store.append(stream, revision, events.slice(at, at + 500));
    projections.note(stream, (revision = appended));
  }
};
const added = (deliveryId: string): DeliveryEvent => ({
  type: 'DeliveryAdded',
  data: {
    at: clock.now(),
    deliveryId,
    clientId,
    message: { type: 'session.scanned', happenedAt: clock.now(), data: { sessionId: deliveryId, sequence: 1 } },
  },
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
  it('are listed page by page, the newest first, each with all its attempts', async () => {
    await record([added('a'), added('b'), attempted('a', 1), added('c'), attempted('b', 1), attempted('a', 2, 204)]);
    expect(await names(2)).toEqual([['c', 'b'], 'b']);
    expect(await names(2, 'b')).toEqual([['a'], undefined]);
    const { entries } = await list.execute(clientId, endpointId, { limit: 3 });
    expect(entries.map(({ state, attempts }) => [state, attempts.map(({ status }) => status)])).toEqual([
      ['pending', []],
      ['pending', [500]],
      ['succeeded', [500, 204]],
    ]);
  });

  it('show the payload as the receiver gets it', async () => {
    await record([added('a')]);
    const { entries } = await list.execute(clientId, endpointId, { limit: 1 });
    const [{ message, payload }] = entries as [DeliveryRecord];
    expect(payload).toBe(signedMessage('a', message, [new Secret('whsec_AAAA')], clock.now()).body);
    expect(JSON.parse(payload)).toEqual({ type: 'session.scanned', timestamp: expect.any(String), data: { sessionId: 'a', sequence: 1 } });
  });

  it('are an empty list at first, and refuse an unknown `after`', async () => {
    expect(await names(10)).toEqual([[], undefined]);
    await record([added('a')]);
    expect(await names(1)).toEqual([['a'], undefined]);
    await expect(list.execute(clientId, endpointId, { limit: 1, after: 'z' })).rejects.toBeInstanceOf(InvalidRequest);
  });

  it('are listed for 30 days after their last change', async () => {
    await record([added('a'), added('b')]);
    clock.advance(20 * DAY);
    await record([attempted('a', 1, 204)]);
    clock.advance(20 * DAY);
    await record([added('c')]);
    expect(await names(10)).toEqual([['c', 'a'], undefined]);
    expect(await names(10, 'c')).toEqual([['a'], undefined]);
  });

  it('are the same after the tables were built anew', async () => {
    await record([added('a'), added('b'), attempted('a', 1), attempted('b', 1, 204), added('c'), attempted('a', 2, 204)]);
    const before = await list.execute(clientId, endpointId, { limit: 10 });
    await projections.rebuild('deliveries');
    expect(await list.execute(clientId, endpointId, { limit: 10 })).toEqual(before);
  });
});

describe('a delivery that was retried', () => {
  const retried = (deliveryId: string): DeliveryEvent => {
    const { clientId: client, message } = (added(deliveryId) as Extract<DeliveryEvent, { type: 'DeliveryAdded' }>).data;
    return { type: 'DeliveryRetried', data: { at: clock.now(), deliveryId, again: { clientId: client, message, attempts: 1 } } };
  };

  it('keeps its place in the list, also on a page that ends after its retry', async () => {
    await record([added('a'), attempted('a', 1, 204), added('b'), added('c'), retried('a')]);
    expect(await names(1)).toEqual([['c'], 'c']);
    expect(await names(5, 'c')).toEqual([['b', 'a'], undefined]);
  });

  it('is the last of the list when its addition has expired', async () => {
    await record([added('b'), retried('a'), added('c'), attempted('a', 2, 204)]);
    expect(await names(2)).toEqual([['c', 'b'], 'b']);
    expect(await names(2, 'b')).toEqual([['a'], undefined]);
    const { entries } = await list.execute(clientId, endpointId, { limit: 5 });
    expect(entries.at(-1)).toMatchObject({ deliveryId: 'a', state: 'succeeded', attempts: [{ status: 204 }] });
  });
});

describe('the health of an endpoint', () => {
  const since = () => new EndpointHealth(store).failingSince(endpointId);

  it('is good before the first attempt, and after a success', async () => {
    expect(await since()).toBeUndefined();
    await record([added('a'), attempted('a', 1)]);
    clock.advance(1_000);
    await record([attempted('a', 2, 204), added('b')]);
    expect(await since()).toBeUndefined();
  });

  it('tells since when no attempt succeeded, as far back as it reads', async () => {
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
