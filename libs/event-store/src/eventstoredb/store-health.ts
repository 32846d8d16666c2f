import type { Clock } from '#kernel';

/** For so long after an answer the store counts as available without a look. Milliseconds. */
const FRESH = 5_000;

/**
 * For so long after the last answer a process stays ready, in milliseconds: a cluster elects within 8 s, and takes writes within 3 s of that. A process that
 * is taken out during an election is missing when the store is back.
 */
export const TOLERATED_SILENCE = 20_000;

export interface Looks {
  /** Reads from the store, in a bounded time. */
  readonly read: () => Promise<unknown>;
  /** An append that stores nothing. It is made only to find out whether failed appends succeed again. */
  readonly append: () => Promise<unknown>;
}

/** Whether the store is available, by the outcomes of the calls that the process makes for its requests. Only an idle process has to look. */
export class StoreHealth {
  #lastAnswer: number | undefined;
  #appendsFailSince: number | undefined;
  #looking: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly looks: Looks,
  ) {}

  /** The store has answered a read. */
  readAnswered(): void {
    this.#lastAnswer = this.clock.monotonic();
  }

  /** The store has decided an append, be it by a refusal. */
  appendAnswered(): void {
    this.#appendsFailSince = undefined;
    this.readAnswered();
  }

  /** The outcome of an append was not known in time. */
  appendFailed(): void {
    this.#appendsFailSince ??= this.clock.monotonic();
  }

  /** Rejects when the store has answered nothing, or decided no append, for {@link TOLERATED_SILENCE}, and does not now either. */
  async check(): Promise<void> {
    const now = this.clock.monotonic();
    if (this.#appendsFailSince !== undefined && now - this.#appendsFailSince >= TOLERATED_SILENCE) return this.#look(this.looks.append);
    const silence = this.#lastAnswer === undefined ? Infinity : now - this.#lastAnswer;
    if (silence < FRESH) return;
    const looked = this.#look(this.looks.read);
    if (silence >= TOLERATED_SILENCE) return looked;
    looked.catch(() => undefined); // told by the next check
  }

  #look(look: () => Promise<unknown>): Promise<void> {
    this.#looking ??= look()
      .then(() => undefined)
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }
}
