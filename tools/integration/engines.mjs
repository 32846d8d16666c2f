import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KafkaCluster } from '../kafka/cluster.mjs';
import { RedisServer } from '../redis/redis-server.mjs';

/**
 * The engines that integration tests need. Each has the name of the setting by which it is found, and is started only where
 * the environment has not set that. `start` answers the value, and how to stop what it started.
 */
export const engines = [
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
];
