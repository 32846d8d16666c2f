import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Locator } from 'playwright-core';

import { runDirectory } from '../../support/index.js';

const run = promisify(execFile);

/** Reads the code on the screen with ZBar, which shares no code with the library that draws it. */
export const readQr = async (picture: Locator): Promise<string> => {
  const path = join(runDirectory(), `${randomUUID()}.png`);
  await picture.screenshot({ path });
  const { stdout } = await run('zbarimg', ['--quiet', '--raw', '--nodbus', path]);
  return stdout.replace(/\n$/, '');
};
