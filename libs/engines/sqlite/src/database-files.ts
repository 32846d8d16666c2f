import { close, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

const [flushed, closed] = [promisify(fdatasync), promisify(close)];

/** Pages of the log from which SQLite moves them by itself, with flushes that hold the event loop: several times as many as {@link DatabaseFiles.moveLog} usually finds. */
const MOST_PAGES = 16_000;

/**
 * The two files of a database, its write-ahead log and its main file, flushed on threads, so that the event loop goes on meanwhile: ADR 0153, ADR 0160. A commit of such a database is written and not
 * flushed; it is on disk after the next {@link flushLog}.
 */
export class DatabaseFiles {
  readonly #log: number | undefined;
  readonly #main: number | undefined;

  /** The database has a write-ahead log, or is in memory: then there is nothing to flush. */
  constructor(private readonly database: DatabaseSync) {
    const path = database.location();
    if (path === null) return;
    database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${MOST_PAGES}`);
    this.#log = openSync(`${path}-wal`, 'r+');
    this.#main = openSync(path, 'r+');
  }

  /** Resolves when all that was written before the call is on disk. Rejects with the error of the operating system. */
  async flushLog(): Promise<void> {
    if (this.#log !== undefined) await flushed(this.#log);
  }

  /**
   * Moves the pages of the log into the main file, as a checkpoint of SQLite does: the log is on disk before, and the main file afterwards. Nothing may be written between the call and its end:
   * it would begin the log anew, over pages that the main file does not have on disk yet. Where a query is under way, the pages stay for the next call.
   * Rejects with the error of the operating system; what is on disk is unknown then.
   */
  async moveLog(): Promise<void> {
    if (this.#main === undefined) return;
    await this.flushLog();
    this.#movePages();
    await flushed(this.#main);
  }

  /** Closes the database, and its files after it: a closed descriptor of the main file ends the locks of SQLite, which belong to the process. */
  async close(): Promise<void> {
    if (this.database.isOpen) this.database.close();
    if (this.#log !== undefined) await closed(this.#log);
    if (this.#main !== undefined) await closed(this.#main);
  }

  /** Without SQLite's own flushes, which would hold the event loop. An error leaves the pages in the log: its end is not noted. */
  #movePages(): void {
    this.database.exec('PRAGMA synchronous = OFF');
    try {
      this.database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // A query reads, or the disk is full. SQLite's own checkpoint after a commit passes over such an error in the same way.
    } finally {
      this.database.exec('PRAGMA synchronous = NORMAL');
    }
  }
}
