import type { Redis, Result } from 'ioredis';

import { connectRedis, type RedisAccess } from '#engine-access';
import type { Clock, SessionId } from '#kernel';
import type { Log } from '#telemetry';

import { type CachedStatus, StatusCache, StatusCacheUnavailable } from '../status-cache.js';
import type { StatusWatch } from '../status-changes.js';
import { staleAt } from '../status-record.js';
import { Breaker } from './breaker.js';
import { RedisWatches } from './redis-watches.js';
import { channelOf, keyOf, readStatus, storedStatus } from './stored-status.js';

export interface RedisStatusCacheParts extends RedisAccess {
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a request waits for Redis, and for how long it is left alone when it did not answer. Milliseconds. */
const COMMAND_TIMEOUT = 250;
const REST = 1_000;
/** How much longer than needed a status is kept, since the clocks of the services differ. Milliseconds. */
const MARGIN = 60_000;

/** KEYS: key, channel. ARGV: revision, the rest of the status, milliseconds to keep it. */
const PUT = `
local kept = redis.call('GET', KEYS[1])
local revision = kept and tonumber(string.match(kept, '^(%d+) '))
if revision and revision >= tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
redis.call('SPUBLISH', KEYS[2], ARGV[1])
return 1
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    putStatus(key: string, channel: string, revision: string, status: string, keptFor: number): Result<number, Context>;
  }
}

/** Statuses in Redis 7 or later, for all services: one command for a read, one for a write with its wake-ups. Persistence is not needed. */
export class RedisStatusCache extends StatusCache {
  readonly #redis: Redis;
  readonly #watches: RedisWatches;
  readonly #breaker: Breaker;
  readonly #clock: Clock;
  /** Of the server that the connection leads to. */
  #run: string | undefined;

  /** Connects at once, and again whenever the connection is lost. */
  constructor({ clock, log, ...access }: RedisStatusCacheParts) {
    super();
    this.#clock = clock;
    this.#breaker = new Breaker(clock, REST);
    this.#redis = connectRedis(access, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT });
    this.#redis.defineCommand('putStatus', { numberOfKeys: 2, lua: PUT });
    this.#redis.on('error', () => undefined); // streams are read then
    this.#redis.on('ready', () => void this.#learnRun());
    this.#redis.on('close', () => {
      if (this.#run !== undefined) log.warn('Redis is unavailable: statuses are read from the event store', { component: 'status-cache' });
      this.#run = undefined;
    });
    this.#watches = new RedisWatches(access);
  }

  override get(sessionId: SessionId): Promise<CachedStatus | undefined> {
    return this.#call(async (run) => {
      const stored = await this.#redis.get(keyOf(sessionId, run));
      return stored === null ? undefined : readStatus(stored);
    });
  }

  override async put(sessionId: SessionId, status: CachedStatus): Promise<void> {
    const keptFor = Math.ceil(staleAt(status) - this.#clock.now() + MARGIN);
    if (keptFor <= 0) return;
    const [revision, rest] = storedStatus(status);
    await this.#call((run) => this.#redis.putStatus(keyOf(sessionId, run), channelOf(sessionId), revision, rest, keptFor));
  }

  override async watch(sessionId: string): Promise<StatusWatch> {
    const watch = await this.#watches.watch(sessionId);
    const isClosed = (): boolean => this.#breaker.isClosed;
    return {
      get isLive() {
        return watch.isLive && isClosed();
      },
      next: (milliseconds, signal) => watch.next(milliseconds, signal),
      close: () => watch.close(),
    };
  }

  override async close(): Promise<void> {
    await super.close();
    this.#watches.close();
    this.#redis.disconnect();
  }

  async #learnRun(): Promise<void> {
    try {
      this.#run = /^run_id:(\w+)/m.exec(await this.#redis.info('server'))?.[1];
    } catch {
      this.#redis.disconnect(true);
    }
  }

  async #call<Answer>(work: (run: string) => Promise<Answer>): Promise<Answer> {
    if (this.#run === undefined || !this.#breaker.mayCall()) throw new StatusCacheUnavailable('Redis is unavailable');
    try {
      const answer = await work(this.#run);
      this.#breaker.succeeded();
      return answer;
    } catch (error) {
      this.#breaker.failed();
      throw new StatusCacheUnavailable(`Redis: ${error instanceof Error ? error.message : 'unknown error'}`);
    }
  }
}
