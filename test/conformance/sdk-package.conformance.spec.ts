import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { newCast, RelyingParty, runDirectory } from '../support/index.js';
import { keepsTheRulesOfALogin, packSdk, runIn, SiteProcess } from '../support/login-site/index.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
/** The packages that a user of the examples installs besides the SDK. They are linked, since the test uses no network. */
const LINKED = ['express', 'express-session', 'fastify', '@fastify', 'iron-session', '@nestjs', 'reflect-metadata', 'rxjs', '@types'];
const FRAMEWORKS = ['express', 'fastify', 'nest'] as const;

/** Milliseconds for packing, installing and compiling on a busy machine. */
const SET_UP = 300_000;

const { service, phone } = await newCast();
const folder = mkdtempSync(join(runDirectory(), 'sdk-package-'));
const run = runIn(folder);
const sites: SiteProcess[] = [];
const origins = new Map<string, string>();

/** The SDK from its tarball in an empty folder, and the examples compiled there against its types. */
const install = (): void => {
  const tarball = packSdk(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', tarball);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of LINKED) symlinkSync(join(REPOSITORY, 'node_modules', name), join(folder, 'node_modules', name));
  cpSync(join(REPOSITORY, 'examples/frameworks/src'), join(folder, 'src'), { recursive: true });
  const compilerOptions = {
    target: 'es2023',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  run(process.execPath, join(REPOSITORY, 'node_modules/typescript7/bin/tsc'), '-p', '.');
};

beforeAll(async () => {
  install();
  for (const framework of FRAMEWORKS) origins.set(framework, await SiteProcess.reserve());
  const shop = await RelyingParty.register(service, { redirect_uris: [...origins.values()].map((origin) => `${origin}/callback`) });
  const started = [...origins].map(([framework, origin]) => {
    const environment = {
      BASE_URL: service.baseUrls[0],
      LOGIN_URL: service.loginUrl,
      ORIGIN: origin,
      CLIENT_ID: shop.clientId,
      CLIENT_SECRET: shop.clientSecret,
      SESSION_SECRET: 'a secret of this test, long enough for each framework',
    };
    return SiteProcess.start({ name: `sdk-${framework}`, folder, parameters: [`dist/${framework}.js`], environment }, origin);
  });
  sites.push(...(await Promise.all(started)));
}, SET_UP);

afterAll(async () => {
  for (const site of sites) await site[Symbol.asyncDispose]();
});

it('installs without any other package', () => {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object };
  expect(Object.keys(packages)).toEqual(['', 'node_modules/@countersign/relying-party']);
});

it('brings the part for web pages too, which loads without Node', () => {
  const program = "import('@countersign/relying-party/browser').then((sdk) => console.log(Object.keys(sdk).join()))";
  expect(run(process.execPath, '--input-type=module', '-e', program).trim()).toBe('AttachRefused,attachBlob,readEvidence,watchAppLink');
});

describe.each(FRAMEWORKS)('the example for %s, with the installed SDK', (framework) => {
  keepsTheRulesOfALogin(() => ({ origin: origins.get(framework)!, service, phone }));
});
