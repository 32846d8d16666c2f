import { Matches, Max, Min } from 'class-validator';

import { addressOrFile, flag, integer, list } from './formats.js';
import { Absent, IsBrokers, IsPostgresUrl, IsRedisUrl } from './rules.js';
import { SessionSettings } from './session-settings.js';
import { Setting } from './setting.decorator.js';

/** The engines behind the ports, and how they are used. */
export class EngineSettings extends SessionSettings {
  @Setting({ env: 'ESDB_URL', as: addressOrFile('ESDB_PASSWORD_FILE'), meaning: 'EventStoreDB. Unset: the SQLite store in `DATA_DIR`.' })
  @Absent()
  @Matches(/^esdb(\+discover)?:\/\/\S+$/, { message: '$property must be a connection string such as esdb://host:2113?tls=false' })
  readonly esdbUrl?: string;

  @Setting({ env: 'KAFKA_BROKERS', as: list, meaning: 'Kafka. Unset: the bus inside the process.' })
  @Absent()
  @IsBrokers()
  readonly kafkaBrokers?: readonly string[];

  @Setting({
    env: 'KAFKA_PARTITIONS',
    as: integer,
    fallback: '6',
    meaning:
      'Partitions of the topic of session events: as many consumers of a group can share the work. A topic that exists with more of them is refused, one with fewer is used as it is.',
  })
  @Min(1)
  @Max(10_000)
  readonly kafkaPartitions!: number;

  @Setting({
    env: 'KAFKA_REPLICATION',
    as: integer,
    fallbackText: 'the number of brokers, 3 at most',
    meaning: 'Copies of each topic, when it is made. A message counts when a majority of them holds it.',
  })
  @Absent()
  @Min(1)
  @Max(100)
  readonly kafkaReplication?: number;

  @Setting({
    env: 'KAFKA_RETENTION_HOURS',
    as: integer,
    fallback: '168',
    meaning: 'How many hours the topic keeps session events: longer than any consumer may be down.',
  })
  @Min(1)
  @Max(87_600)
  readonly kafkaRetentionHours!: number;

  @Setting({
    env: 'CONSUMER_CONCURRENCY',
    as: integer,
    fallback: '64',
    meaning: 'Messages of one Kafka partition that a consumer works on at once. Those of one session wait for each other.',
  })
  @Min(1)
  @Max(10_000)
  readonly consumerConcurrency!: number;

  @Setting({
    env: 'RELAY_LEASE',
    as: integer,
    fallback: '15',
    meaning: 'How long the standby waits before it takes over from an event relay that died.',
  })
  @Min(1)
  readonly relayLease!: number;

  @Setting({
    env: 'RELAY_REFILL_HORIZON',
    as: integer,
    fallbackText: '`KAFKA_RETENTION_HOURS`, in seconds: as far back as a topic reaches that was never lost',
    meaning: 'How far back the event relay fills a topic again that was lost. A consumer that was down for longer misses events.',
  })
  @Absent()
  @Min(1)
  readonly relayRefillHorizon?: number;

  @Setting({
    env: 'REDIS_URL',
    as: addressOrFile('REDIS_PASSWORD_FILE'),
    meaning: 'Redis. Unset: the job queue in `DATA_DIR`. With `REDIS_CLUSTER` one node of the cluster or several: `redis://user@a:6379,b:6379`.',
  })
  @Absent()
  @IsRedisUrl()
  readonly redisUrl?: string;

  @Setting({
    env: 'REDIS_CLUSTER',
    as: flag,
    fallback: 'false',
    meaning: 'Whether `REDIS_URL` leads to a Redis Cluster. Its other nodes are found through those that are named.',
  })
  readonly redisCluster!: boolean;

  @Setting({
    env: 'POSTGRES_URL',
    as: addressOrFile('POSTGRES_PASSWORD_FILE'),
    meaning: 'PostgreSQL, for the read models. Unset: a SQLite file in `DATA_DIR`.',
  })
  @Absent()
  @IsPostgresUrl()
  readonly postgresUrl?: string;
}
