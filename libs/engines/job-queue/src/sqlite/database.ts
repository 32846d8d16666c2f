import type { DatabaseSync } from 'node:sqlite';

import { type DatabaseOwner, openDatabase } from '#engines/sqlite';

import { JobQueueUnavailable } from '../job-queue.js';

const SCHEMA = `
  CREATE TABLE jobs (
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL,                  -- waiting, running, done, failed
    at INTEGER NOT NULL,                  -- when it is due; of a done or failed job, since when; epoch milliseconds
    failures INTEGER NOT NULL DEFAULT 0,  -- in a row
    deaths INTEGER NOT NULL DEFAULT 0,    -- of the process, while it ran the job
    payload TEXT NOT NULL,                -- JSON
    reason TEXT,                          -- why it failed
    PRIMARY KEY (queue, id)
  ) STRICT;
  CREATE INDEX by_time ON jobs (queue, state, at);
`;

export const OWNER: DatabaseOwner = { name: 'job queue', unavailable: (reason) => new JobQueueUnavailable(reason) };

/** Opens or creates the file and locks it until it is closed. Throws {@link JobQueueUnavailable} when another process holds it. */
export const openJobDatabase = (path: string): DatabaseSync => openDatabase(path, { version: 1, schema: SCHEMA }, OWNER);
