import type { DatabaseSync } from 'node:sqlite';

import { isSqliteError } from '#sqlite';

/** How long the id of an erased event is remembered, so that the repetition of its append still stores nothing; in milliseconds. */
const REMEMBER_IDS = 86_400_000;
/** Fewer erased events are not worth the work. */
const WORTHWHILE = 20_000;

/**
 * Gives back the space of erased events when they make up half of the file. Runs at open, since it takes a second for
 * each few hundred megabytes; where it finds no room it is left for the next time.
 */
export const compact = (database: DatabaseSync, now: number): void => {
  const forgotten = now - REMEMBER_IDS;
  const begun = number(database, 'SELECT compacting FROM state') === 1;
  const erased = number(database, 'SELECT count(*) FROM events WHERE erased = 1 AND at <= ?', forgotten);
  if (!begun && (erased < WORTHWHILE || erased * 2 < number(database, 'SELECT count(*) FROM events'))) return;
  try {
    database.exec('BEGIN IMMEDIATE; UPDATE state SET compacting = 1');
    database.prepare('DELETE FROM events WHERE erased = 1 AND at <= ?').run(forgotten);
    database.exec('COMMIT; VACUUM; UPDATE state SET compacting = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    if (database.isTransaction) database.exec('ROLLBACK');
  }
};

const number = (database: DatabaseSync, query: string, ...values: number[]): number =>
  Number(Object.values(database.prepare(query).get(...values) ?? {})[0]);
