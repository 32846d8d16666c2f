import type { Clock } from '#kernel';

/** The store counts as available without a check for this time after an answer. Milliseconds. */
const FRESH = 5_000;

/**
 * A process stays ready until its calls have failed for this time, in milliseconds. A cluster elects a leader within 8 s and takes writes within 3 s
 * after that. A process that is taken out of service during an election would be missing right after it.
 */
export const TOLERATED = 20_000;

export interface Looks {
  /** Reads from the store, in a bounded time. */
  readonly read: () => Promise<unknown>;
  /** An append that stores nothing. It is made only to find out whether failed appends succeed again. */
  readonly append: () => Promise<unknown>;
}

/** Whether the store is available, by the outcomes of the calls that the process makes for its requests. Only an idle process has to look. */
export class StoreHealth {
  #lastAnswer: number | undefined;
  /** When the first call failed since the last one that did not. */
  #readsFailSince: number | undefined;
  #appendsFailSince: number | undefined;
  #looking: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly looks: Looks,
  ) {}

  /** The store has answered a read. */
  readAnswered(): void {
    this.#lastAnswer = this.clock.monotonic();
    this.#readsFailSince = undefined;
  }

  /** The store has not answered a read in time. */
  readFailed(): void {
    this.#readsFailSince ??= this.clock.monotonic();
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

  /** Rejects when reads or appends have failed for {@link TOLERATED} and do so now too, and before the first answer. */
  async check(): Promise<void> {
    const now = this.clock.monotonic();
    if (isOver(this.#appendsFailSince, now)) return this.#look(this.looks.append);
    if (this.#lastAnswer !== undefined && now - this.#lastAnswer < FRESH) return;
    const looked = this.#look(this.looks.read);
    if (this.#lastAnswer === undefined || isOver(this.#readsFailSince, now)) return looked;
    looked.catch(() => undefined); // it is noted as failed
  }

  #look(look: () => Promise<unknown>): Promise<void> {
    this.#looking ??= look()
      .then(() => undefined)
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }
}

const isOver = (since: number | undefined, now: number): boolean => since !== undefined && now - since >= TOLERATED;
