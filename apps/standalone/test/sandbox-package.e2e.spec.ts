import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

import { transform } from 'esbuild';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const CALLBACK = 'http://localhost:5173/callback';
/** Of the persona `ok` at the client of every sandbox (specification/sandbox.md#what-is-there-from-the-start). */
const SUBJECT_ID = 'a87ba057-bf4e-8ef6-ad55-49e83b46b0c9';

type Sandbox = ChildProcessByStdio<Writable, Readable, Readable>;

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

const run = promisify(execFile);
const running: Sandbox[] = [];

/** The folder where the tarball lies, and nothing else until it is installed there. */
let folder: string;
let tarball: string;
/** Of the installed package. */
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-package-'));
  const { stdout } = await run('npm', ['pack', join(REPOSITORY, 'libs/clients/sandbox'), '--silent', '--ignore-scripts=false'], { cwd: folder });
  tarball = stdout.trim();
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`], { cwd: folder });
  program = join(folder, 'node_modules/@countersign/sandbox/countersign-sandbox.cjs');
});

afterEach(() => {
  for (const sandbox of running.splice(0)) sandbox.kill('SIGKILL');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (command: string, parameters: readonly string[], options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }): Sandbox => {
  const sandbox = spawn(command, parameters, { ...options, stdio: 'pipe' });
  running.push(sandbox);
  return sandbox;
};

/** The first line that the sandbox prints. */
const firstLine = async (sandbox: Sandbox): Promise<string> => {
  const [line] = await Promise.race([
    once(createInterface({ input: sandbox.stdout }), 'line') as Promise<[string]>,
    once(sandbox, 'exit').then(async () => Promise.reject(new Error(await text(sandbox.stderr)))),
  ]);
  return line;
};

const startedBy = async (...parameters: readonly string[]) => {
  const sandbox = start(process.execPath, [program, '--port', '0', '--json', ...parameters], { cwd: folder });
  const { url, clients } = JSON.parse(await firstLine(sandbox)) as { url: string; clients: readonly Client[] };
  return { sandbox, url, clients };
};

const failing = async (parameters: readonly string[]): Promise<{ readonly code: unknown; readonly stderr: string; readonly stdout: string }> =>
  run(process.execPath, [...parameters], { cwd: folder }).then(
    () => Promise.reject(new Error('the program did not fail')),
    ({ code, stderr, stdout }: { code: unknown; stderr: string; stdout: string }) => ({ code, stderr, stdout }),
  );

const post = async (url: string, body: object, authorization?: string): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, ...((await answer.json()) as object) };
};

/** A login at the hosted page, with the phone that confirms. Answers what the token endpoint answers. */
const logIn = async (url: string, { clientId, clientSecret }: Client): Promise<Record<string, unknown>> => {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const [state, codeVerifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const begun = await post(
    `${url}/relying-party/v1/session`,
    {
      redirect_uri: CALLBACK,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      signature_type: 'AUTHENTICATION',
      hosted_page: true,
    },
    authorization,
  );
  const { redirect } = await post(`${url}/sandbox/v1/phones/ok/login`, { url: `${url}/login/?t=${String(begun['handoffToken'])}` });
  const back = new URL(String(redirect));
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([CALLBACK, state]);
  const code = back.searchParams.get('code');
  return post(`${url}/relying-party/v1/session/token`, { code, code_verifier: codeVerifier }, authorization);
};

describe('the package of the sandbox', () => {
  it('installs without any other package', async () => {
    const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
    expect(Object.keys(packages)).toEqual(['', 'node_modules/@countersign/sandbox']);
  });

  it('runs by npx from the tarball alone, and logs the same person in as everywhere', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'sandbox-npx-'));
    try {
      await copyFile(join(folder, tarball), join(empty, tarball));
      const command = ['--offline', '--yes', `./${tarball}`, '--port', '0', '--json', '--client', CALLBACK, '--until-stdin-ends'];
      const sandbox = start('npx', command, { cwd: empty });
      const { url, clients } = JSON.parse(await firstLine(sandbox)) as { url: string; clients: readonly Client[] };
      expect(clients).toEqual([
        {
          clientId: '5a4db000-0000-4000-8000-000000000001',
          clientSecret: 'sandbox-secret-that-only-a-sandbox-accepts',
          redirectUris: [CALLBACK],
        },
      ]);
      expect(await logIn(url, clients[0]!)).toMatchObject({ status: 200, subjectId: SUBJECT_ID });
      expect(await readdir(empty)).toEqual([tarball]);
      // npx and its shell go with the program, whose standard input is theirs.
      const ended = once(sandbox, 'exit');
      sandbox.stdin.end();
      await ended;
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    } finally {
      await rm(empty, { recursive: true, force: true });
    }
  });

  it('serves the pages, the description of the API and its reference', async () => {
    const { url } = await startedBy();
    const statuses = [
      '/',
      '/login/',
      '/phone/',
      '/portal/',
      '/docs/',
      '/openapi.json',
      '/readyz',
      '/openid/jwks',
      '/openid/.well-known/openid-configuration',
    ];
    const found = await Promise.all(statuses.map(async (path) => [path, (await fetch(`${url}${path}`)).status]));
    expect(found).toEqual(statuses.map((path) => [path, 200]));
  });

  it('tells address and client in plain words', async () => {
    const sandbox = start(process.execPath, [program, '--port', '0', '--client', CALLBACK, '--until-stdin-ends'], { cwd: folder });
    const output = text(sandbox.stdout);
    await once(sandbox.stdout, 'data');
    sandbox.stdin.end();
    expect((await output).replace(/localhost:\d+\n/, 'localhost:PORT\n')).toBe(
      [
        'Countersign sandbox: http://localhost:PORT',
        '  client_id      5a4db000-0000-4000-8000-000000000001',
        '  client_secret  sandbox-secret-that-only-a-sandbox-accepts',
        `  redirect_uri   ${CALLBACK}`,
        '',
      ].join('\n'),
    );
  });

  it('takes several redirect URIs for its client, and none', async () => {
    const two = [CALLBACK, 'http://127.0.0.1:8080/back'];
    expect((await startedBy('--client', two[0]!, '--client', two[1]!, '--client', two[0]!)).clients[0]?.redirectUris).toEqual(two);
    expect((await startedBy()).clients).toEqual([]);
  });

  it('ends when its standard input ends, and only with the argument that says so', async () => {
    const { sandbox } = await startedBy('--until-stdin-ends');
    sandbox.stdin.end();
    expect(await once(sandbox, 'exit')).toEqual([0, null]);

    const { sandbox: lasting, url } = await startedBy();
    lasting.stdin.end();
    expect(await post(`${url}/sandbox/v1/phones`, { persona: 'ok' })).toMatchObject({ status: 201 });
    lasting.kill('SIGTERM');
    expect(await once(lasting, 'exit')).toEqual([0, null]);
  });

  it('leaves nothing on the disk when it is killed', async () => {
    const places = await mkdtemp(join(tmpdir(), 'sandbox-places-'));
    try {
      const [cwd, home, temporary] = ['cwd', 'home', 'tmp'].map((name) => join(places, name)) as [string, string, string];
      for (const place of [cwd, home, temporary]) await mkdir(place);
      const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary, DATA_DIR: join(cwd, 'data'), KEY_DIR: join(cwd, 'keys') };
      const sandbox = start(process.execPath, [program, '--port', '0', '--json', '--client', CALLBACK], { cwd, env });
      const { url, clients } = JSON.parse(await firstLine(sandbox)) as { url: string; clients: readonly Client[] };
      expect(await logIn(url, clients[0]!)).toMatchObject({ status: 200 });
      expect(await post(`${url}/sandbox/v1/clock`, { advance_seconds: 60 })).toMatchObject({ status: 200 });
      sandbox.kill('SIGKILL');
      await once(sandbox, 'exit');
      expect((await readdir(places, { recursive: true })).sort()).toEqual(['cwd', 'home', 'tmp']);
    } finally {
      await rm(places, { recursive: true, force: true });
    }
  });

  it('begins anew at a reset, with the client and the persons of the start', async () => {
    const { url, clients } = await startedBy('--client', CALLBACK);
    const made = (await post(`${url}/sandbox/v1/clients`, { redirect_uris: [CALLBACK] })) as unknown as Client;
    const begin = async ({ clientId, clientSecret }: Client): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
      const answer = await fetch(`${url}/relying-party/v1/session/5a4db000-0000-4000-8000-000000000009/status`, { headers: { authorization } });
      return answer.status;
    };
    expect([await begin(made), await begin(clients[0]!)]).toEqual([404, 404]);
    expect((await fetch(`${url}/sandbox/v1/reset`, { method: 'POST' })).status).toBe(204);
    expect([await begin(made), await begin(clients[0]!)]).toEqual([401, 404]);
    expect(await logIn(url, clients[0]!)).toMatchObject({ status: 200, subjectId: SUBJECT_ID });
  });

  it('takes no setting of the application under test', async () => {
    const env = {
      ...process.env,
      PORT: '1',
      HOST: '0.0.0.0',
      REDIS_URL: 'redis://127.0.0.1:1',
      ENVIRONMENT: 'production',
      SANDBOX: 'false',
      BASE_URL: 'x',
    };
    const sandbox = start(process.execPath, [program, '--port', '0', '--json'], { cwd: folder, env });
    const { url } = JSON.parse(await firstLine(sandbox)) as { url: string };
    expect(await post(`${url}/sandbox/v1/phones`, { persona: 'ok' })).toMatchObject({ status: 201 });
  });

  it.each([
    [['--client', 'http://shop.example/callback'], '--client: `redirect_uris[0]` must be https, or http on loopback.'],
    [['--port', '65536'], '--port must be a number from 0 to 65535, such as --port 3000; 0 takes a free one.'],
  ])('refuses a wrong argument in a sentence: %p', async (parameters, sentence) => {
    expect(await failing([program, '--port', '0', ...parameters])).toEqual({ code: 1, stderr: `${sentence}\n`, stdout: '' });
  });

  it('says in a sentence that a port is taken', async () => {
    const { url } = await startedBy();
    const { port } = new URL(url);
    const { code, stderr } = await failing([program, '--port', port]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Another process listens on port ${port}. Give another one with --port, or --port 0 for a free one.\n`,
    });
  });
});

describe('a Node that is too old', () => {
  /** The program on a Node that says that it is of this version. */
  const on = async (version: string): Promise<readonly string[]> => {
    const path = join(folder, 'version.cjs');
    await writeFile(path, `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`);
    return ['--require', path, program, '--port', '65536'];
  };

  it.each(['0.12.18', '18.20.8', '20.20.2', '22.9.0', '22.12.0'])('is told so in one sentence: %s', async (version) => {
    expect(await failing(await on(version))).toEqual({
      code: 1,
      stderr: `The Countersign sandbox needs Node 22.13 or later, and this is Node ${version}.\n`,
      stdout: '',
    });
  });

  it.each(['22.13.0', '23.0.0', '24.0.0'])('is not %s', async (version) => {
    expect((await failing(await on(version))).stderr).toContain('--port must be a number');
  });

  it('can read the file that tells it', async () => {
    const { code } = await transform(await readFile(program, 'utf8'), { target: 'es5' });
    expect(code).toContain('needs Node');
  });
});
