import type { ServerResponse } from 'node:http';

import { type AttemptPayload, NotNow, WEBHOOK_QUEUE, webhookDispatch } from '#webhook';

import { dispatcherFixture, until } from './dispatcher.fixture.js';
import { answering, type Receiver } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
/** Another process over the same store and queue, whose jobs the test hands out itself. */
let other: ReturnType<typeof webhookDispatch>;
const dispatch = () => webhookDispatch(dispatcher.platform, { attempted: () => undefined, ended: () => undefined, disabled: () => undefined });
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
  other = dispatch();
});
afterEach(async () => {
  other.close();
  await dispatcher.close();
});

describe('two replicas', () => {
  it('never send two messages about one session at once: the second waits for the end of the attempt before it', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    const sessionId = await dispatcher.session();
    const { clientId } = dispatcher.world.client;
    const attempt = (deliveryId: string, number: number): AttemptPayload => ({ version: 1, clientId, endpointId, deliveryId, attempt: number });
    const running = new AbortController().signal;

    receiver.behaviour = answering(500);
    await dispatcher.world.scan(sessionId);
    await until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    const [scanned] = await dispatcher.deliveries(endpointId);
    await until(async () => dispatcher.platform.jobQueue.cancel(WEBHOOK_QUEUE, `${scanned?.deliveryId}.2`));
    dispatcher.clock.advance(2_000);
    let held: ServerResponse | undefined;
    receiver.behaviour = (response) => (held = response);
    const retry = other.attemptDelivery.execute(attempt(scanned?.deliveryId ?? '', 2), running);
    await until(() => held !== undefined);

    const at = dispatcher.clock.now();
    await dispatcher.world.happens(sessionId, { type: 'SessionConfirmed', data: { signature: '', codeExpiresAt: at + 60_000, at } });
    await until(async () => (await dispatcher.deliveries(endpointId)).length === 2);
    const confirmed = (await dispatcher.deliveries(endpointId))[1];
    const third = dispatch();
    expect(await third.attemptDelivery.execute(attempt(confirmed?.deliveryId ?? '', 1), running)).toBeInstanceOf(NotNow);
    third.close();
    expect(receiver.types()).toEqual(['session.scanned', 'session.scanned']);

    receiver.behaviour = answering(204);
    held?.writeHead(204).end();
    expect(await retry).toBeUndefined();
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded']);
    expect(receiver.types()).toEqual(['session.scanned', 'session.scanned', 'session.confirmed']);
  });
});
