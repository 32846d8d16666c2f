import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { Browser, exchange, expectOk, newCast, RelyingParty, runDirectory } from '../support/index.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
/** The packages that a user of the examples installs besides the SDK. They are linked, since the test uses no network. */
const LINKED = ['express', 'express-session', 'fastify', '@fastify', 'iron-session', '@nestjs', 'reflect-metadata', 'rxjs', '@types'];
const FRAMEWORKS = ['express', 'fastify', 'nest'] as const;

const { service, phone } = await newCast();
const folder = mkdtempSync(join(runDirectory(), 'sdk-package-'));
const processes: ChildProcess[] = [];
const origins = new Map<string, string>();

/** What the command prints. When it fails, the error tells that too: compilers report on standard output. */
const run = (command: string, ...parameters: string[]): string => {
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${[command, ...parameters].join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
};

/** The SDK from its tarball in an empty folder, and the examples compiled there against its types. */
const install = (): void => {
  // The packing compiles the SDK, also when the tests are run without the scripts before them.
  const tarball = run('npm', 'pack', join(REPOSITORY, 'libs/clients/relying-party'), '--silent', '--ignore-scripts=false').trim();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', `./${tarball}`);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of LINKED) symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name));
  cpSync(join(REPOSITORY, 'examples/frameworks/src'), join(folder, 'src'), { recursive: true });
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  run(process.execPath, join(REPOSITORY, 'node_modules/typescript7/bin/tsc'), '-p', '.');
};

const answers = async (origin: string): Promise<boolean> =>
  exchange(origin, { method: 'GET', path: '/' }).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  install();
  for (const framework of FRAMEWORKS) origins.set(framework, `http://localhost:${await reservePort()}`);
  const shop = await RelyingParty.register(service, { redirect_uris: [...origins.values()].map((origin) => `${origin}/callback`) });
  for (const framework of FRAMEWORKS) {
    const log = openSync(join(folder, `${framework}.output`), 'w');
    const environment = {
      BASE_URL: service.baseUrls[0],
      LOGIN_URL: service.loginUrl,
      ORIGIN: origins.get(framework),
      CLIENT_ID: shop.clientId,
      CLIENT_SECRET: shop.clientSecret,
      SESSION_SECRET: 'a secret of this test, long enough for each framework',
    };
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ...environment }, stdio: ['ignore', log, log] as ['ignore', number, number] };
    processes.push(spawn(process.execPath, [`dist/${framework}.js`], options));
    closeSync(log);
  }
  for (const [framework, origin] of origins)
    await eventually(
      () => {
        if (processes.some(({ exitCode }) => exitCode !== null)) throw new Error(readFileSync(join(folder, `${framework}.output`), 'utf8'));
        return answers(origin);
      },
      { what: `the example for ${framework} answers`, within: 60_000 },
    );
});

afterAll(() => {
  for (const child of processes) child.kill('SIGKILL');
});

/** A browser at one site: it keeps the cookies that the site sets. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(method: 'GET' | 'HEAD' | 'POST', path: string) {
    const answer = await exchange(this.origin, { method, path, headers: { cookie: this.cookie } });
    for (const header of answer.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = header.split(';')[0]!.split('=', 2);
      this.#cookies.set(name, value);
    }
    return answer;
  }

  /** Begins a login that the person confirms. Answers the path to which the hosted page sends the browser. */
  async confirmedLogin(path = '/login'): Promise<URL> {
    const begun = await this.send('GET', path);
    expect(begun.status).toBe(303);
    const browser = new Browser(service);
    const { sessionId } = expectOk(await browser.claim(new URL(begun.headers.location!).searchParams.get('t'))) as { sessionId: string };
    expectOk(await phone.scan(sessionId));
    expectOk(await phone.confirm(sessionId));
    return new URL((expectOk(await browser.complete(sessionId)) as { redirect: string }).redirect);
  }
}

it('installs without any other package', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/@countersign/relying-party']);
});

it('brings the part for web pages too, which loads without Node', () => {
  const program = "import('@countersign/relying-party/browser').then((sdk) => console.log(Object.keys(sdk).join()))";
  expect(run(process.execPath, '--input-type=module', '-e', program).trim()).toBe('AttachRefused,attachBlob,readEvidence,watchAppLink');
});

describe.each(FRAMEWORKS)('the example for %s, with the installed SDK', (framework) => {
  let visitor: Visitor;
  beforeEach(() => {
    visitor = new Visitor(origins.get(framework)!);
  });

  it('logs a person in, in a session with another identifier, and leads to the page that was asked for', async () => {
    const { pathname, search } = await visitor.confirmedLogin('/login?returnTo=/account%3Ftab%3D2');
    const planted = visitor.cookie;
    const answer = await visitor.send('GET', pathname + search);
    expect([answer.status, answer.headers.location]).toEqual([303, '/account?tab=2']);
    expect(visitor.cookie).not.toBe(planted);
    expect((await visitor.send('GET', '/')).text).toMatch(/^You are logged in as [0-9a-f-]{36}\.$/);
    expect((await exchange(origins.get(framework)!, { method: 'GET', path: '/', headers: { cookie: planted } })).text).toBe('You are not logged in.');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'account'])(
    'sends nobody to %j after the login',
    async (returnTo) => {
      const { pathname, search } = await visitor.confirmedLogin(`/login?returnTo=${encodeURIComponent(returnTo)}`);
      expect((await visitor.send('GET', pathname + search)).headers.location).toBe('/');
    },
  );

  it('refuses a callback in a browser that began no login, and one of another login', async () => {
    const { pathname, search } = await visitor.confirmedLogin();
    const stranger = new Visitor(origins.get(framework)!);
    expect((await stranger.send('GET', pathname + search)).text).toBe('No login was begun in this browser.');
    await stranger.send('GET', '/login');
    const mixed = await stranger.send('GET', pathname + search);
    expect([mixed.status, mixed.text]).toEqual([400, 'This answer does not belong to the login that was begun in this browser.']);
    expect((await stranger.send('GET', '/')).text).toBe('You are not logged in.');
    expect((await visitor.send('GET', pathname + search)).status).toBe(303);
  });

  it('says that a code of another login is too late, and tells the browser nothing of the answer', async () => {
    const callback = await visitor.confirmedLogin();
    callback.searchParams.set('code', 'of-another-login');
    const answer = await visitor.send('GET', callback.pathname + callback.search);
    expect([answer.status, answer.text]).toEqual([400, 'The login took too long. Begin again.']);
  });

  it('logs out by a POST alone', async () => {
    const { pathname, search } = await visitor.confirmedLogin();
    await visitor.send('GET', pathname + search);
    await visitor.send('GET', '/logout');
    expect((await visitor.send('GET', '/')).text).toMatch(/^You are logged in/);
    expect((await visitor.send('POST', '/logout')).status).toBe(303);
    expect((await visitor.send('GET', '/')).text).toBe('You are not logged in.');
  });

  it('begins no login for a HEAD, as a preview of a link sends', async () => {
    expect((await visitor.send('HEAD', '/login')).status).toBe(404);
  });
});
