import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runDirectory } from './run-directory.js';

/** The values that must never stand in a log line or in the database, by the names that a failing search prints. */
export type SecretKind =
  | 'admin token'
  | 'client secret'
  | 'authorization code'
  | 'code_verifier'
  | 'handoff token'
  | 'login cookie'
  | 'return token'
  | 'activation code'
  | 'PIN'
  | 'pin_proof'
  | 'device proof'
  | 'personal datum'
  | 'state'
  | 'title'
  | 'Idempotency-Key';

export interface RecordedSecret {
  readonly kind: SecretKind;
  readonly value: string;
}

const journal = (): string => join(runDirectory(), 'secrets.ndjson');

/** Remembers a value that the suite sent or received, and hands it back. */
export const secret = <T extends string>(kind: SecretKind, value: T): T => {
  appendFileSync(journal(), `${JSON.stringify({ kind, value })}\n`);
  return value;
};

/** Everything recorded in this run, by all files, except values that other text may contain by chance (a row of x, for instance). */
export const allSecrets = (): RecordedSecret[] => recorded().filter(({ value }) => new Set(value).size >= 6);

const recorded = (): RecordedSecret[] =>
  existsSync(journal())
    ? readFileSync(journal(), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RecordedSecret)
    : [];
