import type { DatabaseSync } from 'node:sqlite';

import { JobQueueUnavailable } from '../job-queue.js';

interface Waiting {
  work(): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** So many pieces of work at most share a transaction: a longer one would keep the event loop waiting. */
const GROUP_SIZE = 1_000;

/** One transaction, and one flush of the disk, for all the work that waits. Nobody hears anything before the commit; when that fails, none of it was done. */
export class GroupCommit {
  #waiting: Waiting[] = [];
  #scheduled: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly database: DatabaseSync,
    private readonly committed: () => void,
  ) {}

  run<Result>(work: () => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(new JobQueueUnavailable('the job queue is closed'));
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Takes no more work and resolves when all that was taken is settled. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#scheduled) await this.#scheduled;
  }

  #schedule(): void {
    this.#scheduled ??= new Promise((done) => {
      setImmediate(() => {
        this.#scheduled = undefined;
        this.#commit(this.#waiting.splice(0, GROUP_SIZE));
        if (this.#waiting.length > 0) this.#schedule();
        done();
      });
    });
  }

  #commit(group: readonly Waiting[]): void {
    let answers: (() => void)[];
    try {
      this.database.exec('BEGIN IMMEDIATE');
      answers = group.map(({ work, resolve }) => {
        const result = work();
        return () => resolve(result);
      });
      this.database.exec('COMMIT');
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      const unavailable = new JobQueueUnavailable(`the job queue cannot write: ${String(error)}`);
      for (const { reject } of group) reject(unavailable);
      return;
    }
    for (const answer of answers) answer();
    this.committed();
  }
}
