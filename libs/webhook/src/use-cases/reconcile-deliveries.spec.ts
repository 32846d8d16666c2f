import { SqliteEventStore } from '#event-store';
import { SqliteJobQueue } from '#job-queue';
import { type ClientId, type EndpointId, FixedClock } from '#kernel';
import type { Projections } from '#read-model';
import { projectionsInMemory } from '#read-model/testing';
import { Metrics, SilentLog } from '#telemetry';

import { deliveriesProjection } from '../read-models/deliveries-projection.js';
import { DeliveryRows } from '../read-models/delivery-rows.js';
import { DeliveryLogs } from '../delivery/delivery-logs.js';
import { WEBHOOK_QUEUE, WebhookJobs } from '../delivery/webhook-jobs.js';
import { AddDelivery } from './add-delivery.js';
import { ReconcileDeliveries } from './reconcile-deliveries.js';

const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
const COUNT = 250;

let clock: FixedClock;
let store: SqliteEventStore;
let queue: SqliteJobQueue;
let projections: Projections;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  queue = openQueue();
  projections = projectionsInMemory(store);
});
afterEach(async () => {
  await projections.close();
  await queue.close();
  await store.close();
});

const openQueue = () => new SqliteJobQueue({ path: ':memory:', clock, log: new SilentLog(), metrics: new Metrics() });
const process = () => {
  const rows = new DeliveryRows(projections.follow(deliveriesProjection));
  const logs = new DeliveryLogs({ store, clock, rows });
  const jobs = new WebhookJobs(queue);
  return { add: new AddDelivery(logs, jobs, clock), reconcile: new ReconcileDeliveries({ rows, logs, jobs, clock }) };
};
const delivery = (number: number) => ({
  clientId: 'c' as ClientId,
  endpointId,
  deliveryId: `d${number}`,
  message: { type: 'session.cancelled', happenedAt: clock.now(), data: { sessionId: `s${number}`, sequence: 1 } },
});

describe('reconciling the queue with the logs', () => {
  it('fills an empty queue, and changes nothing in a full one', async () => {
    const { add } = process();
    await Promise.all(Array.from({ length: COUNT }, (_, number) => add.execute(delivery(number))));
    await queue.close();
    queue = openQueue();
    const { reconcile } = process();
    expect(await reconcile.execute()).toBe(COUNT);
    expect(await reconcile.execute()).toBe(COUNT);
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ due: COUNT, scheduled: 0 });
  });

  it('makes an attempt due again a minute after the queue has given it up', async () => {
    const { add, reconcile } = process();
    await add.execute(delivery(1));
    const stop = new AbortController();
    const broken = async (): Promise<never> => Promise.reject(new Error('the handler fails'));
    const { done } = queue.process(WEBHOOK_QUEUE, { handler: broken, concurrency: 1, signal: stop.signal, retryWaits: [] });
    while ((await queue.counts(WEBHOOK_QUEUE)).failed === 0) await new Promise(setImmediate);
    stop.abort();
    await done;
    await reconcile.execute();
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ failed: 1, due: 0 });
    clock.advance(60_001);
    await reconcile.execute();
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ failed: 0, due: 1 });
  });
});
