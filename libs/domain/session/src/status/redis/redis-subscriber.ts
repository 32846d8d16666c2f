import { once } from 'node:events';

import type { Redis } from 'ioredis';

import { connectServer, type RedisAccess } from '#engines/access';

interface SubscriberParts {
  readonly isWatched: (channel: string) => boolean;
  readonly woken: (channel: string) => void;
  /** Called when the connection is ready, without subscriptions. */
  readonly connected: () => void;
}

/** How long a command may take, and the first connection. Milliseconds. */
const COMMAND_TIMEOUT = 250;

/** The connection to one server for subscriptions to channels (sharded publish and subscribe, Redis 7). */
export class RedisSubscriber {
  readonly #redis: Redis;
  readonly #first: Promise<unknown>;
  /** The channels that the present connection is subscribed to, or is subscribing to. */
  #subscriptions = new Map<string, Promise<void>>();
  readonly #standing = new Set<string>();

  /** Connects at once, and again whenever the connection is lost. */
  constructor(
    access: RedisAccess,
    private readonly parts: SubscriberParts,
  ) {
    this.#redis = connectServer(access, {
      enableOfflineQueue: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_TIMEOUT,
    });
    this.#first = once(this.#redis, 'ready', { signal: AbortSignal.timeout(COMMAND_TIMEOUT) }).catch(() => undefined);
    this.#redis.on('error', (error) => this.#failed(error));
    this.#redis.on('close', () => this.#forget());
    this.#redis.on('ready', () => parts.connected());
    this.#redis.on('smessage', (channel: string) => parts.woken(channel));
  }

  /** Whether the present connection is subscribed to the channel, or is subscribing. */
  has(channel: string): boolean {
    return this.#subscriptions.has(channel);
  }

  isStanding(channel: string): boolean {
    return this.#standing.has(channel);
  }

  /** Resolves when the subscription is active, or cannot be made now. */
  subscribe(channel: string): Promise<void> {
    const subscription = this.#subscriptions.get(channel) ?? this.#subscribe(channel);
    this.#subscriptions.set(channel, subscription);
    return subscription;
  }

  leave(channel: string): void {
    if (!this.#subscriptions.delete(channel)) return;
    this.#standing.delete(channel);
    this.#redis.sunsubscribe(channel).catch(() => undefined);
  }

  /** Asks the server for a sign of life, and reconnects when it gives none: a server that hangs closes no connection. */
  look(): void {
    if (this.#redis.status === 'ready') this.#redis.ping().catch(() => this.#redis.disconnect(true));
  }

  close(): void {
    this.#redis.disconnect();
  }

  async #subscribe(channel: string): Promise<void> {
    const subscriptions = this.#subscriptions;
    await this.#first;
    try {
      await this.#redis.ssubscribe(channel);
      // The connection may have been lost, or the last watch closed, meanwhile.
      if (this.#subscriptions === subscriptions && this.parts.isWatched(channel)) this.#standing.add(channel);
    } catch {
      subscriptions.delete(channel);
    }
  }

  /** A node that gives a slot away ends the subscriptions in it unasked. The client takes that for the answer to a command: only a new connection is in order again. */
  #failed(error: Error): void {
    if (error.message.startsWith('Command queue state error')) this.#redis.disconnect(true);
  }

  /** The connection is lost, and with it all subscriptions. */
  #forget(): void {
    this.#subscriptions = new Map();
    this.#standing.clear();
  }
}
