import { RateLimited } from '../rate-limited.js';
import { BUSY_RETRY, type Run } from '../rate-limits.js';

/** The runs under way in one process. */
export class MemoryLocks {
  readonly #held = new Set<string>();

  /** As `RateLimits.runAlone`, for one process. */
  async run<Result>({ name, key, reason }: Run, work: () => Promise<Result>): Promise<Result> {
    const lock = `${name} ${key}`;
    if (this.#held.has(lock)) throw new RateLimited(reason, 1, BUSY_RETRY);
    this.#held.add(lock);
    try {
      return await work();
    } finally {
      this.#held.delete(lock);
    }
  }
}
