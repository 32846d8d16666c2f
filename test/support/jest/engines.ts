import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Redis } from 'ioredis';
import pg from 'pg';

import { KafkaCluster } from '../../../testkit/programs/kafka/cluster.ts';
import { PostgresqlServer } from '../../../testkit/programs/postgresql/postgresql-server.ts';
import { reservePort, reservePorts } from '../../../testkit/processes/reserve-port.ts';
import { RedisServer } from '../../../testkit/programs/redis/redis-server.ts';
import type { LocalCertificate } from '../../../testkit/processes/local-certificate.ts';

export interface StartedEngine {
  /** The suites find the engine and connect by these settings, which have the names of the service's settings. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface Engine {
  /** The environment variable that names a running engine. */
  readonly setting: string;
  /** With the certificate of this machine. */
  start(certificate: LocalCertificate): Promise<StartedEngine>;
}

const USER = 'integration';
const PASSWORD = 'integration-secret';

/**
 * The engines that integration tests need, each started only if the environment names no running one. They take the suites by TLS and password, Kafka those of
 * `KAFKA_MUTUAL_TLS_BROKERS` by certificate. Files that start an engine of their own connect without either, as in development.
 */
export const engines: readonly Engine[] = [
  {
    setting: 'KAFKA_BROKERS',
    start: async ({ caFile, certFile, keyFile, bothFile }) => {
      const [saslPort = 0, mutualTlsPort = 0] = await reservePorts(2);
      const superUsers = [`User:${USER}`, 'User:CN=engines'];
      const secure = { saslPort, mutualTlsPort, caFile, bothFile, users: { [USER]: PASSWORD }, superUsers };
      const cluster = await KafkaCluster.open({ directory: await mkdtemp(join(tmpdir(), 'kafka-')), secure });
      await cluster.start();
      const passwordFile = join(dirname(caFile), 'kafka.password');
      await writeFile(passwordFile, `${PASSWORD}\n`);
      const settings = {
        KAFKA_BROKERS: `localhost:${saslPort}`,
        KAFKA_TLS: 'true',
        KAFKA_CA_FILE: caFile,
        KAFKA_SASL: 'scram-sha-512',
        KAFKA_USER: USER,
        KAFKA_PASSWORD_FILE: passwordFile,
        KAFKA_MUTUAL_TLS_BROKERS: `localhost:${mutualTlsPort}`,
        KAFKA_CERT_FILE: certFile,
        KAFKA_KEY_FILE: keyFile,
      };
      return { settings, stop: () => cluster.remove() };
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
      return { settings: { REDIS_URL: `rediss://${USER}:${PASSWORD}@localhost:${port}` }, stop: () => server.remove() };
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
      const url = `postgres://${USER}:${PASSWORD}@localhost:${port}${pathname}?sslmode=verify-full`;
      return { settings: { POSTGRES_URL: url }, stop: () => server.remove() };
    },
  },
];
