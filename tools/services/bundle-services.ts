/**
 * Bundles each compiled service with its packages into `dist/services/<name>.js`. A service of three thousand small files spends most of its
 * start on finding them (docs/adr/0028-services-as-bundles.md). Run it after the compiler. An argument names another folder that holds a `dist`.
 */
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { bundle } from './bundle.ts';

const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));
/** The command line starts once for each command, of files that it needs for that command only. */
const UNBUNDLED = ['cli'];

/** Packages that stay in node_modules. */
const EXTERNAL = [
  // Other modules expect its polyfill before they begin.
  'reflect-metadata',
  // We replace a method of one of its inner modules, which we find by its path.
  'kafkajs',
  // It finds the files of its worker threads by their paths.
  'pino',
  // It is native code, built for the machine, and loaded only where a token wraps the key files.
  'pkcs11js',
];

const names = globSync('dist/apps/*/src/main.js', { cwd: ROOT })
  .map((main) => main.split('/')[2]!)
  .filter((name) => !UNBUNDLED.includes(name));
await bundle({
  root: ROOT,
  programs: Object.fromEntries(names.map((name) => [name, `dist/apps/${name}/src/main.js`])),
  outdir: join(ROOT, 'dist/services'),
  target: 'node24',
  external: EXTERNAL,
  reflectMetadata: 'reflect-metadata',
  maps: true,
});
