import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

import { RateLimited } from './rate-limited.js';

/** How often something may happen for one key, in a window that begins with the first time. */
export interface Limit {
  /** The name of the counter, such as `client-failures`. */
  readonly name: string;
  readonly times: number;
  readonly seconds: number;
}

/** Work of which one run at a time is allowed for one key. */
export interface Run {
  /** The name of the work, such as `webhook-recoveries`. */
  readonly name: string;
  readonly key: string;
  /** Why another run is refused; for the log. */
  readonly reason: string;
}

/** Seconds until a run that was refused may be tried again. */
export const BUSY_RETRY = 5;

/** Counts events by key and refuses those beyond a limit. Windows are measured by real time. */
export abstract class RateLimits {
  /**
   * Counts one more event for the key. Throws {@link RateLimited}, with the reason, when the limit is exceeded. Does not fail
   * while the shared store is unavailable: each replica then counts for itself.
   */
  abstract take(limit: Limit, key: string, reason: string): Promise<void>;

  /** Takes back one event that {@link take} has counted. Does not fail while the shared store is unavailable. */
  abstract giveBack(limit: Limit, key: string): Promise<void>;

  /**
   * Does the work, unless a run of that name and key is under way on any replica: then throws {@link RateLimited}, with the reason, and does nothing. The next
   * run may begin when this one has ended, with or without an error, and half a minute after the process has died in it. While the shared store is
   * unavailable, each replica knows its own runs only, so it spares the service, and no invariant may rest on it.
   */
  abstract runAlone<Result>(run: Run, work: () => Promise<Result>): Promise<Result>;

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
