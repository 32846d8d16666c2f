import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { loadPlatformSettings } from '#service/config';

import { openId } from '../../openid/src/app.js';
import { applications } from '../src/applications.js';
import { type Standalone, startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

const ROOT = join(import.meta.dirname, '../../..');

let directory: string;
let standalone: Standalone;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'http-itself-'));
  const ports = { PORT: String(await reservePort()), DEMO_PORT: String(await reservePort()), OPS_PORT: String(await reservePort()) };
  standalone = await startStandalone(loadPlatformSettings({ ...ports, DATA_DIR: directory, LOG_LEVEL: 'silent', SANDBOX: 'true' }));
});
afterAll(async () => {
  await standalone.close();
  await rm(directory, { recursive: true });
});

const send = async (port: number, request: string) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
};

const REQUESTS: readonly (readonly [string, (path: string) => string])[] = [
  ['no Host', (path) => `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ['an unknown expectation', (path) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: teapot\r\n\r\n`],
  ['100-continue without a credential', (path) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`],
  ['a malformed path', (path) => `GET ${path}/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`],
  ['a method that nothing has', (path) => `TRACE ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`],
  ['headers that are too large', (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['no HTTP', (path) => `${path}\r\n\r\n`],
];

const HEADERS = [
  'x-request-id: ',
  'cache-control: no-store',
  'x-content-type-options: nosniff',
  "content-security-policy: default-src 'none'",
  'date: ',
];

describe('every application, the front and the port of operations', () => {
  it.each(REQUESTS)(
    'answer %s with the envelope and the common headers, and clients without credentials with their 401',
    async (name, requestFor) => {
      const { settings } = standalone.platform;
      // A page lies at the prefixes of the others.
      const prefixes = applications(settings)
        .flatMap(({ prefixes: of }) => of(settings))
        .map((prefix) => `${prefix}/v1/none`);
      expect(prefixes.length).toBeGreaterThanOrEqual(6);
      const places = [...prefixes, '/none', '/docs/none', '/livez/none'].map((path) => [settings.port, path] as const);
      for (const [port, path] of [...places, [settings.opsPort!, '/none'] as const]) {
        const { status, head, body } = await send(port, requestFor(path));
        for (const header of HEADERS) expect(`${name} ${path}: ${head}`).toContain(header);
        if (path.startsWith('/relying-party/') && status === 401) expect(body).toBe('');
        else {
          expect(status).toBeGreaterThanOrEqual(400);
          expect(status).toBeLessThan(500);
          const answer = JSON.parse(body) as { readonly errorCode?: string; readonly error?: string };
          // The provider answers as RFC 6749 section 5.2 says, where the bytes are HTTP at all.
          const oauth = 'error' in answer && openId.prefixes(settings).some((prefix) => path.startsWith(prefix));
          if (oauth) expect(answer.error).toMatch(/^[a-z_]+$/);
          else expect(answer).toMatchObject({ errorCode: expect.stringMatching(/^[a-z_]+$/), resultMessageLangCode: 'en' });
        }
      }
    },
  );
});

describe('the sources', () => {
  it('open an HTTP server in one place, so that these rules hold for each service', async () => {
    const opening: string[] = [];
    for (const path of globSync('{apps,libs}/**/src/**/*.ts', { cwd: ROOT, exclude: (name) => name.endsWith('.spec.ts') })) {
      const source = await readFile(join(ROOT, path), 'utf8');
      if (/import \{[^}]*\bcreateServer\b[^}]*\} from 'node:http[s2]?'|createSecureServer|\.listen\(\{/.test(source)) opening.push(path);
    }
    expect(opening).toEqual(['libs/service/http/src/serve.ts']);
  });
});
