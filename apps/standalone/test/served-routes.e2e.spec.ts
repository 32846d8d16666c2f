import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { pageBudgets } from '#service/http';

import { PORTAL_BUDGETS } from '../../console/src/portal-budgets.js';
import { DEVICE_BUDGETS } from '../../device-api/src/device-budgets.js';
import { LOGIN_BUDGETS, loginPageBudgets } from '../../login-bff/src/login-budgets.js';
import { OPENID_BUDGETS } from '../../openid/src/openid-budgets.js';
import { ADMIN_BUDGETS } from '../../registry/src/admin-budgets.js';
import { SANDBOX_BUDGETS } from '../../sandbox/src/sandbox-budgets.js';
import { SESSION_BUDGETS } from '../../session-api/src/session-budgets.js';
import { TRUST_SERVICE_BUDGETS } from '../../signing/src/trust-service-budgets.js';
import { nameOf, requestPath, type ServedRoute, servedRoutes, type ServedRoutes } from './served-routes.js';

const ROOT = join(import.meta.dirname, '../../..');
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ADMIN_TOKEN = 'the-token-of-the-test-of-all-routes';

/** Routes that answer without a credential, and why. A new one fails this test until it stands here. */
const OPEN: Readonly<Record<string, string>> = {
  'GET /login': 'leads to the page',
  'GET /login/': 'a page, without data',
  'GET /login/*': 'the files of the page',
  'GET /login/logos/:clientId/:file': 'logos, under the hash of their bytes',
  'GET /phone': 'leads to the page',
  'GET /phone/': 'a page, without data',
  'GET /phone/*': 'the files of the page',
  'GET /portal': 'leads to the page',
  'GET /portal/': 'a page, without data',
  'GET /portal/*': 'the files of the page',
  'POST /login-ui/v1/session/claim': 'its credential is the handoff token in its body',
  'POST /portal/v1/login': 'begins a login',
  'DELETE /portal/v1/session': 'a log-out: it takes the cookie away, and of a session that is none it ends nothing',
  'GET /portal/v1/callback': 'ends a login that this browser began: its cookie is the credential, and without it the page says so',
  'POST /sandbox/v1/phones': 'for this machine alone, never where guarded',
  'POST /sandbox/v1/phones/:phoneId/scan': 'for this machine alone, never where guarded',
  'POST /sandbox/v1/phones/:phoneId/login': 'for this machine alone, never where guarded',
  'POST /sandbox/v1/clients': 'for this machine alone, never where guarded',
  'POST /sandbox/v1/clock': 'for this machine alone, never where guarded',
  'GET /sandbox/v1/webhooks': 'for this machine alone, never where guarded',
  'POST /sandbox/v1/reset': 'for this machine alone, never where guarded',
  'POST /sandbox/v1/faults': 'for this machine alone, never where guarded',
  'POST /pki/ocsp': 'the development trust service: public by its purpose, never where guarded',
  'GET /pki/ocsp/*': 'as before',
  'POST /pki/tsa': 'as before',
  'GET /pki/root.crl': 'as before',
  'GET /pki/root.cer': 'as before',
  'GET /pki/issuing.cer': 'as before',
  'GET /openid/.well-known/openid-configuration': 'the metadata of the provider: public by its purpose',
  'GET /.well-known/oauth-authorization-server/openid': 'as before',
  'GET /openid/jwks': 'public keys',
  'GET /openid/authorize': 'sends a browser to the login page, and stores nothing',
  'POST /openid/authorize': 'as before',
  'GET /': 'the welcome page',
  'GET /welcome/assets/*': 'the files of the welcome page',
  'GET /openapi.json': 'the reference',
  'GET /openapi.relying-party.json': 'a part of it, for generators of code',
  'GET /openapi.device.json': 'as before',
  'GET /openapi.admin.json': 'as before',
  'GET /docs': 'leads to the reference',
  'GET /docs/': 'the reference as a page',
  'GET /docs/assets/*': 'the files of that page',
  'GET /guide': 'leads to the documentation',
  'GET /guide/*': 'the documentation, which is public',
  'GET /livez': 'on the port of operations alone',
  'GET /readyz': 'on the port of operations alone',
  'GET /metrics': 'on the port of operations alone',
};

/** The routes of no application, and why they need no budget. */
const FRONT: Readonly<Record<string, string>> = {
  'GET /': 'a page from memory',
  'GET /welcome/assets/*': 'built files',
  'GET /openapi.json': 'a document from memory',
  'GET /openapi.relying-party.json': 'a document from memory',
  'GET /openapi.device.json': 'a document from memory',
  'GET /openapi.admin.json': 'a document from memory',
  'GET /docs': 'leads to the reference',
  'GET /docs/': 'a page from memory',
  'GET /docs/assets/*': 'built files',
  'GET /guide': 'leads to the documentation',
  'GET /guide/*': 'built files',
  'GET /livez': 'on the port of operations, which no stranger reaches',
  'GET /readyz': 'on the port of operations, which no stranger reaches',
  'GET /metrics': 'on the port of operations, which no stranger reaches',
};

/** Credentials that are none, each as its prefix reads it. */
const WRONG: readonly Readonly<Record<string, string>>[] = [
  {},
  { authorization: `Basic ${Buffer.from(`00000000-0000-4000-8000-000000000000:${'x'.repeat(43)}`).toString('base64')}` },
  { authorization: 'Bearer wrong' },
  { authorization: `Bearer ${ADMIN_TOKEN}x` },
  { cookie: 'svc_portal=wrong; __Host-svc_portal=wrong', 'x-service-portal': '1' },
  { cookie: 'svc_login=wrong', 'x-service-login': '1' },
  { 'device-proof': 'eyJhbGciOiJub25lIn0.e30.' },
  { 'device-proof': 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA' },
];

let served: ServedRoutes;
beforeAll(async () => {
  served = await servedRoutes({
    ADMIN_TOKEN,
    AUTHENTICATION_FAILURE_LIMIT: '1000000',
    // Browsers come by https; the port itself speaks http, as behind a gateway.
    BASE_URL: 'https://id.example',
    INTERNAL_URL: 'http://127.0.0.1:9',
  });
});
afterAll(() => served.close());

/** What each route answers to the request, by its name. */
const answers = async (init?: (route: ServedRoute) => RequestInit): Promise<readonly (readonly [string, Response, ServedRoute])[]> => {
  const found: (readonly [string, Response, ServedRoute])[] = [];
  for (const route of served.routes) {
    const answer = await served.call(route, init?.(route));
    found.push([nameOf(route), answer, route]);
  }
  return found;
};

/** Without a credential, and with the one that opens most routes. */
const everyAnswer = async () => [
  ...(await answers()),
  ...(await answers(({ method }) => (method === 'GET' ? { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } } : {}))),
];

const isPage = (answer: Response): boolean => answer.headers.get('content-type')?.startsWith('text/html') === true;

describe('the inventory of routes', () => {
  it('holds each operation of the reference, under the same name', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: Record<string, Record<string, object>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const names = served.routes.map(nameOf);
    expect(operations.length).toBeGreaterThan(100);
    expect(operations.filter((operation) => !names.includes(operation))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(OPEN).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('holds no route beside the reference but the pages, their logins, and what is open', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: Record<string, object> };
    const documented = new Set(Object.keys(paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')));
    const others = served.routes.filter(({ path }) => !documented.has(path)).map(nameOf);
    expect(others.filter((name) => !(name in OPEN)).toSorted()).toEqual([
      // Described by the standards of OpenID Connect.
      'GET /openid/userinfo',
      'GET /portal/v1/session',
      'POST /openid/bc-authorize',
      'POST /openid/par',
      'POST /openid/token',
      'POST /openid/userinfo',
    ]);
  });
});

describe('the budgets of routes', () => {
  it('stand in one inventory for every route that is served, as a number or as a reason, and for no other', () => {
    const { loginUrl, appUrl, portalUrl } = served.platform.settings;
    const budgets = {
      ...ADMIN_BUDGETS,
      ...DEVICE_BUDGETS,
      ...LOGIN_BUDGETS,
      ...OPENID_BUDGETS,
      ...PORTAL_BUDGETS,
      ...SANDBOX_BUDGETS,
      ...SESSION_BUDGETS,
      ...TRUST_SERVICE_BUDGETS,
      ...loginPageBudgets(loginUrl),
      ...pageBudgets(appUrl),
      ...pageBudgets(portalUrl),
      ...FRONT,
    };
    expect(Object.keys(budgets).toSorted()).toEqual(served.routes.map(nameOf).toSorted());
  });
});

describe('every route', () => {
  it('refuses a request without a credential or with a wrong one, unless it is open', async () => {
    for (const headers of WRONG)
      for (const [name, { status }] of await answers(() => ({ headers })))
        if (!(name in OPEN)) expect([name, headers, [401, 403].includes(status) || status]).toEqual([name, headers, true]);
  });

  it('refuses it under each other spelling of its path too', async () => {
    const spellings: readonly ((path: string) => string)[] = [
      (path) => path.replaceAll(/\/([a-z])/g, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
      (path) => path.replace(/([a-z])(?=[^/]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      (path) => path.toUpperCase(),
      (path) => `/${path}`,
      (path) => `${path}/`,
      (path) => `${path};x=1`,
      (path) => path.replace('/v1/', '/v1//'),
      (path) => path.replace('/v1/', '/v1%2f'),
    ];
    for (const route of served.routes.filter((each) => !(nameOf(each) in OPEN)))
      for (const spell of spellings) {
        const { status } = await served.call({ ...route, path: spell(requestPath(route.path)) });
        expect([nameOf(route), spell(route.path), status >= 400 && status < 500]).toEqual([nameOf(route), spell(route.path), true]);
      }
  });

  it('answers no other method than its own', async () => {
    const taken = new Set(served.routes.map(nameOf));
    for (const route of served.routes) {
      for (const method of METHODS.filter((each) => !taken.has(nameOf({ ...route, method: each })))) {
        for (const headers of [{}, { authorization: `Bearer ${ADMIN_TOKEN}` }]) {
          const { status } = await served.call({ ...route, method }, { headers });
          expect([`${method} ${route.path}`, status >= 400 && status < 500]).toEqual([`${method} ${route.path}`, true]);
        }
      }
    }
  });

  it('has the headers that every answer has, and says nothing of the software', async () => {
    for (const [name, { headers }] of await everyAnswer()) {
      expect([name, headers.get('x-content-type-options'), headers.get('x-request-id') !== null]).toEqual([name, 'nosniff', true]);
      expect([name, headers.get('strict-transport-security')]).toEqual([
        name,
        /^GET \/(livez|readyz|metrics)$/.test(name) ? null : 'max-age=31536000',
      ]);
      expect([name, headers.get('cache-control')]).toEqual([name, 'no-store']);
      expect([name, headers.get('server'), headers.get('x-powered-by')]).toEqual([name, null, null]);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
        expect(`${name} ${policy}`).toContain(part);
      expect([name, policy]).toEqual([name, expect.not.stringMatching(/unsafe-|\*|http:/)]);
    }
  });

  it('names the character set of its texts', async () => {
    for (const [name, { headers }] of await everyAnswer()) {
      const type = headers.get('content-type') ?? '';
      if (/^(text\/|application\/json)/.test(type)) expect(`${name} ${type}`).toMatch(/; charset=utf-8$/);
    }
  });

  it('answers a page in a group of windows of its own, without a referrer', async () => {
    const pages = (await answers()).filter(([, answer]) => isPage(answer));
    expect(pages.map(([name]) => name).toSorted()).toEqual([
      'GET /docs/',
      'GET /login/',
      'GET /openid/authorize',
      'GET /phone/',
      'GET /portal/',
      'POST /openid/authorize',
    ]);
    for (const [name, { headers }] of pages)
      expect([name, headers.get('cross-origin-opener-policy'), headers.get('referrer-policy')]).toEqual([name, 'same-origin', 'no-referrer']);
  });

  it('answers 404 for a file that is not there, and never another file', async () => {
    const files = served.routes.filter(({ path, method }) => method === 'GET' && path.endsWith('*') && !path.startsWith('/pki/'));
    expect(files.length).toBeGreaterThanOrEqual(5);
    for (const { path, port } of files)
      for (const name of ['none.css', 'v1.css', 'index.html', '..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json', 'assets/.env']) {
        const { status } = await fetch(`http://127.0.0.1:${port}${requestPath(path, name)}`, { redirect: 'manual' });
        expect([path, name, status]).toEqual([path, name, 404]);
      }
  });

  it('lets no page of another origin read its answer', async () => {
    const origins = ['https://evil.example', 'null', 'https://id.example.evil.example', 'http://id.example'];
    for (const origin of origins)
      for (const [name, { headers }] of await answers(() => ({ headers: { origin } })))
        expect([name, origin, headers.get('access-control-allow-origin') ?? 'https://id.example']).toEqual([name, origin, 'https://id.example']);
  });

  it('sets only cookies that scripts, other sites and http cannot have', async () => {
    const begun = await fetch(`${served.baseUrl}/portal/v1/login`, {
      method: 'POST',
      headers: { 'x-service-portal': '1', 'content-type': 'application/json' },
      body: '{}',
    });
    const cookies = [...(await everyAnswer()).flatMap(([, { headers }]) => headers.getSetCookie()), ...begun.headers.getSetCookie()];
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).toMatch(/; Secure(;|$)/);
      expect(cookie).toMatch(/; SameSite=Lax(;|$)/);
      expect(cookie.length).toBeLessThan(4_096);
    }
  });
});
