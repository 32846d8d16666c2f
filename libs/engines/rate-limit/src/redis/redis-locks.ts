import type { RedisClient } from '#engines/access';
import { type Randomness, SystemRandomness } from '#kernel';

import { MemoryLocks } from '../memory/memory-locks.js';
import { RateLimited } from '../rate-limited.js';
import { BUSY_RETRY, type Run } from '../rate-limits.js';

/** Milliseconds after which the lock of a process that has died is free. */
export const LEASE = 30_000;

/** Prolongs an own lock, and takes one again that Redis has lost. Another run's lock stays. */
const RENEW = `local holder = redis.call('get', KEYS[1])
if holder == false or holder == ARGV[1] then redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) end`;

const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`;

export interface RedisLocksOptions {
  readonly redis: RedisClient;
  /** The name of a key in Redis. */
  readonly keyOf: (run: Run) => string;
  readonly failed: (error: unknown) => void;
  readonly succeeded: () => void;
  /** Milliseconds; default: {@link LEASE}. */
  readonly lease?: number | undefined;
  /** Makes the token of each run. */
  readonly randomness?: Randomness;
}

/**
 * The runs under way in all replicas. Each holds a key that expires by itself and is prolonged while the run lasts. While Redis is unavailable, or refuses this
 * service, each replica knows its own runs only.
 */
export class RedisLocks {
  readonly #own = new MemoryLocks();
  readonly #lease: number;
  readonly #randomness: Randomness;

  constructor(private readonly options: RedisLocksOptions) {
    this.#lease = options.lease ?? LEASE;
    this.#randomness = options.randomness ?? new SystemRandomness();
  }

  /** As `RateLimits.runAlone`. */
  run<Result>(run: Run, work: () => Promise<Result>): Promise<Result> {
    return this.#own.run(run, async () => {
      const lock = { key: this.options.keyOf(run), token: this.#randomness.uuid() };
      if (!(await this.#take(lock))) throw new RateLimited(run.reason, 1, BUSY_RETRY);
      const renewal = setInterval(() => void this.#ask(RENEW, lock, this.#lease), this.#lease / 3).unref();
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        await this.#ask(RELEASE, lock);
      }
    });
  }

  /** Whether the run may begin: also if Redis does not answer. */
  async #take({ key, token }: Lock): Promise<boolean> {
    const { redis, failed, succeeded } = this.options;
    try {
      const isFree = (await redis.set(key, token, 'PX', this.#lease, 'NX')) === 'OK';
      succeeded();
      return isFree;
    } catch (error) {
      failed(error);
      return true;
    }
  }

  async #ask(script: string, { key, token }: Lock, ...more: readonly number[]): Promise<void> {
    try {
      await this.options.redis.eval(script, 1, key, token, ...more);
    } catch (error) {
      this.options.failed(error);
    }
  }
}

interface Lock {
  readonly key: string;
  /** Tells this run's lock from that of another run, which may hold the key after this one has lost it. */
  readonly token: string;
}
