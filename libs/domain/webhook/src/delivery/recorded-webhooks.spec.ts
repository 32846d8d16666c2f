import { type ClientId, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { webhookSignature } from '../domain/webhook-secret.js';
import { RecordedWebhooks } from './recorded-webhooks.js';

const SECRET = new Secret(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
const [ONE, OTHER] = ['00000000-0000-4000-8000-000000000001' as ClientId, '00000000-0000-4000-8000-000000000002' as ClientId];
const message = (sequence: number) => ({ type: 'session.confirmed', happenedAt: Date.UTC(2026, 0, 1), data: { sessionId: 's', sequence } });
const sent = (id: string) => ({ url: 'https://shop.example/hooks', headers: { 'webhook-id': id }, body: '{}' });

let clock: FixedClock;
let recorded: RecordedWebhooks;

beforeEach(() => {
  clock = new FixedClock();
  recorded = new RecordedWebhooks(SECRET, clock, 5);
});

const numbers = (clientId: ClientId, after = 0, limit = 100) => recorded.of(clientId, after, limit).map(({ number }) => number);

describe('recorded webhooks', () => {
  it('are signed with the secret where the client has no endpoint', () => {
    recorded.unaddressed(ONE, 'id-1', message(3));
    const [webhook] = recorded.of(ONE, 0, 100);
    const timestamp = Math.floor(clock.now() / 1000);
    expect(webhook).toMatchObject({ number: 1, headers: { 'webhook-id': 'id-1', 'webhook-timestamp': String(timestamp) } });
    expect(webhook).not.toHaveProperty('url');
    expect(webhook?.headers['webhook-signature']).toBe(webhookSignature({ id: 'id-1', timestamp, body: webhook!.body }, [SECRET]));
  });

  it('have one entry for an event without an endpoint, and one for each attempt at a delivery', () => {
    for (let time = 0; time < 3; time++) recorded.unaddressed(ONE, 'id-1', message(3));
    for (let time = 0; time < 2; time++) recorded.sent(ONE, sent('id-2'));
    expect(numbers(ONE)).toEqual([1, 2, 3]);
  });

  it('are those of one client, oldest first, in pages', () => {
    recorded.sent(ONE, sent('a'));
    recorded.sent(OTHER, sent('b'));
    recorded.sent(ONE, sent('c'));
    recorded.sent(ONE, sent('d'));
    expect([numbers(ONE), numbers(OTHER), numbers(ONE, 1), numbers(ONE, 0, 2), numbers(ONE, 4)]).toEqual([[1, 3, 4], [2], [3, 4], [1, 3], []]);
  });

  it('are the newest ones', () => {
    for (let sequence = 1; sequence <= 8; sequence++) recorded.unaddressed(ONE, `id-${sequence}`, message(sequence));
    expect(numbers(ONE)).toEqual([4, 5, 6, 7, 8]);
  });
});
