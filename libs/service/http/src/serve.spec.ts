import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { fastify, type FastifyInstance } from 'fastify';

import { Metrics } from '#telemetry';

import { serveOperations } from './operations.js';
import { createPlainApp } from './plain-app.js';
import { type HttpServer, serve } from './serve.js';

let stopping: AbortController;
let store: () => Promise<void>;
let metrics: Metrics;
let warnings: readonly string[];
let server: HttpServer;
let release: () => void;

beforeEach(async () => {
  stopping = new AbortController();
  store = async () => {};
  metrics = new Metrics();
  const held = new Promise<void>((resolve) => (release = resolve));
  const ops = createPlainApp();
  warnings = [];
  serveOperations(ops, { metrics, checks: new Map([['store', () => store()]]), warnings: () => warnings, stopping: stopping.signal });
  server = await serve({
    host: '127.0.0.1',
    port: 0,
    mounts: [
      { prefix: '/one', app: appAnswering('one', '/one/*') },
      { prefix: '/two', app: appAnswering('two', '/two', '/two/*') },
      { prefix: '/page', app: fastify().get('/page', (_, reply) => reply.header('content-security-policy', "default-src 'self'").send('page')) },
      { prefix: '/held', app: fastify().get('/held', async () => held.then(() => 'released')) },
    ],
    fallback: ops,
  });
});
afterEach(async () => {
  release();
  await server.close();
});

const appAnswering = (name: string, ...paths: string[]): FastifyInstance => {
  const app = fastify();
  for (const path of paths) app.get(path, () => name);
  return app;
};
const address = (path: string) => `http://127.0.0.1:${server.port}${path}`;
const ask = async (path: string) => {
  const answer = await fetch(address(path));
  return [answer.status, await answer.text()];
};
const sendRaw = async (request: string): Promise<string> => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  return text(socket);
};

/** base-uri and form-action do not fall back to default-src (CSP 3, 6.1). */
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('one port for several applications', () => {
  it('forbids browsers to run or frame an answer that sets no policy of its own', async () => {
    const { headers } = await fetch(address('/one/a'));
    expect(headers.get('content-security-policy')).toBe(NOTHING);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect((await fetch(address('/page'))).headers.get('content-security-policy')).toBe("default-src 'self'");
    expect((await fetch(address('/missing'))).headers.get('content-security-policy')).toBe(NOTHING);
  });

  it('tells browsers to keep to https where they reach it by https', async () => {
    const secure = await serve({ host: '127.0.0.1', port: 0, mounts: [], fallback: createPlainApp(), https: true });
    const { headers } = await fetch(`http://127.0.0.1:${secure.port}/missing`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    await secure.close();
  });

  it('chooses the application by the path', async () => {
    expect(await ask('/one/x?y')).toEqual([200, 'one']);
    expect(await ask('/two')).toEqual([200, 'two']);
    expect(await ask('/two?x')).toEqual([200, 'two']);
  });

  it.each(['/', '/onesie', '/ONE/x', '//one/x', '/%6fne/x'])('answers %s, which has no application, with the envelope', async (path) => {
    expect(await ask(path)).toEqual([
      404,
      '{"errorCode":"not_found","defaultTranslation":"There is nothing under this method and path.","resultMessageLangCode":"en","payload":null}',
    ]);
  });

  it('accepts a target in absolute form', async () => {
    expect(await sendRaw('GET http://localhost/one/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK[^]*one$/);
  });

  it('answers malformed HTTP with the envelope', async () => {
    expect(await sendRaw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request[^]*"errorCode":"invalid_request"/);
    expect(await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431 [^]*"errorCode":"invalid_request"/,
    );
  });

  it('sends nothing of a TRACE request back', async () => {
    const answer = await sendRaw('TRACE /one/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: planted=1\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain('planted');
  });

  it('lets a request under way finish before it closes', async () => {
    const answer = fetch(address('/held'));
    await new Promise((resolve) => setImmediate(resolve));
    await ask('/one/x');
    const closed = server.close();
    release();
    expect(await (await answer).text()).toBe('released');
    await closed;
    await expect(fetch(address('/one/x'))).rejects.toThrow('fetch failed');
  });
});

describe('a server behind a gateway, with a grace time for idle connections', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let graceful: HttpServer;

  const serveWithGrace = (idleGrace: number): Promise<HttpServer> =>
    serve({ host: '127.0.0.1', port: 0, mounts: [], fallback: appAnswering('graceful', '/'), idleGrace });
  const through = async (path: string): Promise<IncomingMessage> => {
    const [answer] = (await once(get({ port: graceful.port, host: '127.0.0.1', path, agent }), 'response')) as [IncomingMessage];
    await text(answer);
    return answer;
  };

  beforeEach(async () => {
    graceful = await serveWithGrace(5_000);
  });
  afterEach(() => agent.destroy());

  it('accepts no new connection, and answers on open ones with `connection: close`', async () => {
    expect((await through('/')).headers.connection).toBe('keep-alive');
    const closed = graceful.close();
    while (
      await fetch(`http://127.0.0.1:${graceful.port}/`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      )
    );
    const last = await through('/');
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await closed;
  });

  it('closes as soon as the gateway has closed its connections', async () => {
    await graceful.close();
    graceful = await serveWithGrace(3_600_000);
    await through('/');
    const began = performance.now();
    const closed = graceful.close();
    agent.destroy();
    await closed;
    expect(performance.now() - began).toBeLessThan(9_000); // after ten seconds it closes without the gateway
    await expect(fetch(`http://127.0.0.1:${graceful.port}/`)).rejects.toThrow('fetch failed');
  });
});

describe('the operations endpoints', () => {
  it('answer 200 while the process runs', async () => {
    expect(await ask('/livez')).toEqual([200, '{"status":"alive"}']);
  });

  it('say whether the process is ready, and which check fails', async () => {
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready","checks":{"store":"ok"}}']);
    store = () => Promise.reject(new Error('no answer'));
    expect(await ask('/readyz')).toEqual([503, '{"status":"not ready","checks":{"store":"failed"}}']);
  });

  it('show what an operator has to correct, and the process is ready all the same', async () => {
    warnings = ['A proxy does something. Correct it.'];
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready","checks":{"store":"ok"},"warnings":["A proxy does something. Correct it."]}']);
  });

  it('answer 503 while the process stops', async () => {
    stopping.abort();
    expect(await ask('/readyz')).toEqual([503, '{"status":"stopping","checks":{"store":"ok"}}']);
  });

  it('show the metrics', async () => {
    metrics.requests.observe({ method: 'GET', route: '/x', status: 200 }, 0.01);
    const [status, body] = await ask('/metrics');
    expect(status).toBe(200);
    expect(body).toContain('http_request_duration_seconds_bucket{le="0.01",method="GET",route="/x",status="200"} 1');
    const open = await fetch(address('/metrics'), { headers: { accept: 'application/openmetrics-text' } });
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(await open.text()).toMatch(/# EOF\n$/);
  });
});
