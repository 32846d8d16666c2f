import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';

const CLI = join(import.meta.dirname, '../../dist/apps/cli/src/main.js');
const STORE_COMMANDS = join(import.meta.dirname, '../../apps/cli/src/store');

/** What the built command line prints, in a process of its own that knows these variables alone. Throws when it ends with another code than 0. */
export const runCli = async (parameters: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await promisify(execFile)(process.execPath, [CLI, ...parameters], { env: { ...environment, PATH: process.env['PATH'] } })).stdout;

/** Builds commands that the build leaves out, as the first `npm run cli` does. */
export const buildCommands = async (...names: readonly string[]): Promise<void> => {
  const files = names.map((name) => join(STORE_COMMANDS, `${name}.ts`));
  await build({ entryPoints: files, outdir: join(CLI, '../store'), logLevel: 'error' });
};
