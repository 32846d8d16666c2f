import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

/** Every package with its version, as `pip freeze` prints them. */
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const FOLDER = join(TOOLS_CACHE, 'pyhanko-0.38.0');

/** The Python of an environment with pyHanko in the cache, whether or not it has been made. */
export const PYHANKO = join(FOLDER, 'bin/python');

/** Whether the environment has been made. */
export const hasPyHanko = (): boolean => existsSync(join(FOLDER, 'complete'));

/** The program that judges containers. */
export const PYHANKO_CHECK = join(import.meta.dirname, 'check.py');

/** pyHanko in an environment of its own in the user's cache folder, made once. Needs Python 3.11 with its module venv. Throws when it cannot be made. */
export const installPyHanko = (): void => {
  if (hasPyHanko()) return;
  rmSync(FOLDER, { recursive: true, force: true });
  const run = (program: string, ...args: readonly string[]) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  run('python3', '-m', 'venv', FOLDER);
  run(PYHANKO, '-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--requirement', REQUIREMENTS);
  writeFileSync(join(FOLDER, 'complete'), '');
};
