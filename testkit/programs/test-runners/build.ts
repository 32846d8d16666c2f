import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

const LOCK = join(import.meta.dirname, 'package-lock.json');
const FOLDER = join(TOOLS_CACHE, `test-runners-${createHash('sha256').update(readFileSync(LOCK)).digest('hex').slice(0, 16)}`);
const COMPLETE = join(FOLDER, 'complete');

/** The packages of Jest, Vitest and `@playwright/test`, and of an application that they test, whether or not they have been installed. */
export const RUNNER_PACKAGES = join(FOLDER, 'node_modules');

/** Test runners of relying parties in the user's cache folder, installed once, by the state of the lock file: this project itself does not need them. Throws when they cannot be installed. */
export const installTestRunners = (): void => {
  if (existsSync(COMPLETE)) return;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  copyFileSync(join(import.meta.dirname, 'package.json'), join(FOLDER, 'package.json'));
  copyFileSync(LOCK, join(FOLDER, 'package-lock.json'));
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(COMPLETE, '');
};
