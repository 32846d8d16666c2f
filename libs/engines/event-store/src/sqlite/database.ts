import type { DatabaseSync } from 'node:sqlite';

import { type DatabaseOwner, openDatabase } from '#engines/sqlite';

import { EventStoreUnavailable, StreamTombstoned, WrongExpectedRevision } from '../event-store.js';

/*
 * AUTOINCREMENT: a position is never given twice, also when the newest rows are gone.
 * `metadata` and `data` come last and are erased by as many blanks, so that no row ever changes its size or its place: SQLite overwrites
 * it where it lies. When rows shrink or go, SQLite moves their neighbours, and `secure_delete` forgets to wipe where
 * they lay; so rows go only together with a VACUUM.
 */
const SCHEMA = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT -1,      -- the last one given
    first INTEGER NOT NULL DEFAULT 0,          -- events before it are erased
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
    metadata TEXT NOT NULL,                    -- JSON
    data TEXT NOT NULL,                        -- JSON
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE INDEX erased ON events (at) WHERE erased = 1;

  CREATE TABLE state (checked_at INTEGER NOT NULL, compacting INTEGER NOT NULL) STRICT;
  INSERT INTO state VALUES (0, 0);
`;

const PRAGMAS = `
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -65536;
`;

export const OWNER: DatabaseOwner = {
  name: 'event store',
  unavailable: (reason) => new EventStoreUnavailable(reason),
  isRefusal: (error) => error instanceof WrongExpectedRevision || error instanceof StreamTombstoned,
};

/** Opens the file, or makes it, and holds it alone until it is closed. Throws {@link EventStoreUnavailable} when another process holds it. */
export const openEventDatabase = (path: string): DatabaseSync => openDatabase(path, { version: 3, schema: SCHEMA, pragmas: PRAGMAS }, OWNER);
