import { streamName } from '#engines/event-store';
import { SqliteJobQueue } from '#engines/job-queue';
import type { EndpointId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { SESSION_EVENTS_TOPIC } from '#domain/session';
import { GATE_LIMITS } from '#domain/webhook';

import { dispatcherFixture } from './dispatcher.fixture.js';
import { answering, type Receiver, answersNoContent } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
});
afterEach(() => dispatcher.close());

const SESSIONS = 100;

const cancelled = async (count = 1): Promise<void> => {
  for (let done = 0; done < count; done++) {
    const sessionId = await dispatcher.session();
    await dispatcher.sessions.append(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
  }
};
const attempted = (endpointId: EndpointId, attempts: number) =>
  eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === attempts);

describe('an endpoint that hangs', () => {
  it('holds a bounded number of attempts, and does not delay other endpoints', async () => {
    const hanging = await dispatcher.receiver();
    hanging.behaviour = () => undefined;
    const slow = await dispatcher.endpoint(hanging.url);
    await dispatcher.endpoint(receiver.url);
    await cancelled(SESSIONS);
    // On a busy machine more attempts come at once than an endpoint gets, and those are made again a little later.
    await eventually(() => {
      if (receiver.received.length < SESSIONS) dispatcher.clock.advance(20);
      return receiver.received.length === SESSIONS;
    });
    expect(hanging.received.length).toBeLessThanOrEqual(GATE_LIMITS.inFlight);
    expect((await dispatcher.deliveries(slow.endpointId)).map(({ state }) => state)).toEqual(Array.from({ length: SESSIONS }, () => 'pending'));
  });

  it('is tried again after the process stopped during an attempt, which does not count', async () => {
    receiver.behaviour = () => undefined;
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    await eventually(() => receiver.received.length === 1);
    receiver.behaviour = answersNoContent;
    await dispatcher.restart();
    await dispatcher.settled(endpointId, ['succeeded']);
    expect((await dispatcher.deliveries(endpointId))[0]?.attempts).toEqual([{ at: dispatcher.clock.now(), status: 204 }]);
  });
});

describe('an endpoint that asked for an hour by Retry-After', () => {
  const asked = async (): Promise<EndpointId> => {
    receiver.behaviour = answering(429, { 'retry-after': '3600' });
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    await attempted(endpointId, 1);
    receiver.behaviour = answersNoContent;
    return endpointId;
  };

  it.each([
    ['', () => dispatcher.platform.jobQueue],
    [
      ', also with a queue that lost its jobs',
      () => {
        const { log, metrics } = dispatcher.platform;
        return new SqliteJobQueue({ path: ':memory:', clock: dispatcher.clock, log, metrics });
      },
    ],
  ])('gets it after a restart, too%s', async (_, queueOfRestart) => {
    const endpointId = await asked();
    const queue = queueOfRestart();
    await dispatcher.restart(queue);
    dispatcher.clock.advance(3_599_999);
    await eventually(async () => (await queue.counts('webhook-attempts')).scheduled === 1);
    expect(receiver.received).toHaveLength(1);
    dispatcher.clock.advance(1);
    await dispatcher.settled(endpointId, ['succeeded']);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('an endpoint that fails repeatedly', () => {
  it('is paused, then gets a single attempt', async () => {
    receiver.behaviour = answering(500);
    await dispatcher.endpoint(receiver.url);
    await cancelled(SESSIONS);
    await eventually(() => receiver.received.length >= GATE_LIMITS.failures);
    // All of them, and the proof of the endpoint, which waits for a later time.
    await eventually(async () => (await dispatcher.platform.jobQueue.counts('webhook-attempts')).scheduled === SESSIONS + 1);
    const before = receiver.received.length;
    expect(before).toBeLessThan(GATE_LIMITS.failures + GATE_LIMITS.inFlight);
    receiver.behaviour = () => undefined;
    dispatcher.clock.advance(2_500);
    await eventually(() => receiver.received.length === before + 1);
  });
});

describe('when the queue has lost all jobs', () => {
  it('pending deliveries are scheduled again for their time, with the number of their attempt', async () => {
    receiver.behaviour = answering(500);
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    await attempted(endpointId, 1);
    dispatcher.clock.advance(6_001);
    await attempted(endpointId, 2);
    const due = (await dispatcher.deliveries(endpointId))[0]?.nextAt ?? 0;
    receiver.behaviour = answersNoContent;

    const { log, metrics } = dispatcher.platform;
    const empty = new SqliteJobQueue({ path: ':memory:', clock: dispatcher.clock, log, metrics });
    await dispatcher.restart(empty);
    dispatcher.clock.advance(due - 1 - dispatcher.clock.now());
    await eventually(async () => (await empty.counts('webhook-attempts')).scheduled === 1);
    expect(await empty.counts('webhook-attempts')).toMatchObject({ scheduled: 1, due: 0 });
    expect(receiver.received).toHaveLength(2);
    dispatcher.clock.advance(1);
    const [delivery] = await dispatcher.settled(endpointId, ['succeeded']);
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);
  });

  it('ended deliveries are not sent again, even if the bus repeats their events', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled(3);
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded', 'succeeded']);
    // The group's offset is forgotten: it expires.
    await dispatcher.platform.eventStore.setRetention(streamName('busoffset', `${SESSION_EVENTS_TOPIC}.webhooks`), { maxAge: 1 });
    dispatcher.clock.advance(1_000);
    await dispatcher.restart();
    await cancelled();
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
    expect(receiver.received).toHaveLength(4);
  });
});
