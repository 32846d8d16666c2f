import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { completeSqlite } from './complete-sqlite.js';
import type { DatabaseOwner } from './database-owner.js';
import { isBusy } from './sqlite-error.js';

export interface DatabaseFormat {
  /** Of {@link schema}. A file of another version is refused. */
  readonly version: number;
  /** The statements that make the tables of a new file. */
  readonly schema: string;
  /** `PRAGMA …;` statements for the connection, beside those of every database. */
  readonly pragmas?: string;
}

/**
 * Opens the file, or makes it and its folder, and holds it alone until it is closed. A commit is on disk, and
 * the write-ahead log begins empty, so that nothing erased before is still in it. No temporary file holds a part of the database: SQLite's
 * journals of single statements stay in memory. Throws the owner's error when another process (or this one) holds the file already, and an Error when the file is of another version or no database.
 */
export const openDatabase = (path: string, { version, schema, pragmas = '' }: DatabaseFormat, owner: DatabaseOwner): DatabaseSync => {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  completeSqlite();
  const database = new DatabaseSync(path);
  try {
    // The lock comes first: with it the write-ahead log needs no shared-memory file.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA temp_store = MEMORY;
      ${pragmas}
      BEGIN IMMEDIATE;
    `);
    const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (found === 0) database.exec(`${schema}; PRAGMA user_version = ${version}`);
    else if (found !== version) throw new Error(`${path} was written by another version of the ${owner.name} (${found})`);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return database;
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw owner.unavailable(`${path} is held by another process: one process at a time`);
  }
};
