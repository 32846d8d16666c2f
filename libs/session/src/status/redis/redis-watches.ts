import type { Redis } from 'ioredis';

import { connectRedis, type RedisAccess } from '#engine-access';
import { WakeUps } from '#kernel';

import type { StatusWatch } from '../status-changes.js';
import { channelOf } from './stored-status.js';

/** How long a command may take, and between two looks whether the connection still works. Milliseconds. */
const COMMAND_TIMEOUT = 250;
const LOOK_INTERVAL = 1_000;

/** Watches of sessions over one connection of the process: a subscription for each session that is waited for (sharded publish and subscribe, Redis 7). */
export class RedisWatches {
  readonly #redis: Redis;
  readonly #wakeUps = new WakeUps();
  /** The sessions whose subscription stands on the present connection, or is being made. */
  #subscriptions = new Map<string, Promise<boolean>>();
  readonly #standing = new Set<string>();
  #looking: NodeJS.Timeout | undefined;

  /** Connects at once. */
  constructor(access: RedisAccess) {
    this.#redis = connectRedis(access, {
      enableOfflineQueue: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_TIMEOUT,
    });
    this.#redis.on('error', () => undefined); // the watches are not live then
    this.#redis.on('close', () => this.#forget());
    this.#redis.on('ready', () => void this.#resume());
    this.#redis.on('smessage', (channel: string) => this.#wakeUps.wake(channel));
  }

  /** Resolves when the subscription stands, or cannot be made now: then the watch is not live yet. */
  async watch(sessionId: string): Promise<StatusWatch> {
    const channel = channelOf(sessionId);
    const watch = this.#wakeUps.watch(channel);
    this.#look();
    await this.#subscribed(channel);
    const standing = this.#standing;
    return {
      get isLive() {
        return standing.has(channel);
      },
      next: (milliseconds, signal) => watch.next(milliseconds, signal),
      close: () => {
        watch.close();
        if (!this.#wakeUps.isWatched(channel)) this.#leave(channel);
      },
    };
  }

  close(): void {
    clearInterval(this.#looking);
    this.#redis.disconnect();
  }

  #subscribed(channel: string): Promise<boolean> {
    const subscription = this.#subscriptions.get(channel) ?? this.#subscribe(channel);
    this.#subscriptions.set(channel, subscription);
    return subscription;
  }

  async #subscribe(channel: string): Promise<boolean> {
    const subscriptions = this.#subscriptions;
    try {
      await this.#redis.ssubscribe(channel);
      // The connection may have been lost, or the last watch closed, meanwhile.
      if (this.#subscriptions === subscriptions && this.#wakeUps.isWatched(channel)) this.#standing.add(channel);
      return true;
    } catch {
      subscriptions.delete(channel);
      return false;
    }
  }

  #leave(channel: string): void {
    this.#subscriptions.delete(channel);
    this.#standing.delete(channel);
    this.#redis.sunsubscribe(channel).catch(() => undefined);
  }

  /** The connection is lost, and with it all subscriptions. */
  #forget(): void {
    this.#subscriptions = new Map();
    this.#standing.clear();
  }

  async #resume(): Promise<void> {
    await Promise.all(this.#wakeUps.keys.map((channel) => this.#repeat(channel)));
  }

  /** Changes before the subscription was ready have woken no waiting call. */
  async #repeat(channel: string): Promise<void> {
    await this.#subscribed(channel);
    this.#wakeUps.wake(channel);
  }

  /** A server that hangs closes no connection. Looks while a call waits, with one command for all. */
  #look(): void {
    this.#looking ??= setInterval(() => {
      if (this.#wakeUps.keys.length === 0) {
        clearInterval(this.#looking);
        this.#looking = undefined;
      } else if (this.#redis.status === 'ready') {
        this.#redis.ping().catch(() => this.#redis.disconnect(true));
        for (const channel of this.#wakeUps.keys) if (!this.#subscriptions.has(channel)) void this.#repeat(channel);
      }
    }, LOOK_INTERVAL).unref();
  }
}
