import type { ServerResponse } from 'node:http';

import { eventually } from '#testkit/kernel/eventually';
import { verifyWebhook } from '#clients/relying-party';
import { EndpointNotConfirmed } from '#domain/relying-party';

import { dispatcherFixture, type Endpoint } from './dispatcher.fixture.js';
import { answering, type Received, type Receiver } from './receiver.js';

const MINUTE = 60_000;

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
});
afterEach(() => dispatcher.close());

const clientId = () => dispatcher.sessions.client.clientId;
const isRight = (secret: string, { headers, text }: Received): boolean => {
  try {
    verifyWebhook({ headers, body: text, secrets: [secret], now: dispatcher.clock.now() });
    return true;
  } catch {
    return false;
  }
};
const shown = async ({ endpointId }: Endpoint) =>
  (await dispatcher.administration.listWebhookEndpoints.execute(clientId())).find((each) => each.endpointId === endpointId);
const because = async (endpoint: Endpoint) => (await shown(endpoint))?.unconfirmed?.because;
const ping = ({ endpointId }: Endpoint) => dispatcher.administration.pingWebhookEndpoint.execute(clientId(), endpointId);
/** The listed deliveries, the proofs too, in the order of their addition. */
const listed = async ({ endpointId }: Endpoint) =>
  (await dispatcher.administration.listDeliveries.execute(clientId(), endpointId, { limit: 100 })).entries.toReversed();
/** Asks for a proof; the delivery once it has ended. */
const proved = async (endpoint: Endpoint) => {
  const deliveryId = await ping(endpoint);
  const found = async () => (await listed(endpoint)).find((each) => each.deliveryId === deliveryId);
  await eventually(async () => ((await found())?.state ?? 'pending') !== 'pending');
  return (await found())!;
};
/** Answers as a receiver that verifies with this secret. */
const verifying =
  (secret: () => string): Receiver['behaviour'] =>
  (response, received) =>
    void response.writeHead(isRight(secret(), received) ? 204 : 400).end();
const unconfirmed = () => dispatcher.unconfirmedEndpoint(receiver.url);
const happens = async () => dispatcher.sessions.confirm(await dispatcher.session());

describe('a new endpoint', () => {
  it('gets nothing and recovers nothing until its receiver has proved that it verifies; then it recovers what it missed', async () => {
    const endpoint = await unconfirmed();
    expect(await because(endpoint)).toBe('NOT_TRIED');
    receiver.behaviour = verifying(() => endpoint.secret);
    await happens();
    const span = { since: 0, until: dispatcher.clock.now() + 1 };
    const recover = () => dispatcher.administration.recoverDeliveries.execute(clientId(), endpoint.endpointId, span);
    await expect(recover()).rejects.toBeInstanceOf(EndpointNotConfirmed);
    expect((await proved(endpoint)).state).toBe('succeeded');
    expect(await shown(endpoint)).not.toHaveProperty('unconfirmed');
    expect(receiver.types()).toEqual(Array<string>(6).fill('endpoint.ping'));
    expect(await recover()).toBe(2);
    await dispatcher.settled(endpoint.endpointId, ['succeeded', 'succeeded']);
    await happens();
    await dispatcher.settled(endpoint.endpointId, ['succeeded', 'succeeded', 'succeeded', 'succeeded']);
  });

  it('gets three rightly and three wrongly signed pings, alike in all but the signature, whose order is not always the same', async () => {
    const endpoint = await unconfirmed();
    const orders = new Set<string>();
    for (let count = 0; count < 8; count += 1) {
      receiver.received.length = 0;
      await proved(endpoint);
      const signatures = receiver.received.map((each) => isRight(endpoint.secret, each));
      expect(signatures.toSorted()).toEqual([false, false, false, true, true, true]);
      orders.add(signatures.join());
      expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(6);
      const form = ({ headers }: Received) =>
        JSON.stringify([Object.keys(headers), headers['webhook-timestamp'], String(headers['webhook-signature']).length]);
      expect(new Set(receiver.received.map(form)).size).toBe(1);
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  it('is tried by itself one, five and thirty minutes after it was made, and no more', async () => {
    const endpoint = await unconfirmed();
    const at = dispatcher.clock.now();
    receiver.behaviour = answering(200);
    const tries: number[] = [];
    const proof = async () => (await dispatcher.proofs(endpoint.endpointId))[0];
    await eventually(async () => (await proof())?.state === 'pending');
    expect(await listed(endpoint)).toEqual([]);
    dispatcher.clock.advance(MINUTE - 1);
    for (const after of [1, 5, 30]) {
      if (after > 1) await eventually(async () => (await proof())?.nextAt === at + after * MINUTE);
      expect(receiver.received).toHaveLength(6 * tries.length);
      dispatcher.clock.advance(at + after * MINUTE - dispatcher.clock.now());
      tries.push(after);
      await eventually(() => receiver.received.length === 6 * tries.length);
    }
    await eventually(async () => (await proof())?.state === 'exhausted');
    await eventually(async () => (await listed(endpoint))[0]?.state === 'exhausted');
    expect((await listed(endpoint))[0]?.attempts).toEqual(
      tries.map((after) => ({ at: at + after * MINUTE, status: 200, error: 'wrong_signature_not_refused' })),
    );
    expect(await because(endpoint)).toBe('WRONG_NOT_REFUSED');
  });

  it('is confirmed by itself a minute after it was made, and not tried again', async () => {
    const endpoint = await unconfirmed();
    receiver.behaviour = verifying(() => endpoint.secret);
    await eventually(async () => (await dispatcher.proofs(endpoint.endpointId)).length === 1);
    dispatcher.clock.advance(MINUTE);
    await eventually(async () => (await shown(endpoint))?.unconfirmed === undefined);
    dispatcher.clock.advance(30 * MINUTE);
    await eventually(async () => (await listed(endpoint))[0]?.state === 'succeeded');
    expect(receiver.received).toHaveLength(6);
  });

  it('is told apart in the metrics', async () => {
    const endpoint = await unconfirmed();
    receiver.behaviour = answering(500);
    await proved(endpoint);
    receiver.behaviour = verifying(() => endpoint.secret);
    await proved(endpoint);
    const metric = await dispatcher.platform.metrics.registry.getSingleMetricAsString('webhook_proofs_total');
    expect(metric).toContain('webhook_proofs_total{outcome="RIGHT_REFUSED"} 1');
    expect(metric).toContain('webhook_proofs_total{outcome="CONFIRMED"} 1');
  });
});

describe('a receiver that does not verify', () => {
  const right = (secret: () => string, whenRight: number, whenWrong: number): Receiver['behaviour'] => {
    return (response: ServerResponse, received: Received) => void response.writeHead(isRight(secret(), received) ? whenRight : whenWrong).end();
  };
  it.each([
    ['takes everything with 200', 200, 200, 'WRONG_NOT_REFUSED', 200],
    ['takes everything with 204', 204, 204, 'WRONG_NOT_REFUSED', 204],
    ['refuses everything with 400', 400, 400, 'RIGHT_REFUSED', 400],
    ['asks everybody to log in', 401, 401, 'RIGHT_REFUSED', 401],
    ['knows no such page', 404, 404, 'RIGHT_REFUSED', 404],
    ['is broken by wrong signatures', 204, 500, 'WRONG_NOT_REFUSED', 500],
    ['redirects', 302, 302, 'RIGHT_REFUSED', 302],
    ['says that it is gone', 410, 410, 'RIGHT_REFUSED', 410],
    ['has it the wrong way round', 400, 204, 'WRONG_NOT_REFUSED', 204],
    ['takes right ones by a redirect', 302, 400, 'RIGHT_REFUSED', 302],
  ])('and %s is not confirmed', async (_, whenRight, whenWrong, why, status) => {
    const endpoint = await unconfirmed();
    receiver.behaviour = right(() => endpoint.secret, whenRight, whenWrong);
    const { state, attempts } = await proved(endpoint);
    expect([state, attempts]).toEqual(['exhausted', [expect.objectContaining({ status })]]);
    expect(await shown(endpoint)).toMatchObject({ disabledBecause: null, unconfirmed: { because: why } });
    expect(receiver.received).toHaveLength(6);
  });

  it('and verifies with the secret of another endpoint is not confirmed', async () => {
    const endpoint = await unconfirmed();
    const other = await unconfirmed();
    receiver.behaviour = verifying(() => other.secret);
    expect((await proved(endpoint)).state).toBe('exhausted');
    expect(await because(endpoint)).toBe('RIGHT_REFUSED');
  });

  it('and answers every second message is not confirmed', async () => {
    const endpoint = await unconfirmed();
    receiver.behaviour = (response, { headers }) => void response.writeHead(String(headers['webhook-id']) < '8' ? 204 : 400).end();
    const { state } = await proved(endpoint);
    const passed = receiver.received.every((each) => isRight(endpoint.secret, each) === String(each.headers['webhook-id']) < '8');
    expect(state).toBe(passed ? 'succeeded' : 'exhausted');
  });

  it('and breaks the connection is tried once for each proof', async () => {
    const endpoint = await unconfirmed();
    receiver.behaviour = (response) => void response.destroy();
    const { state, attempts } = await proved(endpoint);
    expect([state, attempts]).toEqual(['exhausted', [expect.objectContaining({ error: 'connection_failed' })]]);
    expect(await because(endpoint)).toBe('NO_ANSWER');
    expect(receiver.received).toHaveLength(1);
  });

  it('and answers with more than a megabyte is judged by its status', async () => {
    const endpoint = await unconfirmed();
    receiver.behaviour = (response) => void response.writeHead(200).end(Buffer.alloc(2_000_000));
    expect((await proved(endpoint)).attempts[0]).toMatchObject({ status: 200 });
    expect(await because(endpoint)).toBe('WRONG_NOT_REFUSED');
  });

  it('is not called by a retry of the proof', async () => {
    const endpoint = await unconfirmed();
    const { deliveryId } = await proved(endpoint);
    await expect(dispatcher.administration.retryDelivery.execute(clientId(), endpoint.endpointId, deliveryId)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
