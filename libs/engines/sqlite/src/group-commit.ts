import type { DatabaseSync } from 'node:sqlite';

import type { DatabaseOwner } from './database-owner.js';

/** Registers a change in memory that is made right after the commit, before any caller gets its result; in order of registration. */
export type AfterCommit = (effect: () => void) => void;

interface Waiting {
  work(afterCommit: AfterCommit): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/** The most pieces of work in one transaction: a longer one would block the event loop. */
const GROUP_SIZE = 1_000;

/**
 * One transaction, and one flush of the disk, for all the work that waits. Each piece is judged alone: a refusal
 * concerns its caller only, and no caller gets a result before the commit. When the transaction fails, none of the
 * work was done.
 */
export class GroupCommit {
  #waiting: Waiting[] = [];
  #scheduled: Promise<void> | undefined;
  #closed = false;
  #held: Promise<void> | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly owner: DatabaseOwner,
    /** Called after each commit with the number of its pieces of work, before any caller gets its result. */
    private readonly committed: (pieces: number) => void,
  ) {}

  /** Runs the synchronous work inside the next transaction. Work that refuses must not have written yet. Rejects with its refusal, or with the owner's error. */
  run<Result>(work: (afterCommit: AfterCommit) => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(this.owner.unavailable(`the ${this.owner.name} is closed`));
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

  /** No transaction begins until the answered function is called. To be called while none is held. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = undefined;
      resolve();
    };
  }

  #schedule(): void {
    this.#scheduled ??= new Promise((done) => {
      setImmediate(() => {
        if (this.#held) void this.#held.then(() => this.#next(done));
        else this.#next(done);
      });
    });
  }

  #next(done: () => void): void {
    this.#scheduled = undefined;
    this.#commit(this.#waiting.splice(0, GROUP_SIZE));
    if (this.#waiting.length > 0) this.#schedule();
    done();
  }

  #commit(group: readonly Waiting[]): void {
    const effects: (() => void)[] = [];
    let answers: (() => void)[];
    try {
      this.database.exec('BEGIN IMMEDIATE');
      answers = group.map((waiting) => this.#judge(waiting, (effect) => effects.push(effect)));
      this.database.exec('COMMIT');
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      const unavailable = this.owner.unavailable(`the ${this.owner.name} cannot write: ${String(error)}`);
      for (const { reject } of group) reject(unavailable);
      return;
    }
    for (const effect of effects) effect();
    this.committed(group.length);
    for (const answer of answers) answer();
  }

  #judge({ work, resolve, reject }: Waiting, afterCommit: AfterCommit): () => void {
    try {
      const result = work(afterCommit);
      return () => resolve(result);
    } catch (error) {
      if (!this.owner.isRefusal?.(error)) throw error;
      return () => reject(error);
    }
  }
}
