import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { EventStoreUnavailable } from '../event-store.js';

const SCHEMA_VERSION = 1;

/*
 * AUTOINCREMENT: a position is never given twice, also when the newest rows are gone.
 * `data` comes last and is erased by as many blanks, so that no row ever changes its size or its place: SQLite overwrites
 * it where it lies. When rows shrink or go, SQLite moves their neighbours, and `secure_delete` forgets to wipe where
 * they lay; so rows go only together with a VACUUM.
 */
const SCHEMA = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT -1,      -- the last one given
    first INTEGER NOT NULL DEFAULT 0,          -- events before it are erased; beyond the revision: deleted
    tombstoned INTEGER NOT NULL DEFAULT 0,
    max_age INTEGER,                           -- milliseconds
    max_count INTEGER,
    next_expiry INTEGER                        -- when its oldest event expires, epoch milliseconds
  ) STRICT;
  CREATE INDEX expiring ON streams (next_expiry) WHERE next_expiry IS NOT NULL;

  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    erased INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL,                       -- epoch milliseconds
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,                        -- JSON
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE INDEX erased ON events (at) WHERE erased = 1;

  CREATE TABLE state (checked_at INTEGER NOT NULL, compacting INTEGER NOT NULL) STRICT;
  INSERT INTO state VALUES (0, 0);
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the file, or makes it, and holds it alone until it is closed. Throws {@link EventStoreUnavailable} when
 * another process (or this one) holds it already.
 */
export const openDatabase = (path: string): DatabaseSync => {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path);
  try {
    // The lock first: with it the write-ahead log needs no shared memory file.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -65536;
      PRAGMA wal_autocheckpoint = 4000;
      BEGIN IMMEDIATE;
    `);
    migrate(database, path);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new EventStoreUnavailable(`${path} is held by another process: one process at a time`);
  }
};

const migrate = (database: DatabaseSync, path: string): void => {
  const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version === 0) database.exec(SCHEMA);
  else if (version !== SCHEMA_VERSION) throw new Error(`${path} was written by another version of the store (${version})`);
};

interface SqliteError extends Error {
  readonly errcode: number;
}

export const isSqliteError = (error: unknown): error is SqliteError =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SQLITE_ERROR';

const SQLITE_BUSY = 5;

// The low byte is the primary result code (sqlite.org/rescode.html).
const isBusy = (error: unknown): boolean => isSqliteError(error) && (error.errcode & 0xff) === SQLITE_BUSY;
