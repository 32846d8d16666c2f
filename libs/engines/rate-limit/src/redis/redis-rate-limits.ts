import { RateLimiterRedis } from 'rate-limiter-flexible';

import { connectRedis, type RedisAccess, type RedisClient, RefusalReport } from '#engines/access';
import { sha256 } from '#kernel';

import { MemoryRateLimits } from '../memory/memory-rate-limits.js';
import { RateLimited } from '../rate-limited.js';
import { type Limit, RateLimits, type Run, takeFrom } from '../rate-limits.js';
import { RedisLocks } from './redis-locks.js';

/** How long a request waits for Redis, in milliseconds. */
const COMMAND_TIMEOUT = 250;

/** Counts over all replicas. While Redis is unavailable, or refuses this service, each replica counts for itself. */
export class RedisRateLimits extends RateLimits {
  readonly #redis: RedisClient;
  readonly #limiters = new Map<string, RateLimiterRedis>();
  /** Counts what Redis does not. */
  readonly #own = new MemoryRateLimits();
  readonly #refusals: RefusalReport;
  readonly #locks: RedisLocks;

  /**
   * Calls `report` with a line for the log when Redis refuses this service: the connection, or the counts. `lease`: milliseconds after which the run of a process
   * that has died does not hold back the next one; default: 30,000.
   */
  constructor(access: RedisAccess, report: (reason: string) => void, lease?: number) {
    super();
    this.#refusals = new RefusalReport('REDIS', report);
    this.#redis = connectRedis(access, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT });
    const failed = (error: unknown): void => void this.#refusals.failed(error);
    this.#redis.on('error', failed).on('node error', failed);
    this.#locks = new RedisLocks({
      redis: this.#redis,
      keyOf: ({ name, key }) => `rate-limit:run:${name}:${digestOf(key)}`,
      failed,
      succeeded: () => this.#refusals.succeeded(),
      lease,
    });
  }

  /** Redis holds a digest, since the key may be an IP address. */
  override take(limit: Limit, key: string, reason: string): Promise<void> {
    return this.#count(
      () => takeFrom(this.#shared(limit), limit, digestOf(key), reason),
      () => this.#own.take(limit, key, reason),
    );
  }

  override giveBack(limit: Limit, key: string): Promise<void> {
    return this.#count(
      async () => void (await this.#shared(limit).reward(digestOf(key))),
      () => this.#own.giveBack(limit, key),
    );
  }

  override runAlone<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(run, work);
  }

  override close(): void {
    this.#redis.disconnect();
  }

  async #count(shared: () => Promise<void>, own: () => Promise<void>): Promise<void> {
    try {
      await shared();
      this.#refusals.succeeded();
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      this.#refusals.failed(error);
      await own();
    }
  }

  /** Counts over all replicas. */
  #shared({ name, times, seconds }: Limit): RateLimiterRedis {
    const limiter =
      this.#limiters.get(name) ??
      new RateLimiterRedis({
        keyPrefix: `rate-limit:${name}`,
        points: times,
        duration: seconds,
        storeClient: this.#redis,
        rejectIfRedisNotReady: true,
      });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

const digestOf = (key: string): string => sha256(key).toString('base64url');
