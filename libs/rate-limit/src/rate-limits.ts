import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

import { RateLimited } from './rate-limited.js';

/** How often something may happen for one key, in a window that begins with the first time. */
export interface Limit {
  /** The name of the counter, such as `client-failures`. */
  readonly name: string;
  readonly times: number;
  readonly seconds: number;
}

/** Counts events by key and refuses those beyond a limit. Windows are measured by the wall clock. */
export abstract class RateLimits {
  /**
   * Counts one more event for the key. Throws {@link RateLimited}, with the reason, when the limit is exceeded. Does not fail
   * while the shared store is unavailable: each replica then counts for itself.
   */
  abstract take(limit: Limit, key: string, reason: string): Promise<void>;

  /** Takes back one event that {@link take} has counted. Does not fail while the shared store is unavailable. */
  abstract giveBack(limit: Limit, key: string): Promise<void>;

  /** Closes the connection to the shared store. */
  abstract close(): void;
}

/** Counts with a limiter of the library; throws {@link RateLimited} when the limiter refuses. */
export const takeFrom = async (limiter: RateLimiterAbstract, { times }: Limit, key: string, reason: string): Promise<void> => {
  try {
    await limiter.consume(key);
  } catch (exceeded) {
    if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
    throw new RateLimited(reason, times, exceeded.msBeforeNext / 1000);
  }
};
