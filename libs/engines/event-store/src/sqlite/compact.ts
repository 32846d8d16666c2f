import type { DatabaseSync } from 'node:sqlite';

import { isSqliteError } from '#engines/sqlite';

/** How long the id of an erased event is kept, in milliseconds, so that a repetition of its append still stores nothing. */
const REMEMBER_IDS = 86_400_000;
/** With fewer erased events, the file is not compacted. */
const WORTHWHILE = 20_000;

/**
 * Gives the space of erased events back when they make up half of the file. Runs when the store opens, since it takes a second
 * for each few hundred megabytes. Without enough disk space it does nothing and the next start tries again.
 */
export const compactIfWorthwhile = (database: DatabaseSync, now: number): void => {
  const forgotten = now - REMEMBER_IDS;
  const begun = number(database, 'SELECT compacting FROM state') === 1;
  const erased = number(database, 'SELECT count(*) FROM events WHERE erased = 1 AND at <= ?', forgotten);
  if (!begun && (erased < WORTHWHILE || erased * 2 < number(database, 'SELECT count(*) FROM events'))) return;
  compact(database, now);
};

/** Writes the file anew without the erased events, and empties the write-ahead log. Where there is no room, everything stays as it is. Answers whether it was done. */
export const compact = (database: DatabaseSync, now: number): boolean => {
  try {
    // The new file may be too large for memory.
    database.exec('PRAGMA temp_store = FILE; BEGIN IMMEDIATE; UPDATE state SET compacting = 1');
    database.prepare('DELETE FROM events WHERE erased = 1 AND at <= ?').run(now - REMEMBER_IDS);
    database.exec('COMMIT; VACUUM; UPDATE state SET compacting = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    if (database.isTransaction) database.exec('ROLLBACK');
    return false;
  } finally {
    database.exec('PRAGMA temp_store = MEMORY');
  }
};

const number = (database: DatabaseSync, query: string, ...values: number[]): number =>
  Number(Object.values(database.prepare(query).get(...values) ?? {})[0]);
