import { spawnSync } from 'node:child_process';

import { verdictOn } from './verdict.ts';

/** Asks the registry of npm's settings about the packages that run in production (docs/auditor.md). Exits with 1 for a high or critical advisory. */
const { stdout } = spawnSync('npm', ['audit', '--omit', 'dev', '--package-lock-only', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  timeout: 120_000,
});
const verdict = verdictOn(stdout);
console.log(verdict.text);
process.exitCode = verdict.failed ? 1 : 0;
