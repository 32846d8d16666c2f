import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { WEBHOOK_EVENT_TYPES } from '#domain/relying-party';
import { eventually } from '#testkit/kernel/eventually';
import { schemaFaults } from '#testkit/webhook/event-schemas';

import { dispatcherFixture } from './dispatcher.fixture.js';
import type { Received } from './receiver.js';

const SCHEMAS = join(import.meta.dirname, '../../../docs/schemas/webhooks');

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let received: readonly Received[];

/** One delivered message of each type: a login that is confirmed and completed, a signature, one that is declined, one that expires, and a ping. */
beforeAll(async () => {
  dispatcher = await dispatcherFixture();
  const { sessions, clock, administration } = dispatcher;
  const receiver = await dispatcher.receiver();
  const { endpointId } = await dispatcher.endpoint(receiver.url);
  for (const signatureType of ['AUTHENTICATION', 'SIGNING'] as const) {
    const sessionId = await dispatcher.session(signatureType);
    await sessions.confirm(sessionId);
    await sessions.append(sessionId, { type: 'SessionCompleted', data: { at: clock.now() } });
  }
  await sessions.append(await dispatcher.session(), { type: 'SessionCancelled', data: { reason: 'DECLINED', at: clock.now() } });
  await sessions.append(await dispatcher.session(), { type: 'SessionExpired', data: { at: clock.now() } });
  await administration.pingWebhookEndpoint.execute(sessions.client.clientId, endpointId);
  await eventually(() => receiver.received.length === 8, { what: () => `8 messages, now ${receiver.types().join()}` });
  ({ received } = receiver);
});
afterAll(() => dispatcher.close());

describe('the published schemas of webhooks', () => {
  it('are those of every type, and of the headers', () => {
    expect(readdirSync(SCHEMAS).toSorted()).toEqual([...WEBHOOK_EVENT_TYPES, 'endpoint.ping', 'headers'].map((name) => `${name}.json`).toSorted());
    expect(new Set(received.map(({ body }) => body.type))).toEqual(new Set([...WEBHOOK_EVENT_TYPES, 'endpoint.ping']));
  });

  it('hold for every message that is delivered', () => {
    for (const { body, headers } of received) {
      expect([body.type, schemaFaults(`webhooks/${body.type}`, body)]).toEqual([body.type, []]);
      expect([body.type, schemaFaults('webhooks/headers', headers)]).toEqual([body.type, []]);
    }
  });

  it('name every member of the messages', () => {
    for (const { body } of received) {
      expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
      const members = body.type === 'endpoint.ping' ? ['endpointId'] : ['sessionId', 'status', 'signatureType', 'sequence'];
      expect([body.type, Object.keys(body.data)]).toEqual([body.type, members]);
    }
  });

  it('refuse a message of another type, without a member, or with a value of another kind', () => {
    const login = received.find(({ body }) => body.type === 'session.confirmed')!.body;
    expect(schemaFaults('webhooks/session.completed', login)).not.toEqual([]);
    expect(schemaFaults('webhooks/session.confirmed', { ...login, data: { ...login.data, signatureType: 'SIGNING' } })).not.toEqual([]);
    expect(schemaFaults('webhooks/session.confirmed', { ...login, data: { ...login.data, sequence: '3' } })).toEqual([
      '/data/sequence must be integer',
    ]);
    expect(schemaFaults('webhooks/session.confirmed', { type: login.type, data: login.data })).toEqual([" must have required property 'timestamp'"]);
    expect(schemaFaults('webhooks/headers', { ...received[0]!.headers, 'webhook-signature': 'v2,x' })).toEqual([
      expect.stringContaining('/webhook-signature'),
    ]);
  });
});
