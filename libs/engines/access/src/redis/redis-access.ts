import type { ConnectionOptions } from 'node:tls';

import { type Cluster, Redis, type RedisOptions } from 'ioredis';

import type { EngineCalls } from '#telemetry';

import { MountedFile } from '../mounted-file.js';
import { tlsOptions } from '../tls-options.js';
import { measureCommands } from './measured-redis.js';
import { connectCluster } from './redis-cluster.js';

export interface RedisAccess {
  /** `redis://` or `rediss://`, with the ACL user and, without a file of it, the password. */
  readonly url: string;
  /** Of a Redis Cluster: the addresses of some of its nodes, through which the others are found. */
  readonly nodes?: readonly string[] | undefined;
  readonly passwordFile?: string | undefined;
  /** PEM, for `rediss://`; without it, the CAs that Node trusts. */
  readonly caFile?: string | undefined;
  /** Measures the commands. */
  readonly calls?: EngineCalls | undefined;
}

/** One server, or a cluster of them. */
export type RedisClient = Redis | Cluster;

interface OwnOptions {
  /** Without credentials. */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: ConnectionOptions;
  readonly retryStrategy: (this: { password?: string }, times: number) => number;
}

/** Milliseconds until the next try to connect. */
const retryDelay = (times: number): number => Math.min(times * 100, 1_000);

/**
 * The options of a connection and the address without credentials. Each reconnection reads the files again, also that of a duplicate, which has a copy of
 * these options. Throws UnreadableFile.
 */
export const redisOptions = ({ url, passwordFile, caFile }: RedisAccess): OwnOptions => {
  const address = new URL(url);
  const username = decodeURIComponent(address.username);
  const password = decodeURIComponent(address.password);
  const file = passwordFile === undefined ? undefined : new MountedFile('REDIS_PASSWORD_FILE', passwordFile);
  address.username = '';
  address.password = '';
  return {
    url: address.href,
    ...(username && { username }),
    ...((file ?? password) && { password: file?.read() ?? password }),
    ...(address.protocol === 'rediss:' && { tls: tlsOptions('REDIS', { caFile }) }),
    retryStrategy(times) {
      if (file) this.password = file.read();
      return retryDelay(times);
    },
  };
};

/** Connects at once to the server or to the nodes, and again whenever a connection is lost, at least once a second. Throws UnreadableFile. */
export const connectRedis = (access: RedisAccess, options: RedisOptions): RedisClient => {
  const client = access.nodes ? connectNodes(access, access.nodes, options) : connectServer(access, options);
  if (access.calls) measureCommands(client, access.calls);
  return client;
};

const connectNodes = (access: RedisAccess, nodes: readonly string[], options: RedisOptions): Cluster => {
  const { url: _, ...own } = redisOptions(access);
  return connectCluster(nodes, own, options);
};

/** Connects to one server, without measuring its commands. */
export const connectServer = (access: RedisAccess, options: RedisOptions): Redis => {
  const { url, ...own } = redisOptions(access);
  return new Redis(url, { ...own, ...options });
};
