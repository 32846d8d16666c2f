import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { Browser, exchange, expectOk, newCast, RelyingParty, runDirectory } from '../support/index.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
/** The packages that a user of the examples installs besides the SDK. They are linked, since the test uses no network. */
const LINKED = ['express', 'fastify', '@nestjs', 'reflect-metadata', 'rxjs', '@types'];
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
  exchange(origin, { method: 'GET', path: '/callback' }).then(
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

/** A login that the person has confirmed: the browser's cookie, and where the hosted page sends it. */
const confirmed = async (origin: string) => {
  const begun = await exchange(origin, { method: 'GET', path: '/login' });
  expect(begun.status).toBe(302);
  const browser = new Browser(service);
  const { sessionId } = expectOk(await browser.claim(new URL(begun.headers.location!).searchParams.get('t'))) as { sessionId: string };
  expectOk(await phone.scan(sessionId));
  expectOk(await phone.confirm(sessionId));
  const { redirect } = expectOk(await browser.complete(sessionId)) as { redirect: string };
  return { cookie: begun.headers['set-cookie']![0]!.split(';')[0]!, callback: new URL(redirect) };
};

it('installs without any other package', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/@countersign/relying-party-client']);
});

it('brings the part for web pages too, which loads without Node', () => {
  const program = "import('@countersign/relying-party-client/browser').then((sdk) => console.log(Object.keys(sdk).join()))";
  expect(run(process.execPath, '--input-type=module', '-e', program).trim()).toBe('AttachRefused,attachBlob,readEvidence,watchAppLink');
});

describe.each(FRAMEWORKS)('the example for %s, with the installed SDK', (framework) => {
  it('logs a person in', async () => {
    const origin = origins.get(framework)!;
    const { cookie, callback } = await confirmed(origin);
    const answer = await exchange(origin, { method: 'GET', path: `${callback.pathname}${callback.search}`, headers: { cookie } });
    expect(answer.text).toMatch(/^You are logged in as [0-9a-f-]{36}\.$/);
    expect(answer.status).toBe(200);
  });

  it('answers 500 to an error of the SDK that it does not catch, and tells the browser nothing of it', async () => {
    const origin = origins.get(framework)!;
    const { cookie, callback } = await confirmed(origin);
    callback.searchParams.set('code', 'of-another-login');
    const answer = await exchange(origin, { method: 'GET', path: `${callback.pathname}${callback.search}`, headers: { cookie } });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/invalid_grant|HTTP 400|unknown|expired/);
  });
});
