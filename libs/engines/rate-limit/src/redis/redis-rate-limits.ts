import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { connectRedis, type RedisAccess, type RedisClient, RefusalReport } from '#engines/access';
import { sha256 } from '#kernel';

import { RateLimited } from '../rate-limited.js';
import { type Limit, RateLimits, type Run, takeFrom } from '../rate-limits.js';
import { RedisLocks } from './redis-locks.js';

/** How long a request waits for Redis, in milliseconds. */
const COMMAND_TIMEOUT = 250;

interface Limiters {
  /** Counts over all replicas. */
  readonly shared: RateLimiterAbstract;
  /** Counts what Redis does not. */
  readonly own: RateLimiterAbstract;
}

/** Counts over all replicas. While Redis is unavailable, or refuses this service, each replica counts for itself. */
export class RedisRateLimits extends RateLimits {
  readonly #redis: RedisClient;
  readonly #limiters = new Map<string, Limiters>();
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
    return this.#count(limit, (limiter) => takeFrom(limiter, limit, digestOf(key), reason));
  }

  override async giveBack(limit: Limit, key: string): Promise<void> {
    await this.#count(limit, (limiter) => limiter.reward(digestOf(key)));
  }

  override runAlone<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
    return this.#locks.run(run, work);
  }

  override close(): void {
    this.#redis.disconnect();
  }

  async #count<Answer>(limit: Limit, work: (limiter: RateLimiterAbstract) => Promise<Answer>): Promise<Answer> {
    const { shared, own } = this.#limitersOf(limit);
    try {
      const answer = await work(shared);
      this.#refusals.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof RateLimited) throw error;
      this.#refusals.failed(error);
      return work(own);
    }
  }

  #limitersOf({ name, times, seconds }: Limit): Limiters {
    const options = { keyPrefix: `rate-limit:${name}`, points: times, duration: seconds };
    const limiters = this.#limiters.get(name) ?? {
      shared: new RateLimiterRedis({ ...options, storeClient: this.#redis, rejectIfRedisNotReady: true }),
      own: new RateLimiterMemory(options),
    };
    this.#limiters.set(name, limiters);
    return limiters;
  }
}

const digestOf = (key: string): string => sha256(key).toString('base64url');
