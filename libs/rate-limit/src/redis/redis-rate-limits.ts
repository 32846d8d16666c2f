import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { connectRedis, type RedisAccess, type RedisClient } from '#engine-access';
import { sha256 } from '#kernel';

import { type Limit, RateLimits, takeFrom } from '../rate-limits.js';

/** How long a request waits for Redis, in milliseconds. */
const COMMAND_TIMEOUT = 250;

/** Counts over all replicas. While Redis is unavailable each replica counts for itself. */
export class RedisRateLimits extends RateLimits {
  readonly #redis: RedisClient;
  readonly #limiters = new Map<string, RateLimiterRedis>();

  constructor(access: RedisAccess) {
    super();
    this.#redis = connectRedis(access, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT });
    this.#redis.on('error', () => undefined); // each replica then counts for itself
  }

  /** Redis holds a digest, since the key may be an IP address. */
  override take(limit: Limit, key: string, reason: string): Promise<void> {
    return takeFrom(this.#limiter(limit), limit, digestOf(key), reason);
  }

  override async giveBack(limit: Limit, key: string): Promise<void> {
    await this.#limiter(limit).reward(digestOf(key));
  }

  override close(): void {
    this.#redis.disconnect();
  }

  #limiter({ name, times, seconds }: Limit): RateLimiterRedis {
    const options = { keyPrefix: `rate-limit:${name}`, points: times, duration: seconds };
    const limiter =
      this.#limiters.get(name) ??
      new RateLimiterRedis({ ...options, storeClient: this.#redis, rejectIfRedisNotReady: true, insuranceLimiter: new RateLimiterMemory(options) });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

const digestOf = (key: string): string => sha256(key).toString('base64url');
