import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

import { runDirectory } from '../support/index.js';
import { packSdk, runIn } from '../support/login-site/index.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const NAME = '@countersign/relying-party';
const ENTRIES = ['.', './browser', './express', './fastify', './next'];
const COMPILERS = { 'TypeScript 7': 'typescript7/bin/tsc', 'TypeScript 6': 'typescript/bin/tsc' };

/** Milliseconds for packing, installing and compiling on a busy machine. */
const BUSY = 300_000;

const folder = mkdtempSync(join(runDirectory(), 'sdk-types-'));
const run = runIn(folder);

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', packSdk(folder));
  symlinkSync(join(REPOSITORY, 'node_modules/@types'), join(folder, 'node_modules/@types'));
}, BUSY);

/** A program that imports every entry of the package and uses its types, so that an entry without types does not compile. */
const PROGRAM = `${ENTRIES.map((entry, n) => `import * as entry${n} from '${NAME}${entry.slice(1)}';`).join('\n')}
import { RelyingPartyClient, type PendingHostedLogin } from '${NAME}';
import { countersignLogin } from '${NAME}/express';
const client = new RelyingPartyClient({ baseUrl: 'http://localhost:3000', clientId: '0f8fad5b-d9cb-469f-a165-70867728950e', clientSecret: 'of this test' });
export const begin = (): Promise<PendingHostedLogin> => client.beginLogin({ redirectUri: 'https://shop.example/callback', hostedPage: true });
export const routes = countersignLogin({ client, loginUrl: 'https://login.example', origin: 'https://shop.example' });
console.log([${ENTRIES.map((_, n) => `Object.keys(entry${n}).length`).join(', ')}].join());
// @ts-expect-error: a package without types would make this any
void client.beginLogin({ redirectUri: 7 });
`;

it('exports the entries that are checked here', () => {
  const { exports } = JSON.parse(readFileSync(join(folder, 'node_modules', NAME, 'package.json'), 'utf8')) as { exports: object };
  expect(Object.keys(exports)).toEqual(ENTRIES);
});

describe.each(Object.entries(COMPILERS))('the types of the installed SDK, with %s', (_, compiler) => {
  it.each([
    ['node16', 'node16', ['.mts']],
    ['nodenext', 'nodenext', ['.mts', '.cts']],
    ['esnext', 'bundler', ['.ts']],
  ])(
    'are found by module %s, moduleResolution %s, in files %j',
    (module, moduleResolution, extensions) => {
      const project = mkdtempSync(join(folder, 'project-'));
      for (const extension of extensions) writeFileSync(join(project, `shop${extension}`), PROGRAM);
      const compilerOptions = { module, moduleResolution, target: 'es2023', lib: ['es2023', 'dom'], types: ['node'], strict: true, noEmit: true };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, exactOptionalPropertyTypes: true } }));
      expect(run(process.execPath, join(REPOSITORY, 'node_modules', compiler), '-p', project)).toBe('');
    },
    BUSY,
  );
});

it('is loaded by a CommonJS file', () => {
  const loaded = ENTRIES.map((entry) => `require('${NAME}${entry.slice(1)}')`).join(', ');
  const program = `console.log([${loaded}].map((entry) => Object.keys(entry).length > 0).join())`;
  expect(run(process.execPath, '--input-type=commonjs', '-e', program).trim()).toBe('true,true,true,true,true');
});
