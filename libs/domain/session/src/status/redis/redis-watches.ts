import { Cluster } from 'ioredis';

import { nameOf, nodeOf, type RedisAccess, type RedisClient, UnreadableFile } from '#engines/access';
import { WakeUps } from '#kernel';

import { JoinedWatch } from '../joined-watch.js';
import type { StatusWatch } from '../status-changes.js';
import { RedisSubscriber } from './redis-subscriber.js';
import { channelOf } from './stored-status.js';

/** Between two checks whether the connections still work. Milliseconds. */
const CHECK_INTERVAL = 1_000;

/** The name of the only server of a Redis without a cluster. */
const ONLY = '';

/** Watches of sessions: one connection of the process to each server, and one subscription for each session that is waited for. */
export class RedisWatches {
  readonly #wakeUps = new WakeUps();
  readonly #subscribers = new Map<string, RedisSubscriber>();
  #looking: NodeJS.Timeout | undefined;

  /** `client` knows which node of a cluster has a channel. To a single server it connects at once. */
  constructor(
    private readonly access: RedisAccess,
    private readonly client: RedisClient,
  ) {
    if (!(client instanceof Cluster)) this.#subscriber(ONLY);
  }

  /** Resolves when the subscription is active. Resolves also when it cannot be made now: then the watch is not live yet. */
  async watch(sessionId: string): Promise<StatusWatch> {
    const channel = channelOf(sessionId);
    const watch = this.#wakeUps.watch(channel);
    this.#look();
    await this.#subscriberOf(channel)?.subscribe(channel);
    return new JoinedWatch(watch, {
      isLive: () => this.#subscriberOf(channel)?.isStanding(channel) ?? false,
      closed: () => {
        if (!this.#wakeUps.isWatched(channel)) for (const subscriber of this.#subscribers.values()) subscriber.leave(channel);
      },
    });
  }

  close(): void {
    clearInterval(this.#looking);
    for (const subscriber of this.#subscribers.values()) subscriber.close();
  }

  /** The subscriber at the server that has the channel now. Undefined while that is unknown, or a file that a connection needs cannot be read: the next look tries again. */
  #subscriberOf(channel: string): RedisSubscriber | undefined {
    const name = this.client instanceof Cluster ? nodeOf(this.client, channel) : ONLY;
    try {
      return name === undefined ? undefined : this.#subscriber(name);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      return undefined;
    }
  }

  #subscriber(name: string): RedisSubscriber {
    const subscriber: RedisSubscriber =
      this.#subscribers.get(name) ??
      new RedisSubscriber(name === ONLY ? this.access : { ...this.access, url: addressOf(name, this.access.url) }, {
        isWatched: (channel) => this.#wakeUps.isWatched(channel),
        woken: (channel) => this.#wakeUps.wake(channel),
        connected: () => this.#repeat(),
      });
    this.#subscribers.set(name, subscriber);
    return subscriber;
  }

  /** Subscribes again for each watch without an active or pending subscription. */
  #repeat(): void {
    for (const channel of this.#wakeUps.keys) {
      const subscriber = this.#subscriberOf(channel);
      // Changes before the subscription was ready have woken no waiting call.
      if (subscriber && !subscriber.has(channel)) void subscriber.subscribe(channel).then(() => this.#wakeUps.wake(channel));
    }
  }

  /** Looks while a call waits, with one command for all. */
  #look(): void {
    this.#looking ??= setInterval(() => {
      if (this.#wakeUps.keys.length === 0) {
        clearInterval(this.#looking);
        this.#looking = undefined;
      } else {
        this.#closeOthers();
        for (const subscriber of this.#subscribers.values()) subscriber.look();
        this.#repeat();
      }
    }, CHECK_INTERVAL).unref();
  }

  /** Nodes may leave the cluster. */
  #closeOthers(): void {
    if (!(this.client instanceof Cluster)) return;
    const names = new Set(this.client.nodes('all').map(nameOf));
    for (const [name, subscriber] of this.#subscribers) {
      if (names.has(name)) continue;
      subscriber.close();
      this.#subscribers.delete(name);
    }
  }
}

/** The address of a node, with the credentials of another one. */
const addressOf = (name: string, url: string): string => {
  const address = new URL(url);
  const end = name.lastIndexOf(':');
  const host = name.slice(0, end);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = name.slice(end + 1);
  return address.href;
};
