import { NO_STREAM, SqliteEventStore } from '#engines/event-store';
import { type ClientId, type EndpointId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Projections, ReadModel } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { deliveryLogStream } from '../streams.js';
import { deliveriesProjection, type DeliveryTables } from './deliveries-projection.js';

const DAY = 86_400_000;
const endpointId = (number: number) => `00000000-0000-4000-8000-00000000000${number}` as EndpointId;

let store: SqliteEventStore;
let projections: Projections;
let model: ReadModel<DeliveryTables>;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  projections = projectionsInMemory(store);
  model = projections.follow(deliveriesProjection);
});
afterEach(async () => {
  await projections.close();
  await store.close();
});

const record = async (number: number, events: readonly DeliveryEvent[]): Promise<void> => {
  const { revision } = await store.append(deliveryLogStream(endpointId(number)), NO_STREAM, events);
  projections.note(deliveryLogStream(endpointId(number)), revision);
};
const added = (deliveryId: string, at: number): DeliveryEvent => ({
  type: 'DeliveryAdded',
  data: { at, deliveryId, clientId: 'c' as ClientId, message: { type: 'endpoint.ping', happenedAt: at, data: {} } },
});
const succeeded = (deliveryId: string, at: number): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { at, deliveryId, attempt: 1, status: 204, end: 'succeeded' },
});
const all = async () => ({
  deliveries: await model.read((database) => database.selectFrom('deliveries_v1').selectAll().orderBy('endpoint_id').orderBy('place').execute()),
  attempts: await model.read((database) => database.selectFrom('delivery_attempts_v1').selectAll().orderBy('delivery_id').execute()),
  logs: await model.read((database) => database.selectFrom('delivery_logs_v1').selectAll().orderBy('endpoint_id').execute()),
});

describe('the tables of deliveries', () => {
  it('lose a delivery 30 days after its end, with its attempts, and keep one that is pending', async () => {
    await record(1, [added('old', 0), added('pending', 0), succeeded('old', 5)]);
    await record(2, [added('new', 30 * DAY + 6)]);
    const { deliveries, attempts } = await all();
    expect(deliveries.map(({ delivery_id }) => delivery_id)).toEqual(['pending', 'new']);
    expect(attempts).toEqual([]);
  });

  it('do not change when an event is applied again', async () => {
    await record(1, [added('a', 0), succeeded('a', 5), added('b', 6)]);
    const before = await all();
    const events = await store.read<DeliveryEvent>(deliveryLogStream(endpointId(1)));
    // The writer applies each event in a transaction of its own choosing; here it is the plain connection.
    await model.read(async (database) => {
      for (const event of events) await deliveriesProjection.apply(database as Parameters<typeof deliveriesProjection.apply>[0], event);
    });
    expect(await all()).toEqual(before);
  });

  it('tell since when an endpoint fails', async () => {
    const failed = (attempt: number, at: number): DeliveryEvent => ({
      type: 'DeliveryAttempted',
      data: { at, deliveryId: 'a', attempt, status: 500, nextAt: at + 1 },
    });
    await record(1, [added('a', 0), failed(1, 5), failed(2, 7), added('b', 8)]);
    await record(2, [added('a', 0), failed(1, 5), added('b', 6), succeeded('b', 8)]);
    expect((await all()).logs.map(({ failing_since, revision }) => [failing_since, revision])).toEqual([
      [5, 3],
      [null, 3],
    ]);
  });
});
