import { streamName } from '#event-store';
import { SqliteJobQueue } from '#job-queue';
import type { EndpointId } from '#kernel';
import { SESSION_EVENTS_TOPIC } from '#session';
import { GATE_LIMITS } from '#webhook';

import { dispatcherFixture, until } from './dispatcher.fixture.js';
import { answering, type Receiver, well } from './receiver.js';

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
    await dispatcher.world.happens(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
  }
};
const attempted = (endpointId: EndpointId, attempts: number) => until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === attempts);

describe('an endpoint that hangs', () => {
  it('holds a bounded number of attempts, and nobody else waits for it', async () => {
    const hanging = await dispatcher.receiver();
    hanging.behaviour = () => undefined;
    const slow = await dispatcher.endpoint(hanging.url);
    await dispatcher.endpoint(receiver.url);
    await cancelled(SESSIONS);
    await until(() => receiver.received.length === SESSIONS);
    expect(hanging.received.length).toBeLessThanOrEqual(GATE_LIMITS.inFlight);
    expect((await dispatcher.deliveries(slow.endpointId)).map(({ state }) => state)).toEqual(Array.from({ length: SESSIONS }, () => 'pending'));
  });

  it('is tried again after the process was stopped in the middle: that attempt does not count', async () => {
    receiver.behaviour = () => undefined;
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    await until(() => receiver.received.length === 1);
    receiver.behaviour = well;
    await dispatcher.restart();
    await dispatcher.settled(endpointId, ['succeeded']);
    expect((await dispatcher.deliveries(endpointId))[0]?.attempts).toEqual([{ at: dispatcher.clock.now(), status: 204 }]);
  });
});

describe('an endpoint that fails again and again', () => {
  it('is left alone for a while, and then one attempt finds out', async () => {
    receiver.behaviour = answering(500);
    await dispatcher.endpoint(receiver.url);
    await cancelled(SESSIONS);
    await until(() => receiver.received.length >= GATE_LIMITS.failures);
    await until(async () => (await dispatcher.platform.jobQueue.counts('webhook-attempts')).scheduled === SESSIONS);
    const before = receiver.received.length;
    expect(before).toBeLessThan(GATE_LIMITS.failures + GATE_LIMITS.inFlight);
    receiver.behaviour = () => undefined;
    dispatcher.clock.advance(2_500);
    await until(() => receiver.received.length === before + 1);
  });
});

describe('when the queue has lost everything', () => {
  it('what is due is put back at its time, with its attempts counted', async () => {
    receiver.behaviour = answering(500);
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled();
    await attempted(endpointId, 1);
    dispatcher.clock.advance(6_001);
    await attempted(endpointId, 2);
    const due = (await dispatcher.deliveries(endpointId))[0]?.nextAt ?? 0;
    receiver.behaviour = well;

    const { log, metrics } = dispatcher.platform;
    const empty = new SqliteJobQueue({ path: ':memory:', clock: dispatcher.clock, log, metrics });
    await dispatcher.restart(empty);
    dispatcher.clock.advance(due - 1 - dispatcher.clock.now());
    await until(async () => (await empty.counts('webhook-attempts')).scheduled === 1);
    expect(await empty.counts('webhook-attempts')).toMatchObject({ scheduled: 1, due: 0 });
    expect(receiver.received).toHaveLength(2);
    dispatcher.clock.advance(1);
    const [delivery] = await dispatcher.settled(endpointId, ['succeeded']);
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);
  });

  it('what has ended is not sent again, also when the bus tells of it again', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await cancelled(3);
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded', 'succeeded']);
    await dispatcher.platform.eventStore.delete(streamName('busoffset', `${SESSION_EVENTS_TOPIC}.webhooks`));
    await dispatcher.restart();
    await cancelled();
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
    expect(receiver.received).toHaveLength(4);
  });
});
