import { createHmac } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { WebhookRefused } from '../../relying-party/src/index.js';
import { RecordedWebhooks, WEBHOOK_SECRET } from './verified-webhooks.js';

const CLIENT = { clientId: '5a4db000-0000-4000-8000-000000000001' };
/** Epoch seconds, long ago: the clock of a sandbox may stand anywhere. */
const TIMESTAMP = '1000000000';

/** What the sandbox answers for one webhook (Standard Webhooks 1.0). */
const webhook = (type: string, secret = WEBHOOK_SECRET) => {
  const body = JSON.stringify({ type, timestamp: '2001-09-09T01:46:40Z', data: { status: 'COMPLETED' } });
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${TIMESTAMP}.${body}`).digest('base64');
  return { number: 1, headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': TIMESTAMP, 'webhook-signature': `v1,${signature}` }, body };
};

/** Answers these lists one after the other, the last one for ever. */
const recorded = (...lists: readonly (readonly object[])[]) => {
  const asked: string[] = [];
  const calls = {
    send: async (method: string, path: string) => {
      asked.push(`${method} ${path}`);
      return { webhooks: lists[Math.min(asked.length, lists.length) - 1] };
    },
  };
  return { asked, webhooks: new RecordedWebhooks(calls as never) };
};

describe('the recorded webhooks of a client', () => {
  it('are read and verified by the SDK, whatever the clock of the sandbox shows', async () => {
    const { asked, webhooks } = recorded([webhook('session.completed')]);
    const [found] = await webhooks.of(CLIENT);
    expect(found).toMatchObject({ number: 1, event: { id: 'msg_1', type: 'session.completed', data: { status: 'COMPLETED' } } });
    expect(asked).toEqual(['GET /webhooks?client_id=5a4db000-0000-4000-8000-000000000001']);
  });

  it('are refused with the signature of another secret, and taken with that secret', async () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const { webhooks } = recorded([webhook('session.completed', other)]);
    await expect(webhooks.of(CLIENT)).rejects.toThrow(WebhookRefused);
    expect(await webhooks.of(CLIENT, { secrets: [other] })).toHaveLength(1);
  });

  it('are waited for by their type', async () => {
    const { asked, webhooks } = recorded([], [webhook('session.confirmed')], [webhook('session.confirmed'), webhook('session.completed')]);
    const { event } = await webhooks.next({ client: CLIENT, type: 'session.completed' });
    expect([event.type, asked.length]).toEqual(['session.completed', 3]);
  });

  it('name those that came where the awaited one did not', async () => {
    const { webhooks } = recorded([webhook('session.scanned'), webhook('session.cancelled')]);
    const awaited = webhooks.next({ client: CLIENT, type: 'session.completed', timeoutMs: 0 });
    await expect(awaited).rejects.toThrow('no webhook session.completed came within 0 ms; those of the client: session.scanned, session.cancelled');
    const none = recorded([]).webhooks.next({ client: CLIENT, type: 'session.completed', timeoutMs: 0 });
    await expect(none).rejects.toThrow('those of the client: none');
  });
});
