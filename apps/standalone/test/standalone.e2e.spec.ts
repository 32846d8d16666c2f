import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#config';

import { banner } from '../src/banner.js';
import { type Standalone, startStandalone } from '../src/start.js';
import { reservePort } from '../../../tools/processes/reserve-port.ts';

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
    ['/docs/', 200],
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
      for (const giveUpAt = Date.now() + 10_000; !(await informed()); await new Promise((resolve) => setTimeout(resolve, 50))) {
        if (Date.now() > giveUpAt) throw new Error('the demo received no webhook');
      }
    }
  });

  it('prints the admin token and the credentials of the demo client', () => {
    const text = banner(standalone);
    expect(text).toContain(standalone.platform.adminToken.reveal());
    expect(text).toContain(standalone.demo?.clientSecret);
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
