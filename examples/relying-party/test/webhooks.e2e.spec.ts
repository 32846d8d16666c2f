import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { Webhook } from 'standardwebhooks';

import { type DemoFixture, demoFixture } from './demo.fixture.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEXT_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const SESSION = '5f0c1de2-0000-4000-8000-000000000001';

let demo: DemoFixture;
beforeEach(async () => {
  demo = await demoFixture({ webhookSecrets: [SECRET, NEXT_SECRET] });
});
afterEach(() => demo.close());

interface Sent {
  readonly id?: string;
  readonly type?: string;
  readonly data?: object;
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the body is changed after it was signed. */
  readonly body?: string;
}

/** Posts a message as the service does. */
const send = async ({
  id = randomUUID(),
  type = 'session.scanned',
  data = about(1),
  secret = SECRET,
  headers = {},
  body,
}: Sent = {}): Promise<number> => {
  const now = new Date(demo.platform.clock.now());
  const content = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': new Webhook(secret).sign(id, now, content),
  };
  const answer = await demo.app.inject({
    method: 'POST',
    url: '/webhooks',
    headers: { 'content-type': 'application/json', ...signed, ...headers },
    payload: body ?? content,
  });
  return answer.statusCode;
};
const about = (sequence: number, sessionId = SESSION) => ({ sessionId, status: 'SCANNED', signatureType: 'AUTHENTICATION', sequence });

const rows = async (): Promise<string[]> => {
  const { text } = await demo.browser().get('/live');
  const list = /<ol[^>]*>(.*?)<\/ol>/s.exec(text)?.[1] ?? '';
  return list
    .split('</li>')
    .slice(0, -1)
    .map((row) =>
      row
        .replace(/<span class="late"[^>]*hidden>.*?<\/span>/s, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
};

describe('a webhook', () => {
  it('with a valid signature is stored and shown, with either secret during a rotation', async () => {
    expect(await send()).toBe(204);
    expect(await send({ type: 'session.completed', data: about(2), secret: NEXT_SECRET })).toBe(204);
    expect(await rows()).toEqual([
      'Completed Login 5f0c1de2, step 2 session.completed 00:00:00 UTC',
      'Scanned Login 5f0c1de2, step 1 session.scanned 00:00:00 UTC',
    ]);
  });

  it('is stored once', async () => {
    for (let count = 0; count < 2; count++) expect(await send({ id: 'msg_1' })).toBe(204);
    expect(await rows()).toHaveLength(1);
  });

  it('that arrives after a newer one about its session is marked as late', async () => {
    await send({ data: about(2) });
    await send({ data: about(1) });
    await send({ data: about(1, '6a000000-0000-4000-8000-000000000000') });
    expect((await rows()).map((row) => row.includes('Came late'))).toEqual([false, true, false]);
  });

  it.each<[string, Sent]>([
    ['signed by a stranger', { secret: `whsec_${Buffer.alloc(32, 3).toString('base64')}` }],
    ['changed on its way', { body: '{"type":"session.completed","timestamp":"2026-01-01T00:00:00Z","data":{}}' }],
    ['without its headers', { headers: { 'webhook-id': '' } }],
    ['too old', { headers: { 'webhook-timestamp': '1' } }],
    ['empty', { body: '' }],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['too long', { body: 'x'.repeat(20_000) }],
  ])('that is %s is refused, and not shown', async (_, sent) => {
    expect([400, 413]).toContain(await send(sent));
    expect(await rows()).toEqual([]);
    expect(demo.log.join()).not.toContain('whsec_');
  });

  it('of an unknown type is shown too, with all markup escaped', async () => {
    await send({ type: '<b>session.renamed</b>', data: {} });
    expect((await demo.browser().get('/live')).text).not.toContain('<b>session');
    expect(await rows()).toHaveLength(1);
  });
});

describe('without an endpoint', () => {
  it('no message is received, and the page says so', async () => {
    const unsubscribed = await demoFixture();
    expect(
      (await unsubscribed.app.inject({ method: 'POST', url: '/webhooks', headers: { 'content-type': 'application/json' }, payload: '{}' }))
        .statusCode,
    ).toBe(404);
    expect((await unsubscribed.browser().get('/live')).text).toContain('has no webhook endpoint');
    await unsubscribed.close();
  });
});

describe('the stream', () => {
  const open = async (path = '/live/stream', headers: Readonly<Record<string, string>> = {}) => {
    if (!demo.app.server.listening) await demo.app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`http://127.0.0.1:${(demo.app.server.address() as AddressInfo).port}${path}`, { headers });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      response,
      cancel: () => reader.cancel(),
      /** The messages, once so many have arrived; undefined when the stream has ended before. */
      until: async (count: number): Promise<{ word: string; number: number }[] | undefined> => {
        for (;;) {
          const data = [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, json = '']) => JSON.parse(json) as { word: string; number: number });
          if (data.length >= count) return data;
          const { value, done } = await reader.read();
          if (done) return undefined;
          text += value;
        }
      },
    };
  };

  it('sends past and new messages as server-sent events', async () => {
    await send();
    const stream = await open();
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toBe('no-store');
    expect(await stream.until(1)).toMatchObject([{ word: 'Scanned', number: 1 }]);
    await send({ type: 'session.confirmed', data: about(2) });
    expect(await stream.until(2)).toMatchObject([{ word: 'Scanned' }, { word: 'Confirmed', number: 2 }]);
    await stream.cancel();
  });

  it('continues after the last id of the browser, and starts over after a restart of the library', async () => {
    for (const sequence of [1, 2, 3]) await send({ data: about(sequence) });
    const numbers = async (path: string, headers = {}) => {
      const stream = await open(path, headers);
      const got = (await stream.until(1))?.map(({ number }) => number);
      await stream.cancel();
      return got;
    };
    expect(await numbers('/live/stream?after=2')).toEqual([3]);
    expect(await numbers('/live/stream?after=0', { 'last-event-id': '2' })).toEqual([3]);
    expect((await numbers('/live/stream?after=9'))?.[0]).toBe(1);
    expect((await demo.app.inject({ url: '/live/stream?after=-1' })).statusCode).toBe(400);
  });

  it('ends when the library closes', async () => {
    const stream = await open();
    const ended = stream.until(1);
    await demo.app.close();
    expect(await ended).toBeUndefined();
  });
});
