import { type AddressInfo, createServer, type Socket } from 'node:net';

import { EndpointHealth, ListWebhookEndpoints, RecoverDeliveries, RetryDelivery } from '#webhook';

import { dispatcherFixture, until } from './dispatcher.fixture.js';
import { answering, type Receiver, well } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
});
afterEach(() => dispatcher.close());

const cancelled = async (): Promise<string> => {
  const sessionId = await dispatcher.session();
  await dispatcher.world.happens(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
  return sessionId;
};
const endpointOf = async (endpointId: string) =>
  (await dispatcher.useCase(ListWebhookEndpoints).execute(dispatcher.world.client.clientId)).find((each) => each.endpointId === endpointId);
/** Lets time pass until so many messages have arrived. */
const arrived = (count: number, step: number) =>
  until(() => {
    if (receiver.received.length >= count) return true;
    dispatcher.clock.advance(step);
    return false;
  });

describe('a message that fails', () => {
  it('is sent again under the same id, with another time-stamp, until it arrives', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await cancelled();
    await until(() => receiver.received.length === 1);
    receiver.behaviour = well;
    await arrived(2, 500);
    const [delivery] = await dispatcher.settled(endpointId, ['succeeded']);
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 204]);
    const wait = (delivery?.attempts[1]?.at ?? 0) - (delivery?.attempts[0]?.at ?? 0);
    expect(wait).toBeGreaterThanOrEqual(4_000); // 5 s, less a fifth
    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.text).toBe(first?.text);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  });

  it('of a terminal state is tried ten times and then given up', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(503);
    await cancelled();
    await arrived(10, 30 * 60_000);
    const [delivery] = await dispatcher.settled(endpointId, ['exhausted']);
    expect(delivery?.attempts).toHaveLength(10);
  });

  it('of a screen somebody waits at lapses after five tries', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(404);
    await dispatcher.world.scan(await dispatcher.session());
    await arrived(5, 1_000);
    const [delivery] = await dispatcher.settled(endpointId, ['lapsed']);
    expect(delivery?.attempts).toHaveLength(5);
  });

  it('is superseded when the session has gone on to something the endpoint is told, and lapses when it is not', async () => {
    const all = await dispatcher.endpoint(receiver.url);
    const scans = await dispatcher.endpoint(receiver.url, { eventTypes: ['session.scanned'] });
    receiver.behaviour = (response, { body }) => void response.writeHead(body.type === 'session.scanned' ? 500 : 204).end();
    const sessionId = await dispatcher.session();
    await dispatcher.world.confirm(sessionId);
    await until(() => receiver.received.length === 3);
    dispatcher.clock.advance(2_000);
    await dispatcher.settled(all.endpointId, ['superseded', 'succeeded']);
    await dispatcher.settled(scans.endpointId, ['lapsed']);
    expect(receiver.types().toSorted()).toEqual(['session.confirmed', 'session.scanned', 'session.scanned']);
  });

  it('waits as long as the receiver asks, within bounds', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(429, { 'retry-after': '3600' });
    await cancelled();
    await until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect((await dispatcher.deliveries(endpointId))[0]?.nextAt).toBe(dispatcher.clock.now() + 10_000);
  });

  it('is not sent where a redirect points', async () => {
    const inside = await dispatcher.receiver();
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(302, { location: inside.url });
    await cancelled();
    await until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect(inside.received).toEqual([]);
    expect((await dispatcher.deliveries(endpointId))[0]).toMatchObject({ state: 'pending', attempts: [{ status: 302 }] });
  });

  it('says why when nobody answers', async () => {
    const server = createServer((socket: Socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { endpointId } = await dispatcher.endpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await cancelled();
    await until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect((await dispatcher.deliveries(endpointId))[0]).toMatchObject({ state: 'pending', attempts: [{ error: 'connection_failed' }] });
    server.close();
  });

  it('can be sent again by staff when it was given up', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await dispatcher.world.scan(await dispatcher.session());
    await arrived(5, 1_000);
    const [delivery] = await dispatcher.settled(endpointId, ['lapsed']);
    receiver.behaviour = well;
    await dispatcher.useCase(RetryDelivery).execute(dispatcher.world.client.clientId, endpointId, delivery?.deliveryId ?? '');
    expect((await dispatcher.settled(endpointId, ['succeeded']))[0]?.attempts).toHaveLength(6);
  });
});

describe('an endpoint', () => {
  it('that answers 410 is disabled, and what is under way to it ends', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await cancelled();
    await until(() => receiver.received.length === 1);
    receiver.behaviour = answering(410);
    await cancelled();
    await until(() => receiver.received.length === 2);
    await until(async () => (await endpointOf(endpointId))?.disabledBecause === 'GONE');
    dispatcher.clock.advance(10_000);
    await dispatcher.settled(endpointId, ['disabled', 'disabled']);
    await cancelled();
    expect(receiver.received).toHaveLength(2);
  });

  it('that fails for five days is disabled', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await cancelled();
    await until(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect(await dispatcher.useCase(EndpointHealth).failingSince(endpointId)).toBe(dispatcher.clock.now());
    dispatcher.clock.advance(5 * 86_400_000);
    await until(async () => (await endpointOf(endpointId))?.disabledBecause === 'FAILING');
  });

  it('that was away is told what it missed, when staff recover it', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url, { eventTypes: ['session.scanned', 'session.cancelled'] });
    receiver.behaviour = answering(500);
    await dispatcher.world.scan(await dispatcher.session());
    await arrived(5, 1_000);
    await dispatcher.settled(endpointId, ['lapsed']);
    receiver.behaviour = well;
    const span = { since: 0, until: dispatcher.clock.now() + 1 };
    expect(await dispatcher.useCase(RecoverDeliveries).execute(dispatcher.world.client.clientId, endpointId, span)).toBe(1);
    await dispatcher.settled(endpointId, ['succeeded']);
  });
});
