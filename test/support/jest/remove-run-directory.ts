import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { endProcess } from '../../../testkit/processes/process-state.ts';

/** Ends the processes that still run, each named by a `.pid` file, and removes the files of the run; CONFORMANCE_KEEP=1 keeps them. */
export default async (): Promise<void> => {
  const directory = process.env['CONFORMANCE_RUN_DIR'];
  if (!directory || !existsSync(directory)) return;
  const pidFiles = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.pid'));
  await Promise.all(pidFiles.map((path) => endProcess(join(directory, path), 'SIGTERM')));
  if (process.env['CONFORMANCE_KEEP']) console.log(`\nkept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
};
