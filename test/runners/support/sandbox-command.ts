import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runDirectory } from '../../support/index.js';
import { takeForOldNode } from './old-node.js';
import { tarball } from './packages.js';
import { succeed } from './run.js';

export interface InstalledSandbox {
  /** For COUNTERSIGN_SANDBOX_COMMAND. */
  readonly command: string;
  /** The same in a copy that takes every Node for an old one. */
  readonly withOldNode: string;
}

/** A sandbox that is installed from its tarball. */
export const installedSandbox = async (): Promise<InstalledSandbox> => {
  const folder = mkdtempSync(join(runDirectory(), 'installed-sandbox-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true }));
  await succeed({ words: ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', tarball('sandbox')], cwd: folder });
  const old = join(folder, 'old.cjs');
  copyFileSync(join(folder, 'node_modules/@countersign/sandbox/countersign-sandbox.cjs'), old);
  takeForOldNode(old);
  const commandOf = (file: string): string => `"${process.execPath}" "${file}"`;
  return { command: commandOf(join(folder, 'node_modules/.bin/countersign-sandbox')), withOldNode: commandOf(old) };
};
