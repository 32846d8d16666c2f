import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { verifyWebhook } from '../../src/webhook.js';
import { run } from './run.js';
import type { Settings } from './settings.js';

const CLIENT = '00000000-0000-4000-8000-0000000000c1';
const SESSION = '00000000-0000-4000-8000-0000000000d1';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine whose answers come one after the other; the last one is repeated. */
class Scripted {
  readonly requests: { readonly url: string | undefined; readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  readonly #server: Server;

  constructor(readonly answers: Answer[]) {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.requests.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
        (this.answers.length > 1 ? this.answers.shift() : this.answers[0])?.(request, response);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const event = (fields: Readonly<Record<string, string>>): string =>
  `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n`;
const bodyOf = (type: string, status: string, sequence: number): string =>
  JSON.stringify({ type, timestamp: '2026-01-01T00:00:00.000Z', data: { sessionId: SESSION, status, signatureType: 'AUTHENTICATION', sequence } });
const message = (id: string, type = 'session.scanned', body = bodyOf(type, 'SCANNED', 1)): string =>
  event({ id: `place-${id}`, event: type, data: JSON.stringify({ id, body }) });
const listening = (resumed = false): string => event({ event: 'listening', data: JSON.stringify({ resumed }) });
const stream =
  (...events: readonly string[]): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of events) response.write(each);
  };
/** The connection breaks once the program has read so much. */
const brokenStream =
  (...events: readonly string[]): Answer =>
  (request, response) => {
    stream(...events)(request, response);
    response.end();
  };
const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

let service: Scripted;
let shop: Scripted;
let url: string;
let forwardTo: string;
let said: string[];
let noted: string[];
let pauses: number[];
let stopping: AbortController;
beforeEach(async () => {
  [service, shop] = [new Scripted([]), new Scripted([answer(204)])];
  [url, forwardTo] = [await service.start(), `${await shop.start()}/webhooks`];
  [said, noted, pauses] = [[], [], []];
  stopping = new AbortController();
});
afterEach(() => {
  stopping.abort();
  service.stop();
  shop.stop();
});

/** Runs until so many lines were said. */
const runUntil = async (lines: number, changes: Partial<Settings> = {}): Promise<void> => {
  const settings: Settings = {
    command: 'listen',
    url,
    clientId: CLIENT,
    credentials: { secret: 'hush' },
    forwardTo,
    webhookSecret: undefined,
    types: undefined,
    ...changes,
  };
  await run(settings, {
    say: (line) => {
      said.push(line);
      if (said.length === lines) stopping.abort();
    },
    note: (line) => void noted.push(line),
    askSecret: async () => 'asked',
    signal: stopping.signal,
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
};
const secret = (): string => said[0]?.replace('webhook secret: ', '') ?? '';

describe('countersign listen', () => {
  it('posts each webhook to the own server, signed with the secret that it has printed, and says what that answers', async () => {
    service.answers.push(
      stream(listening(), message('m1'), event({ id: 'p' }), message('m2', 'session.expired', bodyOf('session.expired', 'EXPIRED', 2))),
    );
    shop.answers.unshift(answer(500));
    await runUntil(3);
    expect(said).toEqual([
      expect.stringMatching(/^webhook secret: whsec_[\w+/]{43}=$/),
      `2026-01-01T00:00:00.000Z  session.scanned  ${SESSION}  500`,
      `2026-01-01T00:00:00.000Z  session.expired  ${SESSION}  204`,
    ]);
    expect(service.requests.map(({ url: path, headers }) => [path, headers.authorization])).toEqual([
      ['/relying-party/v1/events', `Basic ${btoa(`${CLIENT}:hush`)}`],
    ]);
    const received = shop.requests.map(({ headers, body, url: path }) => [
      path,
      headers['content-type'],
      verifyWebhook({ headers, body, secrets: [secret()] }).id,
    ]);
    expect(received).toEqual([
      ['/webhooks', 'application/json', 'm1'],
      ['/webhooks', 'application/json', 'm2'],
    ]);
    expect(shop.requests[0]?.body).toBe(bodyOf('session.scanned', 'SCANNED', 1));
  });

  it('signs with the secret that it is given, and prints none', async () => {
    const given = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    service.answers.push(stream(listening(), message('m1')));
    await runUntil(1, { webhookSecret: given });
    const [{ headers, body } = { headers: {}, body: '' }] = shop.requests;
    expect([said.join(), verifyWebhook({ headers, body, secrets: [given] }).id]).toEqual([expect.not.stringContaining('whsec_'), 'm1']);
  });

  it('connects again where it was, waits longer each time, and posts no message twice', async () => {
    service.answers.push(
      brokenStream(listening(), message('m1')),
      answer(503, { 'retry-after': '20' }),
      answer(502),
      answer(429, { 'retry-after': '40' }),
      brokenStream(message('m1'), message('m2'), listening(true)),
      stream(listening(), message('m3')),
    );
    await runUntil(4);
    expect(shop.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['m1', 'm2', 'm3']);
    expect(service.requests.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      'place-m1',
      'place-m1',
      'place-m1',
      'place-m1',
      'place-m2',
    ]);
    expect(
      pauses.map((pause, index) => pause >= [250, 20_000, 1_000, 40_000, 250][index]! && pause <= [500, 20_000, 2_000, 40_000, 500][index]!),
    ).toEqual(Array.from({ length: 5 }, () => true));
    expect(noted.slice(1)).toEqual([
      'the service has ended the connection; trying again',
      'the service answers 503; trying again',
      'the service answers 502; trying again',
      'too many listeners of this client; trying again',
      'connected again, nothing was missed',
      'the service has ended the connection; trying again',
      'connected again; what happened meanwhile may be missing',
    ]);
  });

  it('goes on when the own server is not there, or answers a redirect', async () => {
    service.answers.push(stream(listening(), message('m1'), message('m2')));
    shop.answers.unshift((request) => request.socket.destroy(), answer(307, { location: 'https://elsewhere.example/' }));
    await runUntil(3);
    expect(said.slice(1).map((line) => line.split('  ').at(-1))).toEqual(['no connection', '307']);
    expect(shop.requests).toHaveLength(2);
  });

  it.each<[string, Answer, string]>([
    ['401', answer(401), 'the service refuses the credentials'],
    ['404', answer(404), 'WEBHOOK_LISTENING'],
    ['400', answer(400, {}, '{"errorCode":"invalid_request","defaultTranslation":"`types` must list"}'), '`types` must list'],
    ['a redirect', answer(302, { location: 'https://elsewhere.example/' }), 'the service answers 302'],
  ])('ends at %s, and shows no secret', async (_, refusal, reason) => {
    service.answers.push(refusal);
    await expect(runUntil(9)).rejects.toThrow(reason);
    expect([service.requests.length, pauses, said, [...noted].join().includes('hush')]).toEqual([1, [], [], false]);
  });

  it.each([
    ['a body that is no message', message('m1', 'session.scanned', '[]')],
    ['a body without data', message('m1', 'session.scanned', '{"type":"session.scanned","timestamp":"2026-01-01T00:00:00.000Z"}')],
    ['a text that steers a terminal', message('m1', 'session.scanned', bodyOf('session.scanned\u001b[2J', 'SCANNED', 1))],
    ['an id that is a header', message('m1\r\nx: y')],
    ['no JSON', event({ event: 'session.scanned', data: 'x' })],
    ['JSON that is no object', event({ event: 'session.scanned', data: '7' })],
  ])('posts and shows nothing of %s', async (_, foreign) => {
    service.answers.push(stream(listening(), foreign, message('m2')));
    await runUntil(2);
    expect([shop.requests.map(({ headers }) => headers['webhook-id']), said.length]).toEqual([['m2'], 2]);
  });

  it('leaves a service that sends a line without an end', async () => {
    service.answers.push(
      (request, response) => {
        stream('data: ')(request, response);
        response.write('x'.repeat(200_000));
      },
      stream(listening(), message('m1')),
    );
    await runUntil(2);
    expect(noted[0]).toBe('the service cannot be reached; trying again');
  });
});

describe('countersign sessions tail', () => {
  it('shows the sessions as they change, one line each, and posts nothing', async () => {
    service.answers.push(stream(listening(), message('m1', 'session.created', bodyOf('session.created', 'PENDING', 0)), message('m2')));
    await runUntil(2, {
      command: 'sessions tail',
      forwardTo: undefined,
      types: 'session.created,session.scanned',
      credentials: { secret: undefined },
    });
    expect(said).toEqual([
      `2026-01-01T00:00:00.000Z  ${SESSION}  AUTHENTICATION  PENDING`,
      `2026-01-01T00:00:00.000Z  ${SESSION}  AUTHENTICATION  SCANNED`,
    ]);
    const [{ url: path, headers } = { url: '', headers: {} as IncomingMessage['headers'] }] = service.requests;
    expect([path, headers.authorization, shop.requests]).toEqual([
      '/relying-party/v1/events?types=session.created%2Csession.scanned',
      `Basic ${btoa(`${CLIENT}:asked`)}`,
      [],
    ]);
  });
});
