import type { DatabaseSync } from 'node:sqlite';

import { type DatabaseOwner, openDatabase } from '#sqlite';

import { JobQueueUnavailable } from '../job-queue.js';

const SCHEMA = `
  CREATE TABLE jobs (
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL,                  -- waiting, running, done, failed
    at INTEGER NOT NULL,                  -- when it is due; of a done or failed one, since when; epoch milliseconds
    failures INTEGER NOT NULL DEFAULT 0,  -- in a row
    deaths INTEGER NOT NULL DEFAULT 0,    -- of the process, while it worked on the job
    payload TEXT NOT NULL,                -- JSON
    reason TEXT,                          -- why it failed
    PRIMARY KEY (queue, id)
  ) STRICT;
  CREATE INDEX by_time ON jobs (queue, state, at);
`;

export const OWNER: DatabaseOwner = { name: 'job queue', unavailable: (reason) => new JobQueueUnavailable(reason) };

/** Opens the file, or makes it, and holds it alone until it is closed. Throws {@link JobQueueUnavailable} when somebody holds it already. */
export const openJobDatabase = (path: string): DatabaseSync => openDatabase(path, { version: 1, schema: SCHEMA }, OWNER);
