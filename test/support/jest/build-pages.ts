import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Run {
  readonly rootDir: string;
  readonly nonFlagArgs: readonly string[];
  readonly watch: boolean;
}

/** Builds the pages that some tests are served: before a run of all files, and if they were never built. */
export default ({ rootDir, nonFlagArgs, watch }: Run): void => {
  if ((nonFlagArgs.length > 0 || watch) && existsSync(join(rootDir, 'dist/pages'))) return;
  execFileSync(process.execPath, ['tools/pages/build-pages.ts'], { cwd: rootDir, stdio: 'ignore' });
};
