/** Compiles the helpers for test runners into `libs/clients/sandbox/dist/helpers`, for the package `@countersign/sandbox`. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const HELPERS = join(ROOT, 'libs/clients/sandbox/dist/helpers');
const RUNNERS = join(HELPERS, 'clients/sandbox/runners/src');

execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript7/bin/tsc'), '-p', join(ROOT, 'libs/clients/sandbox/tsconfig.package.json')], {
  stdio: 'inherit',
});
// Jest requires the modules of a test unless it is told otherwise, and before Node 24.9 it cannot require ES modules.
await build({
  entryPoints: [join(RUNNERS, 'jest.js')],
  outfile: join(HELPERS, 'jest.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  define: { 'import.meta.url': 'ownUrl' },
  banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
});
const types = './clients/sandbox/runners/src/jest.js';
await writeFile(join(HELPERS, 'jest.d.cts'), `export * from '${types}';\nexport { default } from '${types}';\n`);
