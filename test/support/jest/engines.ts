import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import pg from 'pg';

import { KafkaCluster } from '../../../tools/kafka/cluster.ts';
import { PostgresqlServer } from '../../../tools/postgresql/postgresql-server.ts';
import { reservePort } from '../../../tools/processes/reserve-port.ts';
import { RedisServer } from '../../../tools/redis/redis-server.ts';
import type { LocalCertificate } from './local-ca.ts';

export interface StartedEngine {
  /** For the setting. */
  readonly value: string;
  stop(): Promise<void>;
}

export interface Engine {
  /** By which the suites find it. */
  readonly setting: string;
  /** With the certificate of this machine. */
  start(certificate: LocalCertificate): Promise<StartedEngine>;
}

const USER = 'integration';
const PASSWORD = 'integration-secret';

/** The engines that integration tests need, each started only if the environment names no running one. Redis and PostgreSQL take them by TLS and password. */
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
    start: async ({ caFile, certFile, keyFile }) => {
      const port = await reservePort();
      const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile, '--tls-auth-clients', 'no'];
      const options = ['--tls-port', String(port), ...files];
      const server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')), options });
      await server.start();
      const admin = new Redis(server.url);
      await admin.call('ACL', 'SETUSER', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all');
      admin.disconnect();
      return { value: `rediss://${USER}:${PASSWORD}@localhost:${port}`, stop: () => server.remove() };
    },
  },
  {
    setting: 'POSTGRES_URL',
    start: async ({ certFile, keyFile }) => {
      const server = await PostgresqlServer.open({ directory: await mkdtemp(join(tmpdir(), 'postgresql-server-')) });
      await server.secure(certFile, keyFile);
      await server.start();
      const admin = new pg.Client({ connectionString: server.url });
      await admin.connect();
      await admin.query(`CREATE ROLE ${USER} SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
      await admin.end();
      const { port, pathname } = new URL(server.url);
      return { value: `postgres://${USER}:${PASSWORD}@localhost:${port}${pathname}?sslmode=verify-full`, stop: () => server.remove() };
    },
  },
];
