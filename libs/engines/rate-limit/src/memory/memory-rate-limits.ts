import { type Clock, SystemClock } from '#kernel';

import { RateLimited } from '../rate-limited.js';
import { type Limit, RateLimits, type Run } from '../rate-limits.js';
import { MemoryLocks } from './memory-locks.js';
import { Windows } from './windows.js';

/** Milliseconds between two rounds that forget ended windows, also of limits that count nothing now. */
const FORGET_EVERY = 10_000;

/** Counts within one process, by the real time: a clock that a test moves does not open a limit. */
export class MemoryRateLimits extends RateLimits {
  readonly #windows = new Map<string, Windows>();
  readonly #locks = new MemoryLocks();
  readonly #begin: number;
  #forgetAt = FORGET_EVERY;

  constructor(private readonly clock: Pick<Clock, 'monotonic'> = new SystemClock()) {
    super();
    this.#begin = clock.monotonic();
  }

  /** How many keys take memory, of all limits together. */
  get size(): number {
    return [...this.#windows.values()].reduce((sum, { size }) => sum + size, 0);
  }

  override async take(limit: Limit, key: string, reason: string): Promise<void> {
    const { count, left } = this.#of(limit).count(key, this.#now());
    if (count > limit.times) throw new RateLimited(reason, limit.times, left / 1_000);
  }

  override async giveBack(limit: Limit, key: string): Promise<void> {
    this.#of(limit).giveBack(key, this.#now());
  }

  override runAlone<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(run, work);
  }

  override close(): void {
    // holds no connection
  }

  /** Whole milliseconds since this was made. */
  #now(): number {
    const now = Math.floor(this.clock.monotonic() - this.#begin);
    if (now >= this.#forgetAt) {
      this.#forgetAt = now + FORGET_EVERY;
      for (const windows of this.#windows.values()) windows.forget(now);
    }
    return now;
  }

  #of({ name, seconds }: Limit): Windows {
    const windows = this.#windows.get(name) ?? new Windows(seconds * 1_000);
    this.#windows.set(name, windows);
    return windows;
  }
}
