import { cpSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { RUNNER_PACKAGES } from '#testkit/programs/test-runners/build';

import { runDirectory } from '../../support/index.js';
import { takeForOldNode } from './old-node.js';
import { REPOSITORY, tarball } from './packages.js';
import { succeed } from './run.js';

const EXAMPLES = join(REPOSITORY, 'examples/sandbox-in-ci');
/** An example in a folder of its own, with our packages from their tarballs. Its runner and Express are linked, since they are installed once for all. */
export const newNodeProject = async (example: string): Promise<string> => {
  const folder = mkdtempSync(join(runDirectory(), `${example}-`));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  const install = ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', tarball('relying-party'), tarball('sandbox')] as const;
  await succeed({ words: [...install], cwd: folder });
  const others = readdirSync(RUNNER_PACKAGES).filter((name) => !name.startsWith('.'));
  for (const name of others) symlinkSync(join(RUNNER_PACKAGES, name), join(folder, 'node_modules', name));
  for (const part of ['shop', example]) cpSync(join(EXAMPLES, part), folder, { recursive: true });
  return folder;
};

/** From now on the sandbox of a project is refused for an old Node. */
export const ageNodeOf = (folder: string): string => {
  takeForOldNode(join(folder, 'node_modules/@countersign/sandbox/countersign-sandbox.cjs'));
  return folder;
};
