import { SqliteEventStore } from '#event-store';
import { type ClientId, type EndpointId, FixedClock, SystemRandomness } from '#kernel';
import { type WebhookEndpoint, type WebhookEndpoints } from '#relying-party';

import { DeliveryLog } from '../delivery/delivery-log.js';
import { type DeliveryRecord, ListDeliveries } from './list-deliveries.js';

const clientId = 'c' as ClientId;
const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
/** More than is read together. */
const COUNT = 700;

let clock: FixedClock;
let store: SqliteEventStore;
let reads: number;
let list: ListDeliveries;

beforeEach(async () => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  const log = new DeliveryLog(endpointId, store, new SystemRandomness());
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  const message = { type: 'session.cancelled', happenedAt: clock.now(), data: {} };
  await Promise.all(numbers.map((number) => log.record({ type: 'DeliveryAdded', data: { at: clock.now(), deliveryId: `d${number}`, clientId, message } })));
  // The oldest ones are attempted last: what is told of them stands far from their addition.
  await Promise.all(numbers.toReversed().map((number) => log.record({ type: 'DeliveryAttempted', data: { at: clock.now(), deliveryId: `d${number}`, attempt: 1, status: 204, end: 'succeeded' } })));

  reads = 0;
  const counted = { read: (...call: Parameters<typeof store.read>) => (reads++, store.read(...call)) } as unknown as SqliteEventStore;
  const endpoints = { of: async () => [{ endpointId } as WebhookEndpoint] } as unknown as WebhookEndpoints;
  list = new ListDeliveries(counted, endpoints);
});
afterEach(() => store.close());

describe('the list of deliveries', () => {
  it('comes in pages, the newest first, each delivery whole and once', async () => {
    const all: DeliveryRecord[] = [];
    for (let after: string | undefined; ; ) {
      const { entries, next } = await list.execute(clientId, endpointId, { limit: 90, after });
      all.push(...entries);
      if (next === undefined) break;
      after = next;
    }
    expect(all.map(({ deliveryId }) => deliveryId)).toEqual(Array.from({ length: COUNT }, (_, index) => `d${COUNT - 1 - index}`));
    expect(all.filter(({ state, attempts }) => state !== 'succeeded' || attempts.length !== 1)).toEqual([]);
  });

  it('reads no more of the log than the page needs', async () => {
    await list.execute(clientId, endpointId, { limit: 90, after: undefined });
    expect(reads).toBe(2); // all attempts, and the latest additions
  });

  it('knows no page after a delivery that is not there', async () => {
    await expect(list.execute(clientId, endpointId, { limit: 90, after: 'nothing' })).rejects.toThrow();
  });
});
