import type { Result } from 'ioredis';

import { connectRedis, type RedisAccess, type RedisClient, RefusalReport } from '#engines/access';
import type { Clock, SessionId } from '#kernel';
import type { Log } from '#telemetry';

import { type CachedStatus, StatusCache, StatusCacheUnavailable } from '../status-cache.js';
import { JoinedWatch } from '../joined-watch.js';
import type { StatusWatch } from '../status-changes.js';
import { staleAt } from '../status-record.js';
import { RedisServers } from './redis-servers.js';
import { RedisWatches } from './redis-watches.js';
import { channelOf, keyOf, readStatus, storedStatus } from './stored-status.js';

export interface RedisStatusCacheParts extends RedisAccess {
  readonly clock: Clock;
  readonly log: Log;
  /** The history of the event store; undefined until it is known, and no status is kept or answered then. */
  readonly history: () => string | undefined;
}

/** How long a request waits for Redis, and for how long it is left alone when it did not answer. Milliseconds. */
const COMMAND_TIMEOUT = 250;
const PAUSE_AFTER_FAILURE = 1_000;
/** How much longer than needed a status is kept, since the clocks of the services differ. Milliseconds. */
const MARGIN = 60_000;

/**
 * KEYS: key. ARGV: channel, revision, the rest of the status, milliseconds to keep it. The channel lies in the slot of the key and is none of the keys: while a slot
 * moves, a node of a cluster refuses scripts with several keys.
 */
const PUT = `
local kept = redis.call('GET', KEYS[1])
local revision = kept and tonumber(string.match(kept, '^(%d+) '))
if revision and revision >= tonumber(ARGV[2]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[3], 'PX', ARGV[4])
redis.call('SPUBLISH', ARGV[1], ARGV[2])
return 1
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    putStatus(key: string, channel: string, revision: string, status: string, keptFor: number): Result<number, Context>;
  }
}

/** Statuses in Redis 7 or later, for all services: one command for a read, one for a write with its wake-ups. Persistence is not needed. */
export class RedisStatusCache extends StatusCache {
  readonly #redis: RedisClient;
  readonly #servers: RedisServers;
  readonly #watches: RedisWatches;
  readonly #refusals: RefusalReport;
  readonly #clock: Clock;
  readonly #history: () => string | undefined;

  /** Connects at once, and again whenever the connection is lost. */
  constructor({ clock, log, history, ...access }: RedisStatusCacheParts) {
    super();
    this.#clock = clock;
    this.#history = history;
    this.#redis = connectRedis(access, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT });
    this.#redis.defineCommand('putStatus', { numberOfKeys: 1, lua: PUT });
    const refused = (reason: string): void =>
      log.error('Redis keeps no statuses for this service: they are read from the event store', { component: 'status-cache', reason });
    this.#refusals = new RefusalReport('REDIS', refused, clock);
    const failed = (error: unknown): void => void this.#refusals.failed(error);
    this.#redis.on('error', failed).on('node error', failed);
    const lost = (): void => log.warn('Redis is unavailable: statuses are read from the event store', { component: 'status-cache' });
    this.#servers = new RedisServers(this.#redis, { clock, pauseAfterFailure: PAUSE_AFTER_FAILURE, lost, failed });
    this.#watches = new RedisWatches(access, this.#redis);
  }

  override get(sessionId: SessionId): Promise<CachedStatus | undefined> {
    return this.#call(sessionId, async (key) => {
      const stored = await this.#redis.get(key);
      return stored === null ? undefined : readStatus(stored);
    });
  }

  override async put(sessionId: SessionId, status: CachedStatus): Promise<void> {
    const keptFor = Math.ceil(staleAt(status) - this.#clock.now() + MARGIN);
    if (keptFor <= 0) return;
    const [revision, rest] = storedStatus(status);
    await this.#call(sessionId, (key) => this.#redis.putStatus(key, channelOf(sessionId), revision, rest, keptFor));
  }

  override async watch(sessionId: string): Promise<StatusWatch> {
    const watch = await this.#watches.watch(sessionId);
    const isClosed = (): boolean => this.#servers.of(channelOf(sessionId))?.breaker.isClosed ?? false;
    return new JoinedWatch(watch, { isLive: () => watch.isLive && isClosed() });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#watches.close();
    this.#redis.disconnect();
  }

  async #call<Answer>(sessionId: SessionId, work: (key: string) => Promise<Answer>): Promise<Answer> {
    const history = this.#history();
    if (history === undefined) throw new StatusCacheUnavailable('the event store has not told its history yet');
    const channel = channelOf(sessionId);
    const server = this.#servers.of(channel);
    if (!server?.breaker.mayCall()) throw new StatusCacheUnavailable('Redis is unavailable');
    const answer = await work(keyOf(sessionId, server.run, history)).catch((error: unknown) => {
      server.breaker.failed();
      this.#refusals.failed(error);
      throw new StatusCacheUnavailable(`Redis: ${error instanceof Error ? error.message : 'unknown error'}`);
    });
    server.breaker.succeeded();
    this.#refusals.succeeded();
    // The command was led on to another server, under the run id of the first one.
    if (this.#servers.of(channel) !== server) throw new StatusCacheUnavailable('Redis: the slot of the session has moved');
    return answer;
  }
}
