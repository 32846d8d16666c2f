import { useCasesOf } from '#service/platform';
import type { ServerResponse } from 'node:http';

import { eventually } from '#testkit/kernel/eventually';
import { type AttemptPayload, RetryLater, WEBHOOK_QUEUE } from '#domain/webhook';

import { dispatcherFixture } from './dispatcher.fixture.js';
import { answering, type Receiver } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
/** Another process over the same store and queue. The test calls its use cases itself. */
let other: ReturnType<ReturnType<typeof useCasesOf>['webhookDispatch']>;
const dispatch = () => {
  const replica = useCasesOf(dispatcher.platform).webhookDispatch();
  replica.assigned({ partitions: 1, owned: [0] });
  return replica;
};
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
  other = dispatch();
});
afterEach(async () => {
  await dispatcher.close();
});

describe('two replicas', () => {
  it('never send two messages about one session at once: the second waits until the attempt before it has ended', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    const sessionId = await dispatcher.session();
    const { clientId } = dispatcher.sessions.client;
    const attempt = (deliveryId: string, number: number): AttemptPayload => ({ version: 1, clientId, endpointId, deliveryId, attempt: number });
    const running = new AbortController().signal;

    receiver.behaviour = answering(500);
    await dispatcher.sessions.scan(sessionId);
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    const [scanned] = await dispatcher.deliveries(endpointId);
    await eventually(async () => dispatcher.platform.jobQueue.cancel(WEBHOOK_QUEUE, `${scanned?.deliveryId}.2`));
    dispatcher.clock.advance(2_000);
    let held: ServerResponse | undefined;
    receiver.behaviour = (response) => (held = response);
    const retry = other.attemptDelivery.execute(attempt(scanned?.deliveryId ?? '', 2), running);
    await eventually(() => held !== undefined);

    const at = dispatcher.clock.now();
    await dispatcher.sessions.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', codeExpiresAt: at + 60_000, at } });
    await eventually(async () => (await dispatcher.deliveries(endpointId)).length === 2);
    const confirmed = (await dispatcher.deliveries(endpointId))[1];
    const third = dispatch();
    expect(await third.attemptDelivery.execute(attempt(confirmed?.deliveryId ?? '', 1), running)).toBeInstanceOf(RetryLater);
    expect(receiver.types()).toEqual(['session.scanned', 'session.scanned']);

    receiver.behaviour = answering(204);
    held?.writeHead(204).end();
    expect(await retry).toBeUndefined();
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded']);
    expect(receiver.types()).toEqual(['session.scanned', 'session.scanned', 'session.confirmed']);
  });
});
