import { type ClientId, ServiceUnavailable } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';
import { SqliteJobQueue } from '#engines/job-queue';
import { Metrics, SilentLog } from '#telemetry';

import { deliveryLogStream } from '../streams.js';
import { DeliveryLogs } from '../delivery/delivery-logs.js';
import { WEBHOOK_QUEUE } from '../delivery/endpoint-share.js';
import { WebhookJobs } from '../delivery/webhook-jobs.js';
import { type NewDelivery, requested, retryRequested } from '../domain/delivery-request.js';
import { attempted, clock, DAY, endpointId, open, rows, store, useDeliveryLogs } from '#testkit/webhook/delivery-logs';
import { allEndpoints } from '#testkit/webhook/own-endpoints';
import { AddDelivery } from './add-delivery.js';
import { TakeDeliveryRequest } from './take-delivery-request.js';

useDeliveryLogs();

const deliveryId = '00000000-0000-4000-8000-0000000000d1';
const clientId = '00000000-0000-4000-8000-0000000000c1' as ClientId;

let queue: SqliteJobQueue;
let logs: DeliveryLogs;
let take: (message: CloudEvent<NewDelivery>) => Promise<void>;
beforeEach(() => {
  queue = new SqliteJobQueue({ path: ':memory:', clock, log: new SilentLog(), metrics: new Metrics() });
  logs = new DeliveryLogs({ store, clock, rows });
  const jobs = new WebhookJobs(queue, allEndpoints());
  const useCase = new TakeDeliveryRequest(new AddDelivery(logs, jobs, clock), logs, jobs, clock);
  take = (message) => useCase.execute(message);
});
afterEach(() => queue.close());

const request = () =>
  requested({
    clientId,
    endpointId,
    deliveryId,
    message: { type: 'session.cancelled', happenedAt: clock.now(), data: { sessionId: 's', sequence: 1 } },
  });
const another = (name: string) => {
  const { data } = request();
  const message = { ...data.message, data: { sessionId: name, sequence: 1 } };
  return requested({ ...data, message, deliveryId: `00000000-0000-4000-8000-0000000000${name}` });
};
const stored = async () => (await (await open()).find([deliveryId])).get(deliveryId);
const due = async () => (await queue.counts(WEBHOOK_QUEUE)).due;

describe('a request for a delivery', () => {
  it('is recorded and scheduled once, however often it comes', async () => {
    const message = request();
    await Promise.all([take(message), take(message)]);
    await take(message);
    expect(await store.read(deliveryLogStream(endpointId))).toHaveLength(1);
    expect(await due()).toBe(1);
  });

  it('of an event that the log may have forgotten is dropped: a dead letter may come again years later', async () => {
    const message = request();
    clock.advance(29 * DAY + 1);
    await take(message);
    expect(await stored()).toBeUndefined();
  });
});

describe('a request that', () => {
  /** Another process that owns the partition, with a memory of its own. */
  const owner = (jobQueue: Pick<SqliteJobQueue, 'schedule'>) => {
    const own = new DeliveryLogs({ store, clock, rows });
    const jobs = new WebhookJobs(jobQueue as SqliteJobQueue, allEndpoints());
    const useCase = new TakeDeliveryRequest(new AddDelivery(own, jobs, clock), own, jobs, clock);
    return (message: CloudEvent<NewDelivery>) => useCase.execute(message);
  };

  it('was recorded by an owner that died before the queue had its attempt is scheduled by the next owner, which gets it again', async () => {
    const dying = owner({ schedule: async () => Promise.reject(new ServiceUnavailable('the process dies')) });
    const message = request();
    await expect(dying(message)).rejects.toBeInstanceOf(ServiceUnavailable);
    expect([(await stored())?.state, await due()]).toEqual(['pending', 0]);
    await take(message);
    expect(await store.read(deliveryLogStream(endpointId))).toHaveLength(1);
    expect(await due()).toBe(1);
  });

  it('two processes handle, each as the owner, is recorded and scheduled once, and neither loses another request', async () => {
    const other = owner(queue);
    const [first, second, third] = [request(), another('d2'), another('d3')];
    await take(first);
    await Promise.all([other(first), other(second), take(second), take(third)]);
    expect(await store.read(deliveryLogStream(endpointId))).toHaveLength(3);
    expect(await due()).toBe(3);
  });

  it('comes again to an owner with an outdated memory does not schedule an attempt again that another owner has made', async () => {
    const message = request();
    await take(message);
    await queue.cancel(WEBHOOK_QUEUE, `${deliveryId}.1`);
    await (await open()).record(attempted(deliveryId, 1));
    await take(message);
    expect(await queue.cancel(WEBHOOK_QUEUE, `${deliveryId}.1`)).toBe(false);
  });
});

describe('a request for a retry', () => {
  const failed = async () => {
    await take(request());
    const log = await logs.of(endpointId);
    await log.record(attempted(deliveryId, 1));
    await log.record({ type: 'DeliveryEnded', data: { at: clock.now(), deliveryId, end: 'exhausted' } });
    return (await stored())!;
  };

  it('makes an ended delivery due again', async () => {
    const ended = await failed();
    await take(retryRequested(endpointId, ended));
    expect(await stored()).toMatchObject({ state: 'pending', attempts: 1, tries: 0 });
  });

  it('that comes again after the retried delivery has ended changes nothing', async () => {
    const retry = retryRequested(endpointId, await failed());
    await take(retry);
    await take(retry);
    await (await logs.of(endpointId)).record(attempted(deliveryId, 2, 'succeeded'));
    await take(retry);
    expect(await stored()).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  it('of a delivery that the log does not hold changes nothing', async () => {
    await take(retryRequested(endpointId, { ...(await failed()), deliveryId: '00000000-0000-4000-8000-0000000000d2' }));
    expect(await store.read(deliveryLogStream(endpointId))).toHaveLength(3);
  });
});
