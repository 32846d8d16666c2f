import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { sha256 } from '#kernel';

import { type Limit, RateLimits, takeFrom } from '../rate-limits.js';

/** Nobody waits longer for Redis than this, in milliseconds. */
const PATIENCE = 250;

/** The counts of all replicas together. While Redis is away each replica goes on with its own. */
export class RedisRateLimits extends RateLimits {
  readonly #redis: Redis;
  readonly #limiters = new Map<string, RateLimiterRedis>();

  constructor(url: string) {
    super();
    this.#redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: PATIENCE, retryStrategy: (times) => Math.min(times * 100, 1_000) });
    this.#redis.on('error', () => undefined); // the counts go on
  }

  /** Redis holds a digest: the key may be somebody's address. */
  override take(limit: Limit, key: string, reason: string): Promise<void> {
    return takeFrom(this.#limiter(limit), limit, sha256(key).toString('base64url'), reason);
  }

  override close(): void {
    this.#redis.disconnect();
  }

  #limiter({ name, times, seconds }: Limit): RateLimiterRedis {
    const options = { keyPrefix: `rate-limit:${name}`, points: times, duration: seconds };
    const limiter =
      this.#limiters.get(name) ?? new RateLimiterRedis({ ...options, storeClient: this.#redis, rejectIfRedisNotReady: true, insuranceLimiter: new RateLimiterMemory(options) });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}
