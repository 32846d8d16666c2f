import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Gateway } from '../../testkit/topologies/gateway.ts';

const PRODUCTION = join(import.meta.dirname, '../../deploy/production/nginx.conf');
const HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
const HSTS = { 'strict-transport-security': 'max-age=31536000' };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let folder: string;
let ports: number[];
let gateway: Gateway;
let production: ChildProcess;
const seen: IncomingMessage[] = [];
const service = createServer((request, response) => {
  seen.push(request);
  response.writeHead(418, { 'content-length': 7 }).end('service');
});

const freePort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** The file of a host in production, on ports of this machine, with a certificate of its own. */
const startProduction = async (upstream: number, http: number, https: number): Promise<ChildProcess> => {
  const [certificate, key] = [join(folder, 'host.pem'), join(folder, 'host.key')];
  const names = ['-subj', '/CN=id.example', '-addext', 'subjectAltName=DNS:id.example,DNS:phone.example,DNS:portal.example'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', certificate, ...names], {
    stdio: 'pipe',
  });
  const text = (await readFile(PRODUCTION, 'utf8'))
    .replaceAll(/listen \[::\][^;]*;/g, '')
    .replaceAll('listen 80;', `listen 127.0.0.1:${http};`)
    .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${upstream}`)
    .replaceAll(/\/etc\/countersign\/tls\/\S+\.pem/g, certificate)
    .replaceAll(/\/etc\/countersign\/tls\/\S+\.key/g, key)
    .replaceAll('/var/log/nginx/countersign.log', join(folder, 'access.log'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
  const file = join(folder, 'production.conf');
  await writeFile(file, `pid ${join(folder, 'production.pid')};\nevents {}\nhttp {\n${paths.join('\n')}\n${text}\n}\n`);
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'], { stdio: 'inherit' });
  await once(child, 'spawn');
  return child;
};

/** Sends these bytes and reads the answer to its end. `name`: by TLS, for that host. */
const raw = (port: number, text: string, name?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const socket = name === undefined ? connect(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', servername: name, rejectUnauthorized: false });
    let got = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (got += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = got.split('\r\n\r\n', 2);
      const [first = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
      resolve({ status: Number(first.split(' ')[1]), headers, body });
    });
    socket.write(text);
  });

const request = (method: string, path: string, more = '', host = 'id.example') => `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;

const expectEnvelope = ({ status, headers, body }: Answer, wanted: number, code: string, more: object = {}): void => {
  expect({ status, body }).toEqual({ status: wanted, body: expect.stringContaining('"errorCode"') });
  expect(JSON.parse(body)).toEqual({ errorCode: code, defaultTranslation: expect.any(String), resultMessageLangCode: 'en', payload: null });
  expect(headers).toMatchObject({ ...HEADERS, 'content-type': 'application/json; charset=utf-8', ...more });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const upstream = (service.address() as AddressInfo).port;
  ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const [api = 0, login = 0, phone = 0, portal = 0, http = 0, https = 0] = ports;
  const server = `server 127.0.0.1:${upstream}`;
  const down = `server 127.0.0.1:${await freePort()}`;
  gateway = new Gateway({
    directory: folder,
    upstreams: { SESSION_API: server, LOGIN_BFF: server, DEVICE_API: server, REGISTRY: server, CONSOLE: server, OPENID: server, SIGNING: down },
    ports: { api, login, phone, portal },
  });
  await gateway.start();
  production = await startProduction(upstream, http, https);
  for (const giveUpAt = performance.now() + 20_000; ;) {
    if (await raw(https, request('GET', '/unknown'), 'phone.example').then(() => true, () => performance.now() > giveUpAt)) break;
  }
});

afterAll(async () => {
  await gateway.stop();
  const ended = once(production, 'exit');
  production.kill('SIGTERM');
  await ended;
  service.close();
  await rm(folder, { recursive: true });
});

const LONG = 'x'.repeat(40_000);

describe.each([
  ['the gateway of the services', (text: string) => raw(ports[0]!, text), {}],
  ['the host in production', (text: string) => raw(ports[5]!, text, 'id.example'), HSTS],
] as const)('%s answers itself with the envelope and the headers of the services', (where, send, more) => {
  it.each([
    ['a path that is none', request('GET', '/%zz'), 400, 'invalid_request'],
    ['a path that leaves the root', request('GET', '/../x'), 400, 'invalid_request'],
    ['a first line that is none', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    ['two hosts', request('GET', '/unknown', 'Host: b\r\n'), 400, 'invalid_request'],
    ['no host', 'GET /app/v1/x HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['TRACE', request('TRACE', '/app/v1/x'), 404, 'not_found'],
    ['a first line that is too long', request('GET', `/${LONG}`), 414, 'invalid_request'],
    ['a header that is too long', request('GET', '/app/v1/x', `A: ${LONG}\r\n`), 431, 'invalid_request'],
  ])('%s', async (_, text, status, code) => {
    expectEnvelope(await send(text), status, code, more);
  });

  it.each(['/relying-party/%zz', '/relying-party/v1/%', '/relying-party/../../x'])('a malformed %s without credentials: 401 without an envelope', async (path) => {
    const answer = await send(request('GET', path));
    expect([answer.status, answer.body]).toEqual([401, '']);
    expect(answer.headers).toMatchObject({ ...HEADERS, ...more, 'www-authenticate': 'Basic realm="Realm"' });
  });

  it('TRACE of a relying party without credentials: 401 without an envelope', async () => {
    const answer = await send(request('TRACE', '/relying-party/v1/session'));
    expect([answer.status, answer.body]).toEqual([401, '']);
  });

  it('hands a request of HTTP/1.0 without a host on, with one', async () => {
    seen.length = 0;
    expect(await send('POST /relying-party/v1/session HTTP/1.0\r\n\r\n')).toMatchObject({ status: 418, body: 'service' });
    expect(seen[0]?.headers.host).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('leaves the answers of the services alone', async () => {
    expect(await send(request('GET', '/relying-party/v1/x'))).toMatchObject({ status: 418, body: 'service' });
  });

  it(`an address of operations: ${where}`, async () => {
    if (where === 'the host in production') for (const path of ['/metrics', '/livez', '/admin/v1/x', '/portal']) expectEnvelope(await send(request('GET', path)), 404, 'not_found', more);
    else for (const path of ['/metrics', '/unknown', '/']) expectEnvelope(await send(request('GET', path)), 404, 'not_found', more);
  });
});

describe('the other origins of nginx', () => {
  it.each([
    ['login', 1, '/login-ui/v1/x'],
    ['login', 1, '/metrics'],
    ['phone', 2, '/app/v1/x'],
    ['portal', 3, '/relying-party/v1/x'],
  ])('answer with the envelope: %s', async (_, index, path) => {
    expectEnvelope(await raw(ports[index]!, request('GET', path)), 404, 'not_found');
    expectEnvelope(await raw(ports[index]!, request('GET', '/%zz')), 400, 'invalid_request');
  });

  it('answer with the envelope in production: phone, portal, and http on the port of https', async () => {
    for (const host of ['phone.example', 'portal.example']) expectEnvelope(await raw(ports[5]!, request('GET', '/x', '', host), host), 404, 'not_found', HSTS);
    expectEnvelope(await raw(ports[5]!, request('GET', '/')), 400, 'invalid_request');
    expectEnvelope(await raw(ports[4]!, request('GET', '/%zz')), 400, 'invalid_request');
    expect(await raw(ports[4]!, request('GET', '/x?y=z'))).toMatchObject({ status: 301, headers: { location: 'https://id.example/x?y=z' } });
  });

  it('answer 502 with the envelope, and no Retry-After, when no replica answers', async () => {
    const answer = await raw(ports[0]!, request('GET', '/pki/tsa'));
    expectEnvelope(answer, 502, 'service_unavailable');
    expect(answer.headers).not.toHaveProperty('retry-after');
  });
});
