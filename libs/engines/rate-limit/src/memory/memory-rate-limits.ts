import { RateLimiterMemory } from 'rate-limiter-flexible';

import { type Limit, RateLimits, type Run, takeFrom } from '../rate-limits.js';
import { MemoryLocks } from './memory-locks.js';

/** Counts within one process. */
export class MemoryRateLimits extends RateLimits {
  readonly #limiters = new Map<string, RateLimiterMemory>();
  readonly #locks = new MemoryLocks();

  override take(limit: Limit, key: string, reason: string): Promise<void> {
    return takeFrom(this.#limiter(limit), limit, key, reason);
  }

  override async giveBack(limit: Limit, key: string): Promise<void> {
    await this.#limiter(limit).reward(key);
  }

  override runAlone<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(run, work);
  }

  override close(): void {
    // holds no connection
  }

  #limiter({ name, times, seconds }: Limit): RateLimiterMemory {
    const limiter = this.#limiters.get(name) ?? new RateLimiterMemory({ keyPrefix: name, points: times, duration: seconds });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}
