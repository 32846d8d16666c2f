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
let server: HttpServer;
let release: () => void;

beforeEach(async () => {
  stopping = new AbortController();
  store = async () => {};
  metrics = new Metrics();
  const held = new Promise<void>((resolve) => (release = resolve));
  const ops = createPlainApp();
  serveOperations(ops, { metrics, checks: new Map([['store', () => store()]]), stopping: stopping.signal });
  server = await serve({
    host: '127.0.0.1',
    port: 0,
    mounts: [
      { prefix: '/one', app: appThatSays('one', '/one/*') },
      { prefix: '/two', app: appThatSays('two', '/two', '/two/*') },
      { prefix: '/held', app: fastify().get('/held', async () => held.then(() => 'at last')) },
    ],
    fallback: ops,
  });
});
afterEach(async () => {
  release();
  await server.close();
});

const appThatSays = (name: string, ...paths: string[]): FastifyInstance => {
  const app = fastify();
  for (const path of paths) app.get(path, () => name);
  return app;
};
const address = (path: string) => `http://127.0.0.1:${server.port}${path}`;
const ask = async (path: string) => {
  const answer = await fetch(address(path));
  return [answer.status, await answer.text()];
};
const say = async (request: string): Promise<string> => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  return text(socket);
};

describe('one port for several applications', () => {
  it('tells them apart by the path', async () => {
    expect(await ask('/one/x?y')).toEqual([200, 'one']);
    expect(await ask('/two')).toEqual([200, 'two']);
    expect(await ask('/two?x')).toEqual([200, 'two']);
  });

  it.each(['/', '/onesie', '/ONE/x', '//one/x', '/%6fne/x'])('answers %s, which is nobody’s, with the envelope', async (path) => {
    expect(await ask(path)).toEqual([
      404,
      '{"errorCode":"not_found","defaultTranslation":"There is nothing under this method and path.","resultMessageLangCode":"en","payload":null}',
    ]);
  });

  it('understands an address in absolute form', async () => {
    expect(await say('GET http://localhost/one/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK[^]*one$/);
  });

  it('answers what is not HTTP with the envelope', async () => {
    expect(await say('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request[^]*"errorCode":"invalid_request"/);
    expect(await say(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431 [^]*"errorCode":"invalid_request"/);
  });

  it('lets a request under way finish before it closes', async () => {
    const answer = fetch(address('/held'));
    await new Promise((resolve) => setImmediate(resolve));
    await ask('/one/x');
    const closed = server.close();
    release();
    expect(await (await answer).text()).toBe('at last');
    await closed;
    await expect(fetch(address('/one/x'))).rejects.toThrow();
  });
});

describe('with a gateway in front, whose idle connections are left to it', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let patient: HttpServer;

  const through = async (path: string): Promise<IncomingMessage> => {
    const [answer] = (await once(get({ port: patient.port, host: '127.0.0.1', path, agent }), 'response')) as [IncomingMessage];
    await text(answer);
    return answer;
  };

  beforeEach(async () => {
    patient = await serve({ host: '127.0.0.1', port: 0, mounts: [], fallback: appThatSays('patient', '/'), idleGrace: 5_000 });
  });
  afterEach(() => agent.destroy());

  it('takes no new connection, and answers once more on those that there are, saying that it closes them', async () => {
    expect((await through('/')).headers.connection).toBe('keep-alive');
    const closed = patient.close();
    while (await fetch(`http://127.0.0.1:${patient.port}/`, { headers: { connection: 'close' } }).then(() => true, () => false));
    const last = await through('/');
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await closed;
  });

  it('closes when the gateway has closed them', async () => {
    await through('/');
    const closed = patient.close();
    agent.destroy();
    await closed;
  });
});

describe('operations', () => {
  it('say that the process lives', async () => {
    expect(await ask('/livez')).toEqual([200, '{"status":"alive"}']);
  });

  it('say whether it is ready, and what is missing', async () => {
    expect(await ask('/readyz')).toEqual([200, '{"status":"ready","checks":{"store":"ok"}}']);
    store = () => Promise.reject(new Error('away'));
    expect(await ask('/readyz')).toEqual([503, '{"status":"not ready","checks":{"store":"failed"}}']);
  });

  it('take a stopping process out of service', async () => {
    stopping.abort();
    expect(await ask('/readyz')).toEqual([503, '{"status":"stopping","checks":{"store":"ok"}}']);
  });

  it('show the numbers', async () => {
    metrics.requests.observe({ method: 'GET', route: '/x', status: 200 }, 0.01);
    const [status, body] = await ask('/metrics');
    expect(status).toBe(200);
    expect(body).toContain('http_request_duration_seconds_bucket{le="0.01",method="GET",route="/x",status="200"} 1');
  });
});
