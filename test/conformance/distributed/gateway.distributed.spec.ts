import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { reservePorts } from '../../../testkit/processes/reserve-port.ts';
import { Gateway } from '../../../testkit/topologies/gateway.ts';
import { type Answer, exchange, runDirectory } from '../../support/index.js';

/* The gateway by itself, in front of a service that answers with the request that it received. */
interface Arrived {
  readonly service: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const SERVICES = ['SESSION_API', 'LOGIN_BFF', 'DEVICE_API', 'REGISTRY', 'CONSOLE', 'SIGNING', 'OPENID'] as const;
const DIRECTORY = join(runDirectory(), 'gateway-alone.data');

let gateway: Gateway;
let servers: Server[];
let origins: { readonly api: string; readonly login: string; readonly phone: string; readonly portal: string };
const arrived: Arrived[] = [];

beforeAll(async () => {
  servers = await Promise.all(
    SERVICES.map(async (service) => listening(createServer((request, response) => void answer(service, request).then((body) => response.end(body))))),
  );
  const upstreams = Object.fromEntries(
    SERVICES.map((service, i) => [service, `server 127.0.0.1:${(servers[i]!.address() as AddressInfo).port} max_fails=0`]),
  );
  const [api = 0, login = 0, phone = 0, portal = 0] = await reservePorts(4);
  const origin = (port: number): string => `http://127.0.0.1:${port}`;
  origins = { api: origin(api), login: origin(login), phone: origin(phone), portal: origin(portal) };
  gateway = new Gateway({ directory: DIRECTORY, upstreams, ports: { api, login, phone, portal } });
  await gateway.start();
  const answers = () =>
    exchange(origins.api, { method: 'GET', path: '/' }).then(
      () => true,
      () => false,
    );
  await eventually(answers, { what: 'the gateway answers', within: 30_000 });
});

afterAll(async () => {
  await gateway.stop();
  for (const server of servers) server.close().closeAllConnections();
});

beforeEach(() => {
  arrived.splice(0);
});

const listening = (server: Server): Promise<Server> => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));

const answer = async (service: string, request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  arrived.push({ service, method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
  return service;
};

const get = (origin: keyof typeof origins, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  exchange(origins[origin], { method: 'GET', path, headers });

describe('each origin', () => {
  it.each([
    ['api', '/relying-party/v1/session/x/status', 'SESSION_API'],
    ['api', '/login-ui/v1/session/status', 'LOGIN_BFF'],
    ['api', '/app/v1/device', 'DEVICE_API'],
    ['api', '/admin/v1/clients', 'REGISTRY'],
    ['api', '/pki/ocsp', 'SIGNING'],
    ['api', '/openid/token', 'OPENID'],
    ['api', '/.well-known/oauth-authorization-server/openid', 'OPENID'],
    ['login', '/', 'LOGIN_BFF'],
    ['phone', '/', 'DEVICE_API'],
    ['portal', '/portal/', 'CONSOLE'],
    ['portal', '/portal/v1/session', 'CONSOLE'],
    ['portal', '/admin/v1/clients', 'REGISTRY'],
  ] as const)('%s leads %s to %s', async (origin, path, service) => {
    expect(await get(origin, path)).toMatchObject({ status: 200, text: service });
  });

  it.each([
    ['api', ['/', '/sandbox/v1/clock', '/livez', '/readyz', '/metrics', '/phone/', '/login/', '/portal/v1/session']],
    ['login', ['/login-ui/v1/session/status', '/livez', '/readyz', '/metrics']],
    ['phone', ['/app/v1/device', '/livez', '/readyz', '/metrics']],
    ['portal', ['/', '/relying-party/v1/session', '/login-ui/v1/session', '/app/v1/device', '/livez', '/readyz', '/metrics']],
  ] as const)('%s leads nowhere else: %p', async (origin, paths) => {
    for (const path of paths) expect([path, (await get(origin, path)).status]).toEqual([path, 404]);
    expect(arrived).toEqual([]);
  });
});

describe('headers by which a caller names another origin', () => {
  it('are dropped at the gateway: addresses, host and scheme of another proxy', async () => {
    const claims = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-real-ip': '203.0.113.7',
      forwarded: 'for=203.0.113.7;host=evil.example',
    };
    await get('api', '/relying-party/v1/session', claims);
    const { headers } = arrived[0]!;
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', host: new URL(origins.api).host });
    expect(JSON.stringify(headers)).not.toMatch(/203\.0\.113\.7|evil\.example/);
    for (const name of ['forwarded', 'x-real-ip', 'x-forwarded-host']) expect(headers).not.toHaveProperty(name);
  });

  it('method, path, query, headers and body pass unchanged', async () => {
    const headers = {
      authorization: 'Basic c2hvcDpzZWNyZXQ=',
      cookie: 'svc_login=abc',
      'device-proof': 'a.b.c',
      'x-service-login': '1',
      prefer: 'wait=20',
      'idempotency-key': 'k',
      origin: 'http://localhost',
    };
    const path = '/relying-party/v1/session/%C3%A4%2Fb/status?since=SCANNED&x=%20';
    await exchange(origins.api, { method: 'POST', path, headers, json: { a: 'ä' } });
    expect(arrived[0]).toMatchObject({ method: 'POST', url: path, headers, body: '{"a":"ä"}' });
  });
});

describe('a token at the origin of the portal', () => {
  it.each(['/admin/v1/clients', '/portal/v1/session'])('is taken out of a request to %s, whose other headers pass', async (path) => {
    const passing = { cookie: 'svc_portal=abc', 'x-service-portal': '1', host: new URL(origins.api).host };
    await get('portal', path, { ...passing, AUTHORIZATION: 'Bearer abc' });
    expect(arrived[0]!.headers).toMatchObject(passing);
    expect(arrived[0]!.headers).not.toHaveProperty('authorization');
  });

  it('passes at the origin of the API', async () => {
    await get('api', '/admin/v1/clients', { authorization: 'Bearer abc' });
    expect(arrived[0]!.headers).toMatchObject({ authorization: 'Bearer abc' });
  });
});

describe('the gateway’s own logs', () => {
  it('hold no credential, token or query, with the services running and with them stopped', async () => {
    const marks = [
      'secret-of-basic',
      'secret-of-query',
      'secret-of-cookie',
      'secret-of-proof',
      'secret-of-body',
      'secret-of-referer',
      'secret-of-key',
    ];
    const headers = {
      authorization: 'Basic secret-of-basic',
      cookie: 'svc_login=secret-of-cookie',
      'device-proof': 'secret-of-proof',
      referer: 'http://localhost/?t=secret-of-referer',
      'idempotency-key': 'secret-of-key',
    };
    const ask = async (): Promise<number[]> => {
      const answers = [
        await exchange(origins.login, { method: 'GET', path: '/?t=secret-of-query', headers }),
        await exchange(origins.api, {
          method: 'POST',
          path: '/relying-party/v1/session/token?code=secret-of-query',
          headers,
          json: { code: 'secret-of-body' },
        }),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await ask()).toEqual([200, 200]);
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    expect(await ask()).toEqual([502, 502]);
    await gateway.stop();
    const files = readdirSync(join(DIRECTORY, 'gateway'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const texts = new Map(files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]));
    expect(texts.get('access.log')).toMatch(/POST \/relying-party\/v1\/session\/token 502 /);
    for (const [name, text] of texts) expect([name, marks.filter((mark) => text.includes(mark))]).toEqual([name, []]);
  });
});
