import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { eventually } from '#testkit/kernel/eventually';

import { banner } from '../src/banner.js';
import { type Standalone, startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

interface OpenApiDocument {
  readonly servers: unknown;
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  readonly summary: string;
  readonly security?: unknown;
  readonly responses: object;
  readonly requestBody?: { readonly content: Record<string, { readonly example?: object }> };
}

let directory: string;
let standalone: Standalone;

const start = async (environment: Record<string, string> = {}): Promise<Standalone> =>
  startStandalone(
    loadPlatformSettings({
      PORT: String(await reservePort()),
      DEMO_PORT: String(await reservePort()),
      DATA_DIR: directory,
      LOG_LEVEL: 'silent',
      BASE_URL: 'http://localhost:3000',
      ...environment,
    }),
  );
const at = (path: string, port = standalone.platform.settings.port): string => `http://127.0.0.1:${port}${path}`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'standalone-'));
  standalone = await start();
});
afterAll(async () => {
  await standalone.close();
  await rm(directory, { recursive: true });
});

describe('standalone', () => {
  it.each([
    ['/relying-party/v1/session', 401],
    ['/login-ui/v1/session/status', 403],
    ['/app/v1/device', 401],
    ['/admin/v1/clients', 401],
    ['/livez', 200],
    ['/readyz', 200],
    ['/metrics', 200],
    ['/openapi.json', 200],
    ['/openapi.relying-party.json', 200],
    ['/openapi.device.json', 200],
    ['/openapi.admin.json', 200],
    ['/docs/', 200],
    ['/guide/', 200],
    ['/guide/webhooks', 200],
    ['/phone/guide/', 404],
    ['/portal/guide/', 404],
    ['/login/guide/', 404],
    ['/nothing', 404],
  ])('answers %s with %d', async (path, status) => {
    expect((await fetch(at(path))).status).toBe(status);
  });

  it('describes all applications in one document', async () => {
    const { paths } = (await (await fetch(at('/openapi.json'))).json()) as { paths: object };
    for (const prefix of ['/relying-party/v1/', '/login-ui/v1/', '/app/v1/', '/admin/v1/']) {
      expect(Object.keys(paths).filter((path) => path.startsWith(prefix))).not.toEqual([]);
    }
  });

  it.each([
    ['relying-party', '/relying-party/v1/'],
    ['device', '/app/v1/'],
    ['admin', '/admin/v1/'],
  ])('describes the operations of one audience, and no other, with the address of this service: %s', async (audience, prefix) => {
    const all = (await (await fetch(at('/openapi.json'))).json()) as OpenApiDocument;
    const document = (await (await fetch(at(`/openapi.${audience}.json`))).json()) as OpenApiDocument;
    expect(document.servers).toEqual([{ url: 'http://localhost:3000' }]);
    expect(Object.keys(document.paths)).toEqual(Object.keys(all.paths).filter((path) => path.startsWith(prefix)));
  });

  it('describes every operation with its credential, its success and its errors, and the addresses of this service', async () => {
    const document = (await (await fetch(at('/openapi.json'))).json()) as OpenApiDocument;
    expect(document.servers).toEqual([{ url: 'http://localhost:3000' }]);
    const schemes = {
      '/relying-party/': ['client', 'clientAssertion'],
      '/login-ui/': ['loginCookie'],
      '/app/': ['deviceProof'],
      '/admin/': ['admin'],
    };
    for (const [path, item] of Object.entries(document.paths)) {
      // The claim brings the login cookie; the handoff token in its body is its credential.
      const accepted = path === '/login-ui/v1/session/claim' ? [] : (Object.entries(schemes).find(([prefix]) => path.startsWith(prefix))?.[1] ?? []);
      for (const operation of Object.values(item)) {
        expect(operation.summary).toMatch(/^[A-Z]/);
        expect(operation.security).toEqual(accepted.map((scheme) => ({ [scheme]: [] })));
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([expect.stringMatching(/^2/), '503']));
      }
    }
    const { example } = document.paths['/relying-party/v1/session']?.['post']?.requestBody?.content['application/json'] ?? {};
    const { demo } = standalone;
    const headers = { authorization: `Basic ${btoa(`${demo?.clientId}:${demo?.clientSecret}`)}`, 'content-type': 'application/json' };
    expect((await fetch(at('/relying-party/v1/session'), { method: 'POST', headers, body: JSON.stringify(example) })).status).toBe(200);
  });

  it('answers / to a program with JSON and to a person with a page that leads to the same places', async () => {
    const { demoPort } = standalone.platform.settings;
    const places = (await (await fetch(at('/'))).json()) as Record<string, string>;
    expect(places).toMatchObject({ name: 'Countersign', demo: `http://localhost:${demoPort}`, phone: 'http://localhost:3000/phone' });
    const answer = await fetch(at('/'), { headers: { accept: 'text/html', 'accept-language': 'fr, et;q=0.9, en;q=0.8' } });
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'none'; style-src 'self'");
    expect(answer.headers.get('vary')).toBe('accept, accept-language');
    const html = await answer.text();
    expect(html).toContain('<html lang="et">');
    for (const name of ['demo', 'phone', 'portal', 'guide', 'reference', 'health'])
      expect(html).toContain(`href="${places[name]}" data-testid="${name}"`);
    expect(await (await fetch(at('/?lang=ru'), { headers: { accept: 'text/html' } })).text()).toContain('<html lang="ru">');
    expect(await (await fetch(at('/?lang=__proto__'), { headers: { accept: 'text/html' } })).text()).toContain('<html lang="en">');
  });

  it('serves the reference under a policy whose nonce is another one each time, and its script compressed and cached', async () => {
    const [one, two] = [await fetch(at('/docs/')), await fetch(at('/docs/'))];
    const policies = [one, two].map((answer) => answer.headers.get('content-security-policy') ?? '');
    expect(policies[0]).toMatch(/script-src 'self'; style-src 'self' 'nonce-[A-Za-z0-9+/]{22}=='; connect-src 'self'/);
    expect(policies.join()).not.toContain('unsafe');
    expect(policies[0]).not.toBe(policies[1]);
    const script = /<script defer src="\.\/(assets\/library-[0-9a-f]{8}\.js)">/.exec(await one.text())?.[1] ?? '';
    const { headers, status } = await fetch(at(`/docs/${script}`), { headers: { 'accept-encoding': 'gzip' } });
    expect([status, headers.get('content-encoding'), headers.get('cache-control')]).toEqual([200, 'gzip', 'public, max-age=31536000, immutable']);
    for (const path of ['/docs/assets/..%2f..%2findex.html', `/welcome/${script}`]) expect((await fetch(at(path))).status).toBe(404);
  });

  it('answers the first request only when the credentials of the demo are in their file', async () => {
    const own = await mkdtemp(join(tmpdir(), 'standalone-first-'));
    const port = await reservePort();
    const starting = start({ DATA_DIR: own, PORT: String(port) });
    let answered = false;
    starting.catch(() => (answered = true));
    while (!answered)
      answered = await fetch(at('/readyz', port)).then(
        ({ ok }) => ok,
        () => false,
      );
    const stored = existsSync(join(own, 'demo.json'));
    await (await starting).close();
    await rm(own, { recursive: true });
    expect(stored).toBe(true);
  });

  it('registers a demo client whose credentials work, and keeps it over restarts', async () => {
    const { demo } = standalone;
    const authorization = `Basic ${Buffer.from(`${demo?.clientId}:${demo?.clientSecret}`).toString('base64')}`;
    expect((await fetch(at('/relying-party/v1/nothing'), { headers: { authorization } })).status).toBe(404);
    await standalone.close();
    standalone = await start();
    expect(standalone.demo).toMatchObject({ clientId: demo?.clientId, clientSecret: demo?.clientSecret });
    expect(JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8'))).toEqual(demo);
  });

  it('serves the demo on a port of its own, where a login can begin, also after that port has changed', async () => {
    const { demo } = standalone;
    const origin = new URL(demo?.redirectUri ?? '').origin;
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(`${origin}/login`, { method: 'POST', headers, body: 'integration=HOSTED_PAGE', redirect: 'manual' });
    expect(answer.status).toBe(303);
  });

  it('informs the demo of the end of a session by webhook, also after that port has changed', async () => {
    for (const restarted of [false, true]) {
      if (restarted) {
        await standalone.close();
        standalone = await start();
      }
      const { clientId, clientSecret, redirectUri = '' } = standalone.demo ?? {};
      const headers = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ signature_type: 'SIGNING', signed_data_hash: 'ab'.repeat(64), signed_data_name: 'a.txt' });
      const created = await fetch(at('/relying-party/v1/session'), { method: 'POST', headers, body });
      const { sessionId } = (await created.json()) as { sessionId: string };
      await fetch(at(`/relying-party/v1/session/${sessionId}`), { method: 'DELETE', headers: { authorization: headers.authorization } });
      const informed = async (): Promise<boolean> =>
        (await (await fetch(new URL('/live', redirectUri))).text()).includes(`Signature ${sessionId.slice(0, 8)}, step 1`);
      await eventually(informed, { what: 'the demo has received the webhook' });
    }
  });

  it('prints the admin token and the credentials of the demo client', () => {
    const text = banner(standalone);
    expect(text).toContain(standalone.platform.adminToken.reveal());
    expect(text).toContain(standalone.demo?.clientSecret);
  });

  it('prints the two addresses that a relying party needs besides', async () => {
    const [, loginPage = ''] = /Login page +(\S+)/.exec(banner(standalone)) ?? [];
    const [, issuer = ''] = /OpenID issuer +(\S+)/.exec(banner(standalone)) ?? [];
    expect((await fetch(at(`${new URL(loginPage).pathname}/`))).headers.get('content-type')).toMatch(/^text\/html/);
    expect(await (await fetch(at(`${new URL(issuer).pathname}/.well-known/openid-configuration`))).json()).toMatchObject({ issuer });
  });

  it('serves health and metrics only on OPS_PORT when it is set', async () => {
    await standalone.close();
    const opsPort = await reservePort();
    standalone = await start({ OPS_PORT: String(opsPort) });
    expect((await fetch(at('/livez'))).status).toBe(404);
    expect((await fetch(at('/metrics'))).status).toBe(404);
    expect((await fetch(at('/readyz', opsPort))).status).toBe(200);
    expect((await fetch(at('/relying-party/v1/x', opsPort))).status).toBe(404);
  });
});
