import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify } from 'fastify';

import { MemoryRateLimits } from '#engines/rate-limit';
import { Metrics } from '#telemetry';
import { envelope, ID, MemoryLog, OrderModule } from '#testkit/http/orders';

import { basicAuthentication, createHttpApp, createPlainApp, FailureThrottle, type HttpServer, serve } from './index.js';
import { ARRIVAL } from './serve.js';

const CLIENT = '0d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e10';
const RIGHT = `Authorization: Basic ${btoa(`${CLIENT}:secret`)}`;
const HOST = 'Host: a.example';
const JSON_BODY = 'Content-Type: application/json';
const BOM = '\uFEFF';

/** On every answer of an application and of the server itself. */
const COMMON = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-request-id': expect.stringMatching(/^[\w.-]{1,64}$/),
  date: expect.any(String),
};

let guarded: NestFastifyApplication;
let open: NestFastifyApplication;
let server: HttpServer;

beforeAll(async () => {
  const who = { name: 'Shop' };
  const authentication = basicAuthentication(
    { execute: async (id) => (id === CLIENT ? who : undefined), recent: () => undefined },
    new FailureThrottle(new MemoryRateLimits(), 'failures', 1_000_000),
  );
  const parts = { log: new MemoryLog(), metrics: new Metrics() };
  guarded = await createHttpApp(OrderModule, { ...parts, onRequest: [authentication] });
  open = await createHttpApp(OrderModule, parts);
  const mounts = [
    { prefix: '/v1', app: guarded },
    { prefix: '/open', app: open },
  ];
  server = await serve({ host: '127.0.0.1', port: 0, mounts, fallback: createPlainApp(), https: true });
});
afterAll(async () => {
  await server.close();
  await guarded.close();
  await open.close();
});

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const connected = async (port = server.port): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};

/** All answers of a connection on which these bytes were sent, until the server closes it. */
const exchange = async (request: string | Buffer, port = server.port): Promise<RawAnswer[]> => {
  const socket = await connected(port);
  socket.write(request);
  return answersIn(await text(socket));
};

const answersIn = (received: string): RawAnswer[] => {
  const answers: RawAnswer[] = [];
  for (let rest = received; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [line, ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(lines.map((each) => [each.split(': ', 1)[0]!.toLowerCase(), each.slice(each.indexOf(': ') + 2)]));
    const length = Number(headers['content-length'] ?? 0);
    answers.push({ status: Number(line!.split(' ')[1]), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
};

const request = (line: string, headers: readonly string[], body: string | Buffer = ''): Buffer => {
  const length = body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.concat([Buffer.from(`${[line, ...headers, ...length, 'Connection: close'].join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
};

const expectEnvelope = (answers: readonly RawAnswer[], status: number, detail: RegExp, code = 'invalid_request'): void => {
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  const [{ headers, body }] = answers as [RawAnswer];
  expect(JSON.parse(body)).toEqual(envelope(code, expect.stringMatching(detail)));
  expect(headers).toMatchObject(COMMON);
};

const expectUnauthorized = (answers: readonly RawAnswer[]): void => {
  expect(answers.map(({ status, body }) => [status, body])).toEqual([[401, '']]);
  expect(answers[0]!.headers).toMatchObject({ 'www-authenticate': 'Basic realm="Realm"', 'cache-control': 'no-store' });
};

describe('bytes that are no request', () => {
  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400, /not HTTP\/1\.1/],
    ['an unknown method', `FROB /v1/who HTTP/1.1\r\n${HOST}\r\n\r\n`, 400, /not HTTP\/1\.1/],
    ['a header without a name', `GET /v1/who HTTP/1.1\r\n${HOST}\r\n: x\r\n\r\n`, 400, /not HTTP\/1\.1/],
    ['two lengths', `POST /open HTTP/1.1\r\n${HOST}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, /not HTTP\/1\.1/],
    ['a length beside chunks', `POST /open HTTP/1.1\r\n${HOST}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, /not HTTP\/1\.1/],
    ['headers of 20 KB', `GET / HTTP/1.1\r\n${HOST}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /16 KiB/],
    ['a path of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n\r\n`, 431, /16 KiB/],
  ])('are answered with the envelope and the common headers: %s', async (_, bytes, status, detail) => {
    expectEnvelope(await exchange(bytes), status, detail);
  });

  it('CONNECT is answered as an unknown path', async () => {
    expectEnvelope(await exchange('CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'), 404, /nothing/, 'not_found');
  });

  it('a chunk that is malformed ends the request under way', async () => {
    const head = ['POST /v1/order HTTP/1.1', HOST, RIGHT, JSON_BODY, 'Transfer-Encoding: chunked', '', ''].join('\r\n');
    const socket = await connected();
    const received = text(socket);
    socket.write(head);
    socket.write('zz\r\n');
    expectEnvelope(answersIn(await received), 400, /not HTTP/);
  });

  it('the answer arrives although the caller goes on sending', async () => {
    const socket = await connected();
    const received = text(socket);
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\nX: ${'x'.repeat(20_000)}`);
    for (let i = 0; i < 20; i++) {
      if (socket.writable) socket.write('y'.repeat(1_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expectEnvelope(answersIn(await received), 431, /16 KiB/);
  });
});

describe('HTTP/1.1 without Host, or with two', () => {
  it.each([
    ['none', []],
    ['two', [HOST, 'host: b.example']],
  ])('is refused in words: %s', async (_, headers) => {
    for (const path of ['/', '/open/x', '/%zz', '/livez']) expectEnvelope(await exchange(request(`GET ${path} HTTP/1.1`, headers)), 400, /Host/);
    expectEnvelope(await exchange(request('GET /v1/who HTTP/1.1', [...headers, RIGHT])), 400, /Host/);
    expectUnauthorized(await exchange(request('GET /v1/who HTTP/1.1', headers)));
  });

  it('is no fault of HTTP/1.0', async () => {
    const [answer] = await exchange(request('GET /v1/who HTTP/1.0', [RIGHT]));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Shop"}' });
  });
});

describe('an expectation', () => {
  it.each(['teapot', '200-ok', '100-continue, teapot'])('that is unknown is refused in words: %s', async (expectation) => {
    const headers = [HOST, `Expect: ${expectation}`];
    expectEnvelope(await exchange(request('POST /nowhere HTTP/1.1', headers)), 417, /100-continue/);
    expectEnvelope(await exchange(request('POST /v1/order HTTP/1.1', [...headers, RIGHT, JSON_BODY], '{}')), 417, /100-continue/);
    expectUnauthorized(await exchange(request('POST /v1/order HTTP/1.1', headers)));
  });

  const expecting = (headers: readonly string[], length = 15): string =>
    ['POST /v1/order HTTP/1.1', HOST, JSON_BODY, `Content-Length: ${length}`, 'Expect: 100-continue', ...headers, '', ''].join('\r\n');

  it('of 100 Continue is met once the credentials are right', async () => {
    const socket = await connected();
    socket.write(expecting([RIGHT, 'Connection: close']));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{"name": "Ann"}');
    expect(answersIn(await text(socket))).toEqual([expect.objectContaining({ status: 200, body: '{"name":"Ann"}' })]);
  });

  it.each([
    ['the credentials', 401, expecting(['Authorization: Basic eDp4'])],
    ['the type', 415, expecting([RIGHT]).replace('application/json', 'text/plain')],
    ['the coding', 415, expecting([RIGHT, 'Content-Encoding: gzip'])],
    ['the size', 413, expecting([RIGHT], 1 << 20)],
    ['the path', 404, expecting([RIGHT]).replace('/v1/order', '/v1/nothing')],
  ])('of 100 Continue is not met before the answer that refuses %s', async (_, status, head) => {
    const answers = await exchange(head);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });
});

describe('a body', () => {
  const post = (headers: readonly string[], body: string | Buffer, path = '/v1/order') =>
    exchange(request(`POST ${path} HTTP/1.1`, [HOST, RIGHT, ...headers], body));

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'zstd', 'identity, gzip', 'x'])('that says it is coded is refused in words: %s', async (coding) => {
    const answers = await post([JSON_BODY, `Content-Encoding: ${coding}`], gzipSync('{"name":"Ann"}'));
    expectEnvelope(answers, 415, /Content-Encoding/);
    expect(answers[0]!.headers['accept-encoding']).toBe('identity');
    expectEnvelope(await post([JSON_BODY, `Content-Encoding: ${coding}`], '{"name":"Ann"}'), 415, /Content-Encoding/);
  });

  it('whose transfer is coded is refused in words', async () => {
    const chunk = gzipSync('{"name":"Ann"}');
    const body = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n0\r\n\r\n')]);
    const head = ['POST /v1/order HTTP/1.1', HOST, RIGHT, JSON_BODY, 'Transfer-Encoding: gzip, chunked', 'Connection: close', '', ''].join('\r\n');
    expectEnvelope(await exchange(Buffer.concat([Buffer.from(head), body])), 415, /Transfer-Encoding/);
  });

  it.each(['identity', ''])('may say that it is not coded: %j', async (coding) => {
    expect(await post([JSON_BODY, `Content-Encoding: ${coding}`], '{"name":"Ann"}')).toEqual([expect.objectContaining({ status: 200 })]);
  });

  it('that is not read may be coded', async () => {
    for (const path of [`/v1/order/${ID}/completion`, `/v1/order/${ID}/note`])
      expect(await post([JSON_BODY, 'Content-Encoding: gzip'], gzipSync('{}'), path)).toEqual([expect.objectContaining({ status: 200 })]);
    expect(await exchange(request('GET /v1/who HTTP/1.1', [HOST, RIGHT, 'Content-Encoding: gzip']))).toEqual([
      expect.objectContaining({ status: 200 }),
    ]);
  });

  it('is refused for its coding only after the credentials', async () => {
    expectUnauthorized(await exchange(request('POST /v1/order HTTP/1.1', [HOST, JSON_BODY, 'Content-Encoding: gzip'], '{}')));
  });

  it('may begin with a byte order mark', async () => {
    expect(await post([JSON_BODY], `${BOM}{"name":"Ann"}`)).toEqual([expect.objectContaining({ status: 200, body: '{"name":"Ann"}' })]);
  });

  it.each([
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"name":"Ann"}', 'utf16le')]), /UTF-8/],
    ['a mark alone', Buffer.from(BOM), /JSON/],
    ['a repeated key behind a mark', Buffer.from(`${BOM}{"name":"a","name":"b"}`), /`name` appears twice/],
  ])('is refused in words: %s', async (_, bytes, detail) => {
    expectEnvelope(await post([JSON_BODY], bytes), 400, detail);
  });
});

describe('a path', () => {
  it.each(['/%zz', '/%', '/%c3%28', '/x%2', '//', '/..%2f%zz', '/\\'])(
    'that is malformed is an unknown one, before and behind the credentials: %s',
    async (path) => {
      expectEnvelope(await exchange(request(`GET ${path} HTTP/1.1`, [HOST])), 404, /nothing/, 'not_found');
      expectUnauthorized(await exchange(request(`GET /v1${path} HTTP/1.1`, [HOST])));
      expectEnvelope(await exchange(request(`GET /v1${path} HTTP/1.1`, [HOST, RIGHT])), 404, /nothing/, 'not_found');
    },
  );

  it.each(METHODS.filter((method) => !['CONNECT', 'HEAD', 'PRI'].includes(method)))('needs the credentials for %s too', async (method) => {
    expectUnauthorized(await exchange(request(`${method} /v1/nothing HTTP/1.1`, [HOST])));
    expectEnvelope(await exchange(request(`${method} /nothing HTTP/1.1`, [HOST])), 404, /nothing/, 'not_found');
  });
});

describe('an unknown path', () => {
  it.each(['{', 'x'.repeat(100_000)])('is answered as such whatever the body', async (body) => {
    expectEnvelope(await exchange(request('POST /nothing HTTP/1.1', [HOST, JSON_BODY, 'Content-Encoding: gzip'], body)), 404, /nothing/, 'not_found');
  });
});

describe('a request that does not arrive', () => {
  let hasty: HttpServer;
  beforeAll(async () => {
    const mounts = [{ prefix: '/v1', app: guarded }];
    const arrival = { headers: 100, request: 200, checkedEvery: 20 };
    hasty = await serve({ host: '127.0.0.1', port: 0, mounts, fallback: createPlainApp(), https: true, arrival });
  });
  afterAll(() => hasty.close());

  const body = ['POST /v1/order HTTP/1.1', HOST, JSON_BODY, 'Content-Length: 15', '', '{"name'].join('\r\n');

  it.each([
    ['nothing', ''],
    ['half of a line', 'GET /v1'],
    ['half of its headers', `GET /v1/who HTTP/1.1\r\n${HOST}\r\n`],
    ['half of its body', body.replace(HOST, `${HOST}\r\n${RIGHT}`)],
  ])('is answered with 408 when its time is over: %s', async (_, bytes) => {
    expectEnvelope(await exchange(bytes, hasty.port), 408, /in time/);
  });

  it('gets no second answer when it was answered before', async () => {
    expectUnauthorized(await exchange(body, hasty.port));
  });

  it('has 15 s for its headers and 30 s in all, to the second', () => {
    expect(ARRIVAL).toEqual({ headers: 15_000, request: 30_000, checkedEvery: 1_000 });
  });
});

describe('bytes behind a request that is not answered yet', () => {
  it('are answered after it', async () => {
    const release: (() => void)[] = [];
    const app = fastify().get('/held', () => new Promise((resolve) => release.push(() => resolve('released'))));
    const holding = await serve({ host: '127.0.0.1', port: 0, mounts: [{ prefix: '/held', app }], fallback: createPlainApp() });
    const socket = await connected(holding.port);
    const received = text(socket);
    socket.write(`GET /held HTTP/1.1\r\n${HOST}\r\n\r\nnonsense\r\n\r\n`);
    socket.write('more nonsense\r\n\r\n');
    while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
    release[0]!();
    expect(answersIn(await received).map(({ status }) => status)).toEqual([200, 400]);
    await holding.close();
  });
});
