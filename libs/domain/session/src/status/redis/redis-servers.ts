import { Cluster, type Redis } from 'ioredis';

import { nameOf, nodeOf, type RedisClient } from '#engines/access';
import type { Clock } from '#kernel';

import { Breaker } from './breaker.js';

/** A server, from the answer to the first question until the connection to it is lost. */
export interface ConnectedServer {
  /** The run id: another one after each start. */
  readonly run: string;
  readonly breaker: Breaker;
}

interface ServersParts {
  readonly clock: Clock;
  /** For how long a server is left alone that did not answer. Milliseconds. */
  readonly pauseAfterFailure: number;
  /** Called when the connection to a server is lost that could be used. */
  readonly lost: () => void;
  /** Called when the first question to a server has failed. */
  readonly failed: (error: unknown) => void;
}

/** The name of the only server of a Redis without a cluster. */
const ONLY = '';

/** The servers that a client is connected to, and which of them has a key. */
export class RedisServers {
  readonly #connected = new Map<string, ConnectedServer & { readonly redis: Redis }>();

  constructor(
    private readonly client: RedisClient,
    private readonly parts: ServersParts,
  ) {
    if (!(client instanceof Cluster)) this.#follow(ONLY, client);
    else client.on('+node', (node: Redis) => this.#connect(node));
  }

  /** Undefined while no server is known to have the key, or the one that has it is not connected, or the client takes no commands yet. */
  of(key: string): ConnectedServer | undefined {
    if (this.client.status !== 'ready') return undefined;
    const name = this.client instanceof Cluster ? nodeOf(this.client, key) : ONLY;
    return name === undefined ? undefined : this.#connected.get(name);
  }

  /** A cluster's client connects a node with the first command, and its run id has to be known before. */
  #connect(node: Redis): void {
    this.#follow(nameOf(node), node);
    node.connect().catch(() => undefined);
  }

  #follow(name: string, redis: Redis): void {
    redis.on('ready', () => void this.#learn(name, redis));
    redis.on('close', () => {
      if (this.#connected.get(name)?.redis !== redis) return;
      this.#connected.delete(name);
      this.parts.lost();
    });
  }

  async #learn(name: string, redis: Redis): Promise<void> {
    try {
      const run = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1];
      if (run !== undefined) this.#connected.set(name, { run, redis, breaker: new Breaker(this.parts.clock, this.parts.pauseAfterFailure) });
    } catch (error) {
      this.parts.failed(error);
      redis.disconnect(true);
    }
  }
}
