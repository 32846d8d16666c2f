import { close, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

const [flushed, closed] = [promisify(fdatasync), promisify(close)];

/**
 * Flushes the write-ahead log of a database on a thread, so that the event loop goes on meanwhile: ADR 0153. A commit of such a database is written and not flushed; it is on disk after the next
 * {@link run}. SQLite still flushes by itself before it moves pages from the log into the file, and afterwards.
 */
export class LogFlush {
  readonly #file: number | undefined;

  /** The database has a write-ahead log, or is in memory: then there is nothing to flush. */
  constructor(database: DatabaseSync) {
    const path = database.location();
    if (path === null) return;
    database.exec('PRAGMA synchronous = NORMAL');
    // SQLite's locks are on the main file: a descriptor of the log, unlike one of that file, may be closed without ending them.
    this.#file = openSync(`${path}-wal`, 'r+');
  }

  /** Resolves when all that was written before the call is on disk. Rejects with the error of the operating system. */
  async run(): Promise<void> {
    if (this.#file !== undefined) await flushed(this.#file);
  }

  async close(): Promise<void> {
    if (this.#file !== undefined) await closed(this.#file);
  }
}
