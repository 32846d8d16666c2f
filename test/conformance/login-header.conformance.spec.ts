import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  Browser,
  bytesOf,
  expectError,
  expectOk,
  type HttpRequest,
  type Login,
  RelyingParty,
  type Service,
  sharedService,
} from '../support/index.js';

const V1 = '/login-ui/v1/session';

let service: Service;
let shop: RelyingParty;
let login: Login;
let browser: Browser;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service);
  login = await shop.login({ hosted_page: true });
  browser = new Browser(service);
  expectOk(await browser.claim(login.handoffToken));
});

const calls = (): HttpRequest[] => [
  { method: 'POST', path: `${V1}/claim`, json: { handoffToken: login.handoffToken } },
  { method: 'GET', path: `${V1}/status?sessionId=${login.sessionId}`, headers: { cookie: `svc_login=${browser.cookie}` } },
  { method: 'POST', path: `${V1}/completion?sessionId=${login.sessionId}`, headers: { cookie: `svc_login=${browser.cookie}` } },
];

describe('X-Service-Login', () => {
  it('is required by every call: a request without it never reaches the handler', async () => {
    for (const call of calls()) expectError(await service.send(call), 403, 'login_header_required');
  });

  it.each(['', '0', '2', 'true', '1, 1', '11', ' 1 1'])('is 1, not %p', async (value) => {
    for (const call of calls()) {
      expectError(await service.send({ ...call, headers: { ...call.headers, 'x-service-login': value } }), 403, 'login_header_required');
    }
  });

  it('missing, the call spends nothing: the token can still be claimed', async () => {
    const fresh = await shop.login({ hosted_page: true });
    expectError(
      await service.send({ method: 'POST', path: `${V1}/claim`, json: { handoffToken: fresh.handoffToken } }),
      403,
      'login_header_required',
    );
    expectOk(await new Browser(service).claim(fresh.handoffToken));
  });

  it('is checked before the cookie, the body and the path', async () => {
    const answers = [
      await service.send({ method: 'POST', path: `${V1}/claim`, raw: '{' }),
      await service.send({ method: 'POST', path: `${V1}/claim`, raw: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } }),
      await service.send({ method: 'GET', path: `${V1}/status` }),
      await service.send({ method: 'GET', path: `${V1}/status?sessionId=${login.sessionId}`, headers: { cookie: 'svc_login=x' } }),
      await service.send({ method: 'POST', path: '/login-ui/v1/nothing', raw: '{' }),
    ];
    for (const answer of answers) expectError(answer, 403, 'login_header_required');
    expect(new Set(answers.map(bytesOf)).size).toBe(1);
  });

  it('may be written in any case', async () => {
    const [, status] = calls();
    expectOk(await service.send({ ...status!, headers: { ...status!.headers, 'X-SERVICE-LOGIN': '1' } }));
  });
});

describe('cross-origin calls', () => {
  const preflight = (origin: string, path = `${V1}/claim`) =>
    service.send({
      method: 'OPTIONS',
      path,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,x-service-login' },
    });

  it('are preflighted, and the configured login origin succeeds', async () => {
    const { status, headers } = await preflight(service.loginOrigin);
    expect([200, 204]).toContain(status);
    expect(headers['access-control-allow-origin']).toBe(service.loginOrigin);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(headers['access-control-allow-headers']?.toLowerCase()).toContain('x-service-login');
    expect(headers['vary']?.toLowerCase()).toContain('origin');
  });

  it.each([
    'https://evil.example',
    'null',
    'http://localhost',
    'http://localhost:1',
    (origin: string) => `${origin}.evil.example`,
    (origin: string) => origin.toUpperCase(),
    (origin: string) => `${origin}/`,
    (origin: string) => origin.replace(/^https?/, (scheme) => (scheme === 'http' ? 'https' : 'http')),
  ])('of another origin are not allowed: %s', async (other) => {
    const origin = typeof other === 'string' ? other : other(service.loginOrigin);
    const { headers } = await preflight(origin);
    expect(headers['access-control-allow-origin']).not.toBe('*');
    expect(headers['access-control-allow-origin']).not.toBe(origin);
  });

  it('of the login origin can read the answer, refusals too; others cannot', async () => {
    const [, status] = calls();
    const asked = async (origin: string, cookie: string) =>
      (await service.send({ ...status!, headers: { cookie, 'x-service-login': '1', origin } })).headers;
    for (const cookie of [`svc_login=${browser.cookie}`, 'svc_login=x']) {
      expect((await asked(service.loginOrigin, cookie))['access-control-allow-origin']).toBe(service.loginOrigin);
      const foreign = await asked('https://evil.example', cookie);
      expect([undefined, service.loginOrigin]).toContain(foreign['access-control-allow-origin']);
      expect(foreign['vary']?.toLowerCase()).toContain('origin');
    }
  });

  it.each(['/relying-party/v1/session', '/admin/v1/clients'])('are allowed nowhere else: %s', async (path) => {
    for (const origin of [service.loginOrigin, 'https://evil.example']) {
      const answers = [await preflight(origin, path), await service.send({ method: 'POST', path, headers: { origin }, json: {} })];
      for (const { headers } of answers) expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('OPTIONS of /relying-party/ is a 401 like every other call without credentials', async () => {
    expect((await preflight(service.loginOrigin, '/relying-party/v1/session')).status).toBe(401);
  });
});
