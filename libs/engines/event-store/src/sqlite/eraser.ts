import type { DatabaseSync } from 'node:sqlite';

import type { AfterCommit } from '#engines/sqlite';

import type { StreamName } from '../event-store.js';
import type { EventStatements, StreamRow } from './statements.js';

/** Streams that one step of a sweep works through before other work has its turn. */
const STEP = 500;

/** Removes the bytes of events from the disk: ADR 0002. All methods but {@link clearLog} run inside a transaction of the store. */
export class Eraser {
  #inLog = false;

  constructor(
    private readonly database: DatabaseSync,
    private readonly statements: EventStatements,
  ) {}

  /** Whether erased bytes may still lie in the write-ahead log. */
  get isInLog(): boolean {
    return this.#inLog;
  }

  all(row: StreamRow): void {
    this.before(row, row.revision + 1);
    this.statements.noteExpiry(row.id);
  }

  /** The events of lower revisions than `first`. */
  before(row: StreamRow, first: number): void {
    if (first <= row.first) return;
    this.statements.erase(row.id, row.first, first);
    this.statements.setFirst(row.id, first);
    this.#inLog = true;
  }

  /**
   * Erases some of the expired events. After the commit `forget` is called for each of their streams, with the first revision
   * that is left. Returns whether more expired events are left.
   */
  expired(now: number, forget: (stream: StreamName, before: number) => void, afterCommit: AfterCommit): boolean {
    const expiring = this.statements.expiring(now, STEP);
    for (const { name, maxAge, ...row } of expiring) {
      const alive = this.statements.firstAfter(row.id, row.first, now - maxAge);
      const before = alive ?? row.revision + 1;
      this.statements.erase(row.id, row.first, before);
      // At most at the revision: a stream whose events have all expired is not a deleted stream.
      this.statements.setFirst(row.id, alive ?? row.revision);
      this.statements.noteExpiry(row.id);
      afterCommit(() => forget(name, before));
      this.#inLog = true;
    }
    return expiring.length === STEP;
  }

  /** Empties the write-ahead log, whose pages are in the main file already: the blanks lie over the bytes there. Nothing may have been written since. */
  clearLog(): void {
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#inLog = false;
  }
}
