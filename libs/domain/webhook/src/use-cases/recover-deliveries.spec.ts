import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable, NO_STREAM, SqliteEventStore, type StreamName, streamName } from '#engines/event-store';
import { SqliteJobQueue } from '#engines/job-queue';
import { type ClientId, type EndpointId, type SessionId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { CloudEvent } from '#engines/message-bus';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import { WEBHOOK_EVENT_TYPES, type WebhookEndpoints } from '#domain/relying-party';
import { FindSessionsOfClient, SessionPublication, sessionsProjection } from '#domain/session';
import { Metrics, SilentLog } from '#telemetry';

import { deliveriesProjection } from '../read-models/deliveries-projection.js';
import { DeliveryRows } from '../read-models/delivery-rows.js';
import { DeliveryLogs } from '../delivery/delivery-logs.js';
import { DeliveryRequests } from '../delivery/delivery-requests.js';
import type { NewDelivery } from '../domain/delivery-request.js';
import { WEBHOOK_QUEUE } from '../delivery/endpoint-share.js';
import { WebhookJobs } from '../delivery/webhook-jobs.js';
import { allEndpoints } from '#testkit/webhook/own-endpoints';
import { enveloped } from '#testkit/session/enveloped';
import { AddDelivery } from './add-delivery.js';
import { RecoverDeliveries, type TimeSpan } from './recover-deliveries.js';
import { TakeDeliveryRequest } from './take-delivery-request.js';

const clientId = '00000000-0000-4000-8000-0000000000c1' as ClientId;
const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
const endpoints = { toCall: async () => [{ endpointId, eventTypes: WEBHOOK_EVENT_TYPES }] } as unknown as WebhookEndpoints;
const randomness = new SystemRandomness();
const DAY = 86_400_000;

let clock: FixedClock;
let all: TimeSpan;
let eventStore: SqliteEventStore;
let queue: SqliteJobQueue;
let projections: Projections;
let recover: RecoverDeliveries;
beforeEach(() => {
  clock = new FixedClock();
  all = { since: 0, until: clock.now() + 1 };
  eventStore = new SqliteEventStore({ path: ':memory:', clock });
  queue = new SqliteJobQueue({ path: ':memory:', clock, log: new SilentLog(), metrics: new Metrics() });
  projections = projectionsInMemory(eventStore);
  const rows = new DeliveryRows(projections.follow(deliveriesProjection));
  const logs = new DeliveryLogs({ store: eventStore, clock, rows });
  const jobs = new WebhookJobs(queue, allEndpoints());
  const take = new TakeDeliveryRequest(new AddDelivery(logs, jobs, clock), logs, jobs, clock);
  const send = async (_: string, messages: readonly CloudEvent[]): Promise<void> => {
    for (const message of messages) await take.execute(message as CloudEvent<NewDelivery>);
  };
  recover = new RecoverDeliveries({
    sessions: new FindSessionsOfClient(projections.follow(sessionsProjection(30 * DAY)), 3),
    endpoints,
    logs,
    requests: new DeliveryRequests({ send }),
    publication: new SessionPublication(eventStore),
    clock,
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await queue.close();
  await projections.close();
  await eventStore.close();
});

/** A session that was created and cancelled. */
const cancelled = async (by = clientId): Promise<StreamName> => {
  const stream = streamName('session', randomness.uuid<SessionId>());
  const at = clock.now();
  const created = { clientId: by, signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed: '', at, expiresAt: at + 120_000 };
  const events = [
    { type: 'SessionCreated', data: created },
    { type: 'SessionCancelled', data: { reason: 'LEFT', at } },
  ];
  await eventStore.append(stream, NO_STREAM, enveloped(events));
  return stream;
};
const due = async () => (await queue.counts(WEBHOOK_QUEUE)).due;

describe('recovering the deliveries of an endpoint', () => {
  it('makes due, once, the events that never became a delivery', async () => {
    await cancelled();
    await cancelled();
    expect(await recover.execute(clientId, endpointId, all)).toBe(2);
    expect(await recover.execute(clientId, endpointId, all)).toBe(0);
    expect(await due()).toBe(2);
  });

  it('leaves out events outside the span', async () => {
    await cancelled();
    expect(await recover.execute(clientId, endpointId, { since: 0, until: clock.now() })).toBe(0);
    expect(await recover.execute(clientId, endpointId, { since: clock.now() + 1, until: clock.now() + 2 })).toBe(0);
  });

  it('leaves out events whose delivery the log may have forgotten', async () => {
    await cancelled();
    expect(await recover.execute(clientId, endpointId, all)).toBe(1);
    clock.advance(29 * DAY);
    await cancelled();
    clock.advance(1);
    expect(await recover.execute(clientId, endpointId, { since: 0, until: clock.now() })).toBe(1);
    clock.advance(DAY);
    expect(await recover.execute(clientId, endpointId, { since: 0, until: clock.now() })).toBe(0);
  });

  it('fails when the store is unavailable on the way', async () => {
    await cancelled();
    const messages = jest.spyOn(SessionPublication.prototype, 'messagesOf').mockRejectedValueOnce(new EventStoreUnavailable('no answer'));
    await expect(recover.execute(clientId, endpointId, all)).rejects.toThrow(EventStoreUnavailable);
    messages.mockRestore();
    expect(await recover.execute(clientId, endpointId, all)).toBe(1);
  });

  it('leaves out an event that only a newer version can publish', async () => {
    await cancelled();
    const stream = await cancelled();
    await eventStore.append(stream, 1, enveloped([{ type: 'SessionFrozen', data: { at: clock.now() } }]));
    expect(await recover.execute(clientId, endpointId, all)).toBe(2);
  });

  it('reads no session of another client, however many there are', async () => {
    const own = [await cancelled(), await cancelled()];
    for (let count = 0; count < 50; count += 1) await cancelled(randomness.uuid<ClientId>());
    // Once the index shows them: it follows the store by itself.
    await recover.execute(clientId, endpointId, { since: 0, until: 1 });
    const read = jest.spyOn(eventStore, 'read');
    const handed = jest.spyOn(SessionPublication.prototype, 'message');
    expect(await recover.execute(clientId, endpointId, all)).toBe(2);
    const streams = read.mock.calls.map(([stream]) => stream).filter((stream) => stream.startsWith('session-'));
    expect(streams.toSorted()).toEqual(own.toSorted());
    expect(handed).toHaveBeenCalledTimes(4);
  });

  it('goes over more sessions than one query answers, each once', async () => {
    for (let count = 0; count < 10; count += 1) await cancelled();
    expect(await recover.execute(clientId, endpointId, all)).toBe(10);
    expect(await recover.execute(clientId, endpointId, all)).toBe(0);
  });
});
