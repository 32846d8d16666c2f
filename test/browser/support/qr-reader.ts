import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Locator } from 'playwright-core';

import { runDirectory } from '../../support/index.js';

const run = promisify(execFile);

/** What a scanner sees on the screen: ZBar, which has nothing in common with what drew the code. */
export const readQr = async (picture: Locator): Promise<string> => {
  const path = join(runDirectory(), `${randomUUID()}.png`);
  await picture.screenshot({ path });
  const { stdout } = await run('zbarimg', ['--quiet', '--raw', '--nodbus', path]);
  return stdout.replace(/\n$/, '');
};
