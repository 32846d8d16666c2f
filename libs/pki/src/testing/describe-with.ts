import { spawnSync } from 'node:child_process';

import { describe } from '@jest/globals';

/**
 * `describe` for tests that need other programs. At a desk without them they are skipped; in CI, where they are
 * promised, they fail.
 */
export const describeWith = (missing: readonly string[]): typeof describe | typeof describe.skip => {
  if (missing.length === 0) return describe;
  if ((globalThis as { runsInCi?: boolean }).runsInCi) throw new Error(`these tests need: ${missing.join(', ')}`);
  return describe.skip;
};

/** Those of the commands that cannot be run. */
export const missingCommands = (...commands: readonly string[]): readonly string[] =>
  commands.filter((command) => spawnSync(command, [command === 'openssl' ? 'version' : '-version']).error !== undefined);
