import { jest } from '@jest/globals';

import { SqliteEventStore } from '#engines/event-store';
import { SqliteJobQueue } from '#engines/job-queue';
import { type ClientId, type EndpointId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import { Metrics, SilentLog } from '#telemetry';

import { deliveriesProjection } from '../read-models/deliveries-projection.js';
import { DeliveryRows } from '../read-models/delivery-rows.js';
import { DeliveryLog } from '../delivery/delivery-log.js';
import { DeliveryLogs } from '../delivery/delivery-logs.js';
import { WEBHOOK_QUEUE } from '../delivery/endpoint-share.js';
import { WebhookJobs } from '../delivery/webhook-jobs.js';
import { allEndpoints } from '#testkit/webhook/own-endpoints';
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
  const jobs = new WebhookJobs(queue, allEndpoints());
  return { logs, add: new AddDelivery(logs, jobs, clock), reconcile: new ReconcileDeliveries({ rows, logs, jobs, clock, share: allEndpoints() }) };
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

  /** Runs the due jobs by a handler that does nothing: the queue knows them as done, and the log does not. */
  const doneWithoutAttempt = async () => {
    const stop = new AbortController();
    const { done } = queue.process(WEBHOOK_QUEUE, { handler: async () => undefined, concurrency: COUNT, signal: stop.signal });
    while ((await queue.counts(WEBHOOK_QUEUE)).due > 0) await new Promise(setImmediate);
    stop.abort();
    await done;
  };

  it('makes an attempt due again a minute after the queue has done it and the log has not', async () => {
    const { add, reconcile } = process();
    await add.execute(delivery(1));
    await doneWithoutAttempt();
    await reconcile.execute();
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ due: 0 });
    clock.advance(60_001);
    await reconcile.execute();
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ due: 1, scheduled: 0 });
  });

  it('leaves a done attempt alone that another process has recorded since the round began', async () => {
    const { add, reconcile } = process();
    await add.execute(delivery(1));
    await doneWithoutAttempt();
    clock.advance(60_001);
    const forgetDone = queue.forgetDone.bind(queue);
    jest.spyOn(queue, 'forgetDone').mockImplementation(async (...call) => {
      const other = new DeliveryLog(endpointId, { store, clock, rows: new DeliveryRows(projections.follow(deliveriesProjection)) });
      const data = { at: clock.now(), deliveryId: 'd1', attempt: 1, status: 204, end: 'succeeded' } as const;
      await other.record({ type: 'DeliveryAttempted', data });
      return forgetDone(...call);
    });
    await reconcile.execute();
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ due: 0, scheduled: 0 });
  });

  it('puts no attempt back that was recorded since the round began', async () => {
    const { add, reconcile, logs } = process();
    await Promise.all(Array.from({ length: COUNT }, (_, number) => add.execute(delivery(number))));
    const log = await logs.of(endpointId);
    const last = { at: clock.now(), deliveryId: `d${COUNT - 1}` };
    await log.record({ type: 'DeliveryAttempted', data: { ...last, attempt: 1, status: 500, nextAt: clock.now() + 1 } });
    const schedule = queue.schedule.bind(queue);
    const scheduled: string[] = [];
    jest.spyOn(queue, 'schedule').mockImplementation(async (name, job) => {
      // While the first hundred are put back, the retry of the last one succeeds.
      if (scheduled.push(job.id) === 1) await log.record({ type: 'DeliveryAttempted', data: { ...last, attempt: 2, status: 204, end: 'succeeded' } });
      return schedule(name, job);
    });
    await reconcile.execute();
    expect(scheduled).toHaveLength(COUNT - 1);
    expect(scheduled).not.toContain(`${last.deliveryId}.2`);
  });

  it('asks the queue for done attempts once for a hundred overdue ones, and not at all for others', async () => {
    const { add, reconcile } = process();
    await Promise.all(Array.from({ length: COUNT }, (_, number) => add.execute(delivery(number))));
    const asked = jest.spyOn(queue, 'forgetDone');
    await reconcile.execute();
    expect(asked).not.toHaveBeenCalled();
    clock.advance(60_001);
    await reconcile.execute();
    expect(asked.mock.calls.map(([, ids]) => ids.length)).toEqual([100, 100, 50]);
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
