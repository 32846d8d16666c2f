import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

import { RateLimited } from '../rate-limited.js';

/** How often something may happen for one key, in a window that begins with the first time. */
export interface Limit {
  /** What is counted: `client-failures`. */
  readonly name: string;
  readonly times: number;
  readonly seconds: number;
}

/** Counts what must not happen too often, by the wall clock. */
export abstract class RateLimits {
  /**
   * Counts one more time. Throws {@link RateLimited}, with the reason, when that is more than the limit allows. Never fails
   * because something is away: then each replica counts for itself.
   */
  abstract take(limit: Limit, key: string, reason: string): Promise<void>;

  /** Frees what it counts with. */
  abstract close(): void;
}

/** Counts in a limiter of the library. */
export const takeFrom = async (limiter: RateLimiterAbstract, { times }: Limit, key: string, reason: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (exceeded) {
    if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
    throw new RateLimited(reason, times, exceeded.msBeforeNext / 1000);
  }
};
