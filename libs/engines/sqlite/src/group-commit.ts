import type { DatabaseSync } from 'node:sqlite';

import type { DatabaseFiles } from './database-files.js';
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
/** Pieces of work after which the pages of the log are moved into the main file: some 2,700 pages of events, which hold the event loop for a millisecond or two. */
const MOVE_AFTER = 500;

/**
 * One transaction, and one flush of the disk, for all the work that waits. Each piece is judged alone: a refusal
 * concerns its caller only, and no caller gets a result before the commit is on disk. When the transaction fails, none of the
 * work was done.
 *
 * The flushes, of a commit and of the moves of the log into the main file, leave the event loop free; the next transaction begins after them. After a flush that fails, what is on disk is
 * unknown: the group refuses all work from then on, and a new process reads what the disk has.
 */
export class GroupCommit {
  #waiting: Waiting[] = [];
  /** Each of them is settled by a move of the log into the main file that begins after it was asked for. */
  #moves: PromiseWithResolvers<void>[] = [];
  /** Pieces of work whose pages lie in the log. */
  #inLog = 0;
  #scheduled: Promise<void> | undefined;
  #closed = false;
  #held: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  /** Why work is refused since a flush failed. */
  #lost: Error | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly owner: DatabaseOwner,
    /** Called after each commit with the number of its pieces of work, before any caller gets its result. */
    private readonly committed: (pieces: number) => void,
    private readonly files: Pick<DatabaseFiles, 'flushLog' | 'moveLog'>,
  ) {}

  /**
   * Undefined, unless a query would find what is committed and not on disk yet. Resolves when it is on disk and the changes in memory are made; rejects with the owner's error when it may
   * never be.
   */
  get flushing(): Promise<void> | undefined {
    return this.#flushing;
  }

  /** Runs the synchronous work inside the next transaction. Work that refuses must not have written yet. Rejects with its refusal, or with the owner's error. */
  run<Result>(work: (afterCommit: AfterCommit) => Result): Promise<Result> {
    if (this.#closed) return Promise.reject(this.owner.unavailable(`the ${this.owner.name} is closed`));
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /**
   * Moves the pages of the log into the main file between two transactions. What the caller does in the turn in which it hears of the end comes before the next transaction as well. Rejects
   * with the owner's error.
   */
  moveLog(): Promise<void> {
    if (this.#closed) return Promise.reject(this.owner.unavailable(`the ${this.owner.name} is closed`));
    if (this.#lost) return Promise.reject(this.#lost);
    const move = Promise.withResolvers<void>();
    this.#moves.push(move);
    this.#schedule();
    return move.promise;
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
      setImmediate(() => void this.#next().then(done));
    });
  }

  async #next(): Promise<void> {
    while (this.#held) await this.#held;
    const group = this.#waiting.splice(0, GROUP_SIZE);
    if (group.length > 0) await this.#commit(group);
    if (this.#inLog >= MOVE_AFTER || this.#moves.length > 0) await this.#move();
    this.#scheduled = undefined;
    if (this.#waiting.length > 0 || this.#moves.length > 0) this.#schedule();
  }

  async #move(): Promise<void> {
    const moves = this.#moves.splice(0);
    try {
      if (this.#lost) throw this.#lost;
      await this.files.moveLog();
      this.#inLog = 0;
      for (const { resolve } of moves) resolve();
    } catch (error) {
      this.#lost ??= this.#noLongerKnown(error);
      for (const { reject } of moves) reject(this.#lost);
    }
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const effects: (() => void)[] = [];
    let answers: (() => void)[];
    try {
      if (this.#lost) throw this.#lost;
      this.database.exec('BEGIN IMMEDIATE');
      answers = group.map((waiting) => this.#judge(waiting, (effect) => effects.push(effect)));
      this.database.exec('COMMIT');
    } catch (error) {
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      const unavailable = error === this.#lost ? this.#lost : this.owner.unavailable(`the ${this.owner.name} cannot write: ${String(error)}`);
      for (const { reject } of group) reject(unavailable);
      return;
    }
    this.#inLog += group.length;
    this.#flushing = this.#settle(() => {
      for (const effect of effects) effect();
      this.committed(group.length);
      for (const answer of answers) answer();
    });
    await this.#flushing.catch((error: unknown) => {
      for (const { reject } of group) reject(error);
    });
  }

  /** Flushes, and settles what is on disk then. Queries wait for ever more for one that fails. */
  async #settle(settle: () => void): Promise<void> {
    try {
      await this.files.flushLog();
    } catch (error) {
      this.#lost = this.#noLongerKnown(error);
      throw this.#lost;
    }
    this.#flushing = undefined;
    settle();
  }

  #noLongerKnown(error: unknown): Error {
    return this.owner.unavailable(`the ${this.owner.name} cannot flush its files, and has to be started anew: ${String(error)}`);
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
