import { InvalidSettings, type PlatformSettings, redisAddresses } from '#service/config';
import { MountedFile, type RedisAccess, UnreadableFile } from '#engines/access';
import type { EventStoreDbAccess } from '#engines/event-store';
import type { KafkaAccess } from '#engines/message-bus';
import type { Clock } from '#kernel';
import type { PostgresqlAccess } from '#engines/read-model';
import { EngineCalls, type Metrics } from '#telemetry';

/** When this is given, the calls of the engine are measured. */
export interface Measurement {
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Of the Redis in `REDIS_URL`; undefined without one. */
export const redisAccess = (
  { redisUrl, redisCluster, redisPasswordFile: passwordFile, redisCaFile: caFile }: PlatformSettings,
  measurement?: Measurement,
): RedisAccess | undefined => {
  const nodes = redisUrl === undefined ? [] : redisAddresses(redisUrl);
  const [url] = nodes;
  const calls = measurement && new EngineCalls('redis', measurement);
  return url === undefined ? undefined : { url, nodes: redisCluster ? nodes : undefined, passwordFile, caFile, calls };
};

/** Of the PostgreSQL in `POSTGRES_URL`; undefined without one. */
export const postgresqlAccess = ({ postgresUrl: url, postgresPasswordFile, postgresCaFile }: PlatformSettings): PostgresqlAccess | undefined =>
  url === undefined ? undefined : { url, passwordFile: postgresPasswordFile, caFile: postgresCaFile };

/** Of the brokers in `KAFKA_BROKERS`. */
export const kafkaAccess = (settings: PlatformSettings): KafkaAccess => {
  const {
    kafkaTls: tls,
    kafkaCaFile,
    kafkaCertFile,
    kafkaKeyFile,
    kafkaSasl: mechanism,
    kafkaUser: user,
    kafkaPasswordFile: passwordFile,
  } = settings;
  const login = mechanism && user && passwordFile ? { mechanism, user, passwordFile } : undefined;
  return { tls, caFile: kafkaCaFile, certFile: kafkaCertFile, keyFile: kafkaKeyFile, login };
};

/** Of the EventStoreDB in `ESDB_URL`. */
export const eventStoreAccess = ({ esdbPasswordFile, esdbCaFile, esdbCertFile, esdbKeyFile }: PlatformSettings): EventStoreDbAccess => ({
  passwordFile: esdbPasswordFile,
  caFile: esdbCaFile,
  certFile: esdbCertFile,
  keyFile: esdbKeyFile,
});

/** Throws {@link InvalidSettings} that names each file of an engine, or of the server of checkpoints, that cannot be read now. Later, each new connection reads the files again. */
export const assertEngineFiles = (settings: PlatformSettings): void => {
  const problems = Object.entries(filesOf(settings)).flatMap(([setting, path]) => (path === undefined ? [] : unreadable(setting, path)));
  if (problems.length > 0) throw new InvalidSettings(problems);
};

const filesOf = (settings: PlatformSettings): Readonly<Record<string, string | undefined>> => ({
  ESDB_PASSWORD_FILE: settings.esdbPasswordFile,
  ESDB_CA_FILE: settings.esdbCaFile,
  ESDB_CERT_FILE: settings.esdbCertFile,
  ESDB_KEY_FILE: settings.esdbKeyFile,
  KAFKA_CA_FILE: settings.kafkaCaFile,
  KAFKA_CERT_FILE: settings.kafkaCertFile,
  KAFKA_KEY_FILE: settings.kafkaKeyFile,
  KAFKA_PASSWORD_FILE: settings.kafkaPasswordFile,
  REDIS_PASSWORD_FILE: settings.redisPasswordFile,
  REDIS_CA_FILE: settings.redisCaFile,
  POSTGRES_PASSWORD_FILE: settings.postgresPasswordFile,
  POSTGRES_CA_FILE: settings.postgresCaFile,
  ANCHOR_TOKEN_FILE: settings.anchorTokenFile,
  ANCHOR_CA_FILE: settings.anchorCaFile,
});

const unreadable = (setting: string, path: string): readonly string[] => {
  try {
    new MountedFile(setting, path).read();
    return [];
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return [`${error.message}.`];
  }
};
