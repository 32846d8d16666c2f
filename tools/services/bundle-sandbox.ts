/**
 * Fills `libs/clients/sandbox/dist` with all that the package `@countersign/sandbox` runs: the bundle of the sandbox, the pages, and the document of the API. Run it after the
 * compiler and the build of the pages.
 */
import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bundle } from './bundle.ts';
import { licencesOf } from './licences.ts';
import { leaveOut, leaveOutPackages, requireBuiltins } from './leave-out.ts';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'libs/clients/sandbox');
const PROGRAM = join(PACKAGE, 'dist/program');

/** Adapters of engines that run outside of the process. */
const ENGINES = /\/dist\/libs\/.*\/(kafka|redis|postgresql|bullmq|eventstoredb)\/[^/]+\.js$/;
/** Of those folders also used without the engine. */
const USED = /\/(record-macs|eventstoredb-access|kafka-access)\.js$/;

const files = await bundle({
  root: ROOT,
  programs: { sandbox: 'dist/apps/standalone/src/sandbox.js', 'decode-picture': 'dist/libs/domain/relying-party/decode-picture/src/index.js' },
  outdir: PROGRAM,
  target: 'node22.13',
  // Loaded only where the settings name what they are for.
  external: ['pkcs11js', 'kafkajs', 'ioredis'],
  reflectMetadata: './reflect-metadata.cjs',
  maps: false,
  compact: true,
  plugins: [leaveOut(ENGINES, USED), leaveOutPackages(/^libphonenumber-js\/max$/), requireBuiltins(/^((node:)?http|node:sqlite)$/)],
});
await copyFile(join(ROOT, 'node_modules/reflect-metadata/Reflect.js'), join(PROGRAM, 'reflect-metadata.cjs'));
for (const page of ['login', 'phone', 'portal', 'reference'])
  await cp(join(ROOT, 'dist/pages', page), join(PACKAGE, 'dist/pages', page), { recursive: true, force: true });
await mkdir(join(PACKAGE, 'docs'), { recursive: true });
for (const document of ['openapi.json', 'openapi.relying-party.json', 'openapi.device.json', 'openapi.admin.json'])
  await copyFile(join(ROOT, 'docs', document), join(PACKAGE, 'docs', document));
await copyFile(join(ROOT, 'LICENSE'), join(PACKAGE, 'dist/LICENSE'));
await writeFile(join(PACKAGE, 'dist/LICENCES-OF-PACKAGES'), await licencesOf(ROOT, [...files, 'node_modules/reflect-metadata/Reflect.js']));
