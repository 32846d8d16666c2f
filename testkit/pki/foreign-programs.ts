import { spawnSync } from 'node:child_process';

/**
 * Whether tests that need other programs can run. On a developer's machine without them they are skipped; in CI, where they are
 * promised, this throws.
 */
export const canRun = (missing: readonly string[]): boolean => {
  if (missing.length > 0 && (globalThis as { runsInCi?: boolean }).runsInCi) throw new Error(`these tests need: ${missing.join(', ')}`);
  return missing.length === 0;
};

/** The commands that are missing on this machine. */
export const missingCommands = (...commands: readonly string[]): readonly string[] =>
  commands.filter((command) => spawnSync(command, [command === 'openssl' ? 'version' : '-version']).error !== undefined);
