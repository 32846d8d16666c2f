import type { DatabaseSync } from 'node:sqlite';

import type { AfterCommit } from '#sqlite';

import type { StreamName } from '../event-store.js';
import type { Statements, StreamRow } from './statements.js';

/** How many streams one step of a sweep works through before others have their turn. */
const STEP = 500;

/** Takes the bytes of events off the disk: ADR 0002. All but {@link clearLog} works inside a transaction of the store. */
export class Eraser {
  /** Whether erased bytes may still lie in the write-ahead log. */
  #inLog = false;

  constructor(
    private readonly database: DatabaseSync,
    private readonly statements: Statements,
  ) {}

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
   * Some of the events whose time is over. After the commit it is told what has gone: of a stream all that comes before that
   * revision. Answers whether more are left.
   */
  expired(now: number, forget: (stream: StreamName, before: number) => void, afterCommit: AfterCommit): boolean {
    const expiring = this.statements.expiring(now, STEP);
    for (const { name, maxAge, ...row } of expiring) {
      const alive = this.statements.firstAfter(row.id, row.first, now - maxAge);
      const before = alive ?? row.revision + 1;
      this.statements.erase(row.id, row.first, before);
      // Not beyond the revision: a stream whose events have expired is not a deleted one.
      this.statements.setFirst(row.id, alive ?? row.revision);
      this.statements.noteExpiry(row.id);
      afterCommit(() => forget(name, before));
      this.#inLog = true;
    }
    return expiring.length === STEP;
  }

  /** Writes the blanks over the bytes in the main file, and empties the write-ahead log. */
  clearLog(): void {
    if (!this.#inLog) return;
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#inLog = false;
  }
}
