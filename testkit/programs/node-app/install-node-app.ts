import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

/**
 * A folder with the packages of a framework, of exactly the versions in `testkit/programs/<name>/package-lock.json`, in the user's cache folder: installed once for each lock
 * file. Answers its path. Throws when the packages cannot be installed.
 */
export const installNodeApp = (name: string): string => {
  const source = join(import.meta.dirname, '..', name);
  const lock = createHash('sha256').update(readFileSync(join(source, 'package-lock.json')));
  const folder = join(TOOLS_CACHE, `${name}-${lock.digest('hex').slice(0, 12)}`);
  const complete = join(folder, '.complete');
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(folder, file));
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(complete, '');
  return folder;
};
