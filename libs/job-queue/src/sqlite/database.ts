import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { JobQueueUnavailable } from '../job-queue.js';

const SCHEMA_VERSION = 1;

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
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Opens the file, or makes it, and holds it alone until it is closed. Throws {@link JobQueueUnavailable} when somebody holds it already. */
export const openDatabase = (path: string): DatabaseSync => {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path);
  try {
    // The lock first: with it the write-ahead log needs no shared memory file.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      BEGIN IMMEDIATE;
    `);
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === 0) database.exec(SCHEMA);
    else if (version !== SCHEMA_VERSION) throw new Error(`${path} was written by another version of the job queue (${version})`);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new JobQueueUnavailable(`${path} is held by another process: one process at a time`);
  }
};

const SQLITE_BUSY = 5;

// The low byte is the primary result code (sqlite.org/rescode.html).
const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
