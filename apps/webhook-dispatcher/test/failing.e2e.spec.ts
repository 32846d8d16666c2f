import { type AddressInfo, createServer, type Socket } from 'node:net';

import { eventually } from '#testkit/kernel/eventually';
import { streamName } from '#engines/event-store';

import { dispatcherFixture } from './dispatcher.fixture.js';
import { answering, type Receiver, answersNoContent } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
});
afterEach(() => dispatcher.close());

const cancelled = async (): Promise<string> => {
  const sessionId = await dispatcher.session();
  await dispatcher.sessions.append(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
  return sessionId;
};
const endpointOf = async (endpointId: string) =>
  (await dispatcher.administration.listWebhookEndpoints.execute(dispatcher.sessions.client.clientId)).find((each) => each.endpointId === endpointId);
/** Moves the clock in steps until that many messages have arrived. */
const arrived = (count: number, step: number) =>
  eventually(() => {
    if (receiver.received.length >= count) return true;
    dispatcher.clock.advance(step);
    return false;
  });

describe('a message that fails', () => {
  it('is sent again under the same id, with another time-stamp, until it arrives', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await cancelled();
    await eventually(() => receiver.received.length === 1);
    receiver.behaviour = answersNoContent;
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

  it('of a final status is given up after ten attempts', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(503);
    await cancelled();
    await arrived(10, 4 * 3_600_000);
    const [delivery] = await dispatcher.settled(endpointId, ['exhausted']);
    expect(delivery?.attempts).toHaveLength(10);
  });

  it('of the interactive schedule lapses after five attempts', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(404);
    await dispatcher.sessions.scan(await dispatcher.session());
    await arrived(5, 1_000);
    const [delivery] = await dispatcher.settled(endpointId, ['lapsed']);
    expect(delivery?.attempts).toHaveLength(5);
  });

  it('is superseded when the session goes on to a type the endpoint subscribes to, and lapses when to another', async () => {
    const all = await dispatcher.endpoint(receiver.url);
    const scans = await dispatcher.endpoint(receiver.url, { eventTypes: ['session.scanned'] });
    receiver.behaviour = (response, { body }) => void response.writeHead(body.type === 'session.scanned' ? 500 : 204).end();
    const sessionId = await dispatcher.session();
    await dispatcher.sessions.confirm(sessionId);
    await eventually(() => receiver.received.length === 3);
    dispatcher.clock.advance(2_000);
    await dispatcher.settled(all.endpointId, ['superseded', 'succeeded']);
    await dispatcher.settled(scans.endpointId, ['lapsed']);
    expect(receiver.types().toSorted()).toEqual(['session.confirmed', 'session.scanned', 'session.scanned']);
  });

  it('of an erased session lapses, once the session has been unreadable for a minute', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    const sessionId = await dispatcher.session();
    await dispatcher.sessions.scan(sessionId);
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    await dispatcher.platform.eventStore.tombstone(streamName('session', sessionId));
    dispatcher.clock.advance(1_200);
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 2);
    dispatcher.clock.advance(60_000);
    const [delivery] = await dispatcher.settled(endpointId, ['lapsed']);
    expect(delivery?.attempts).toHaveLength(2);
  });

  it('waits as long as the receiver asks, also beyond its step', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(429, { 'retry-after': '3600' });
    await cancelled();
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect((await dispatcher.deliveries(endpointId))[0]?.nextAt).toBe(dispatcher.clock.now() + 3_600_000);
  });

  it('does not follow a redirect', async () => {
    const target = await dispatcher.receiver();
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(302, { location: target.url });
    await cancelled();
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect(target.received).toEqual([]);
    expect((await dispatcher.deliveries(endpointId))[0]).toMatchObject({ state: 'pending', attempts: [{ status: 302 }] });
  });

  it('records why there was no answer', async () => {
    const server = createServer((socket: Socket) => socket.resetAndDestroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { endpointId } = await dispatcher.endpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await cancelled();
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect((await dispatcher.deliveries(endpointId))[0]).toMatchObject({ state: 'pending', attempts: [{ error: 'connection_failed' }] });
    server.close();
  });

  it('is sent again when staff retry it', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await dispatcher.sessions.scan(await dispatcher.session());
    await arrived(5, 1_000);
    const [delivery] = await dispatcher.settled(endpointId, ['lapsed']);
    receiver.behaviour = answersNoContent;
    await dispatcher.administration.retryDelivery.execute(dispatcher.sessions.client.clientId, endpointId, delivery?.deliveryId ?? '');
    expect((await dispatcher.settled(endpointId, ['succeeded']))[0]?.attempts).toHaveLength(6);
  });
});

describe('an endpoint', () => {
  it('that answers 410 is disabled, and its pending deliveries end', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await cancelled();
    await eventually(() => receiver.received.length === 1);
    receiver.behaviour = answering(410);
    await cancelled();
    await eventually(() => receiver.received.length === 2);
    await eventually(async () => (await endpointOf(endpointId))?.disabledBecause === 'GONE');
    dispatcher.clock.advance(10_000);
    await dispatcher.settled(endpointId, ['disabled', 'disabled']);
    await cancelled();
    expect(receiver.received).toHaveLength(2);
  });

  it('that fails for five days is disabled', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    receiver.behaviour = answering(500);
    await cancelled();
    await eventually(async () => (await dispatcher.deliveries(endpointId))[0]?.attempts.length === 1);
    expect(await dispatcher.administration.endpointHealth.failingSince(endpointId)).toBe(dispatcher.clock.now());
    dispatcher.clock.advance(5 * 86_400_000);
    await eventually(async () => (await endpointOf(endpointId))?.disabledBecause === 'FAILING');
  });

  it('that was down gets the missed messages when staff recover it', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url, { eventTypes: ['session.scanned', 'session.cancelled'] });
    receiver.behaviour = answering(500);
    await dispatcher.sessions.scan(await dispatcher.session());
    await arrived(5, 1_000);
    await dispatcher.settled(endpointId, ['lapsed']);
    receiver.behaviour = answersNoContent;
    const span = { since: 0, until: dispatcher.clock.now() + 1 };
    expect(await dispatcher.administration.recoverDeliveries.execute(dispatcher.sessions.client.clientId, endpointId, span)).toBe(1);
    await dispatcher.settled(endpointId, ['succeeded']);
  });
});
