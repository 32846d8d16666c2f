import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { go, TOOLS_CACHE } from '../go/go.ts';

const SOURCES = import.meta.dirname;

/** What a proof shows, as the program reads it. Hashes are base64. */
export interface Proofs {
  readonly inclusion?: readonly {
    readonly index: number;
    readonly size: number;
    readonly root: string;
    readonly leaf: string;
    readonly proof: readonly string[];
  }[];
  readonly consistency?: readonly {
    readonly from: number;
    readonly fromRoot: string;
    readonly size: number;
    readonly root: string;
    readonly proof: readonly string[];
  }[];
  /** Answers of `GET /admin/v1/audit?proofs=true`. Each entry has to be proven by the checkpoint beside it. */
  readonly pages?: readonly unknown[];
}

/** Reads the published history in the folder, and the proofs, with the Go programs. Answers `SIZE ROOT`. Throws with the reason when anything is wrong. */
export const checkPublishedLog = (folder: string, verifier: string, proofs: Proofs = {}): string =>
  execFileSync(build(), [folder, verifier], { input: JSON.stringify(proofs), encoding: 'utf8', stdio: 'pipe' }).trim();

/** Built once into the user's cache folder, by the state of its sources. Needs Go 1.24 or later. */
const build = (): string => {
  const state = createHash('sha256');
  for (const file of globSync('*.{go,mod,sum}', { cwd: SOURCES }).toSorted()) state.update(readFileSync(join(SOURCES, file)));
  const program = join(TOOLS_CACHE, `tlog-check-${state.digest('hex').slice(0, 16)}`);
  if (existsSync(program)) return program;
  const draft = `${program}.${process.pid}.new`;
  mkdirSync(TOOLS_CACHE, { recursive: true });
  go(['build', '-o', draft, '.'], { cwd: SOURCES });
  renameSync(draft, program);
  return program;
};
