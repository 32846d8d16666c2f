import { createHmac } from 'node:crypto';

import { jest } from '@jest/globals';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

import { eventually } from '#testkit/kernel/eventually';
import type { WebhookEventType } from '#domain/relying-party';
import { verifyWebhook } from '#clients/relying-party';

import { dispatcherFixture } from './dispatcher.fixture.js';
import type { Receiver } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
});
afterEach(() => dispatcher.close());

const signatureWith = (secret: string, { headers, text }: Receiver['received'][number]): string => {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64')}`;
};

describe('a session', () => {
  it('is announced step by step, in order, each message with its sequence', async () => {
    const { endpointId, secret } = await dispatcher.endpoint(receiver.url);
    const sessionId = await dispatcher.session();
    await dispatcher.sessions.confirm(sessionId);
    await dispatcher.sessions.append(sessionId, { type: 'SessionCompleted', data: { at: dispatcher.clock.now() } });
    const deliveries = await dispatcher.settled(endpointId, ['succeeded', 'succeeded', 'succeeded']);
    const data = { sessionId, signatureType: 'AUTHENTICATION' };
    const timestamp = '2026-01-01T00:00:00.000Z';
    expect(receiver.received.map(({ body }) => body)).toEqual([
      { type: 'session.scanned', timestamp, data: { ...data, status: 'SCANNED', sequence: 1 } },
      { type: 'session.confirmed', timestamp, data: { ...data, status: 'CONFIRMED', sequence: 2 } },
      { type: 'session.completed', timestamp, data: { ...data, status: 'COMPLETED', sequence: 3 } },
    ]);
    for (const [index, received] of receiver.received.entries()) {
      expect(received.headers).toMatchObject({
        'webhook-id': deliveries[index]?.deliveryId,
        'webhook-timestamp': '1767225600',
        'content-type': 'application/json',
      });
      expect(received.headers['webhook-signature']).toBe(signatureWith(secret, received));
    }
  });

  it('is counted once a message with the time from its event to the first attempt', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    await dispatcher.sessions.confirm(await dispatcher.session());
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded']);
    const shown = await dispatcher.platform.metrics.registry.getSingleMetricAsString('webhook_delay_seconds');
    expect(shown).toContain('webhook_delay_seconds_count 2');
    expect(shown).toContain('webhook_delay_seconds_bucket{le="0.05"} 2');
  });

  it.each([
    ['SessionCancelled', { reason: 'DECLINED' }, 'session.cancelled', 'CANCELLED'],
    ['SessionExpired', {}, 'session.expired', 'EXPIRED'],
  ] as const)('is announced when it ends by %s', async (type, data, announced, status) => {
    await dispatcher.endpoint(receiver.url);
    const sessionId = await dispatcher.session();
    await dispatcher.sessions.append(sessionId, { type, data: { ...data, at: dispatcher.clock.now() } } as Parameters<
      typeof dispatcher.sessions.append
    >[1]);
    await eventually(() => receiver.received.length === 1);
    expect(receiver.received[0]?.body).toMatchObject({ type: announced, data: { status } });
  });

  it('of a signature is announced as scanned and completed, never as confirmed', async () => {
    const { endpointId } = await dispatcher.endpoint(receiver.url);
    const sessionId = await dispatcher.session('SIGNING');
    const at = dispatcher.clock.now();
    await dispatcher.sessions.scan(sessionId);
    await dispatcher.sessions.append(
      sessionId,
      { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + 60_000, at } },
      { type: 'SessionCompleted', data: { resultExpiresAt: at + 1, at } },
    );
    await dispatcher.settled(endpointId, ['succeeded', 'succeeded']);
    expect(receiver.types()).toEqual(['session.scanned', 'session.completed']);
  });
});

describe('an endpoint', () => {
  it('gets the types it subscribes to, while it is enabled', async () => {
    const some = await dispatcher.endpoint(receiver.url, { eventTypes: ['session.confirmed'] satisfies WebhookEventType[] });
    const disabled = await dispatcher.endpoint(receiver.url, { disabledBecause: 'STAFF' });
    const all = await dispatcher.endpoint(receiver.url);
    await dispatcher.sessions.confirm(await dispatcher.session());
    await dispatcher.settled(all.endpointId, ['succeeded', 'succeeded']);
    await dispatcher.settled(some.endpointId, ['succeeded']);
    expect(await dispatcher.deliveries(disabled.endpointId)).toEqual([]);
  });

  it('gets two signatures while its secret rotates, one after a day', async () => {
    const { endpointId, secret } = await dispatcher.endpoint(receiver.url);
    const renewed = (await dispatcher.administration.rotateWebhookSecret.execute(dispatcher.sessions.client.clientId, endpointId)).reveal();
    await dispatcher.sessions.scan(await dispatcher.session());
    await eventually(() => receiver.received.length === 1);
    dispatcher.clock.advance(86_400_000);
    await dispatcher.sessions.scan(await dispatcher.session());
    await eventually(() => receiver.received.length === 2);
    const [first, second] = receiver.received;
    expect(first?.headers['webhook-signature']).toBe(`${signatureWith(renewed, first!)} ${signatureWith(secret, first!)}`);
    expect(second?.headers['webhook-signature']).toBe(signatureWith(renewed, second!));
  });
});

describe('a message', () => {
  it('passes the official library of Standard Webhooks, and our SDK', async () => {
    const { endpointId, secret } = await dispatcher.endpoint(receiver.url);
    const renewed = (await dispatcher.administration.rotateWebhookSecret.execute(dispatcher.sessions.client.clientId, endpointId)).reveal();
    await dispatcher.administration.pingWebhookEndpoint.execute(dispatcher.sessions.client.clientId, endpointId);
    await eventually(() => receiver.received.length === 1);
    const [{ headers, text, body }] = receiver.received as [Receiver['received'][number]];
    expect(body).toEqual({ type: 'endpoint.ping', timestamp: '2026-01-01T00:00:00.000Z', data: { endpointId } });
    for (const key of [secret, renewed]) {
      expect(verifyWebhook({ headers, body: text, secrets: [key], now: dispatcher.clock.now() })).toEqual({ id: headers['webhook-id'], ...body });
      jest.useFakeTimers({ now: dispatcher.clock.now(), doNotFake: ['setTimeout', 'setInterval', 'setImmediate', 'nextTick'] }); // the library reads the system's clock
      expect(new Webhook(key).verify(text, headers as Record<string, string>)).toEqual(body);
      jest.useRealTimers();
    }
    const stranger = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(() => stranger.verify(text, headers as Record<string, string>)).toThrow(WebhookVerificationError);
  });
});
