import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KafkaCluster } from '../../../tools/kafka/cluster.ts';
import { PostgresqlServer } from '../../../tools/postgresql/postgresql-server.ts';
import { RedisServer } from '../../../tools/redis/redis-server.ts';

export interface StartedEngine {
  /** For the setting. */
  readonly value: string;
  stop(): Promise<void>;
}

export interface Engine {
  /** By which the suites find it. */
  readonly setting: string;
  start(): Promise<StartedEngine>;
}

/** The engines that integration tests need, each started only if the environment names no running one. */
export const engines: readonly Engine[] = [
  {
    setting: 'KAFKA_BROKERS',
    start: async () => {
      const cluster = await KafkaCluster.open({ directory: await mkdtemp(join(tmpdir(), 'kafka-')) });
      await cluster.start();
      return { value: cluster.brokers.join(','), stop: () => cluster.remove() };
    },
  },
  {
    setting: 'REDIS_URL',
    start: async () => {
      const server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
      await server.start();
      return { value: server.url, stop: () => server.remove() };
    },
  },
  {
    setting: 'POSTGRES_URL',
    start: async () => {
      const server = await PostgresqlServer.open({ directory: await mkdtemp(join(tmpdir(), 'postgresql-server-')) });
      await server.start();
      return { value: server.url, stop: () => server.remove() };
    },
  },
];
