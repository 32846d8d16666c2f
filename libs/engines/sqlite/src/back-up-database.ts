import { backup, type DatabaseSync } from 'node:sqlite';

import type { GroupCommit } from './group-commit.js';

/** Pages in one step: 1 MiB. Between two steps everything else has its turn. */
const STEP = 256;

/**
 * Copies the database into a file while it is used: with every commit from before the call, and no part of a transaction. New transactions wait for the first step, which fails
 * when a transaction is open, and for the last one, as a copy that ended within a transaction would have a part of it. Rejects when the file cannot be written.
 */
export const backUpDatabase = async (database: DatabaseSync, path: string, commits: GroupCommit): Promise<void> => {
  let release: (() => void) | undefined = commits.hold();
  const holdForLastStep = (remaining: number): void => {
    if (remaining <= STEP) release ??= commits.hold();
    else {
      release?.();
      release = undefined;
    }
  };
  try {
    await backup(database, path, { rate: STEP, progress: ({ remainingPages }) => holdForLastStep(remainingPages) });
  } finally {
    release?.();
  }
};
