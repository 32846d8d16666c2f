import { GUARDED } from './environment.js';
import type { ReadSettings } from './read-settings.js';
import { redisAddresses } from './redis-addresses.js';

/** Settings of the engines that do not go together, in every environment. */
export const engineAccessProblems = (settings: ReadSettings): readonly string[] => [
  ...pairProblem('ESDB_CERT_FILE', settings.esdbCertFile, 'ESDB_KEY_FILE', settings.esdbKeyFile),
  ...pairProblem('KAFKA_CERT_FILE', settings.kafkaCertFile, 'KAFKA_KEY_FILE', settings.kafkaKeyFile),
  ...(settings.kafkaSasl !== undefined && !(settings.kafkaUser && settings.kafkaPasswordFile)
    ? ['KAFKA_SASL needs KAFKA_USER and KAFKA_PASSWORD_FILE.']
    : []),
  ...(settings.kafkaSasl === undefined && (settings.kafkaUser ?? settings.kafkaPasswordFile) !== undefined
    ? ['KAFKA_USER and KAFKA_PASSWORD_FILE need KAFKA_SASL, plain or scram-sha-512.']
    : []),
  ...(settings.kafkaTls === false && (settings.kafkaCaFile ?? settings.kafkaCertFile) !== undefined
    ? ['KAFKA_CA_FILE and KAFKA_CERT_FILE need KAFKA_TLS=true.']
    : []),
  ...(settings.redisCluster === true && settings.redisUrl === undefined ? ['REDIS_CLUSTER needs REDIS_URL.'] : []),
  ...(settings.redisCluster === false && redisAddresses(settings.redisUrl ?? '').length > 1
    ? ['REDIS_URL names several hosts: set REDIS_CLUSTER=true.']
    : []),
  ...(settings.redisCaFile !== undefined && !settings.redisUrl?.startsWith('rediss:')
    ? ['REDIS_CA_FILE needs a REDIS_URL that begins with rediss://.']
    : []),
  ...(settings.postgresCaFile !== undefined && sslModeOf(settings.postgresUrl) !== 'verify-full'
    ? ['POSTGRES_CA_FILE needs a POSTGRES_URL with sslmode=verify-full.']
    : []),
];

const pairProblem = (certificate: string, certificateFile: string | undefined, key: string, keyFile: string | undefined): readonly string[] =>
  (certificateFile === undefined) === (keyFile === undefined) ? [] : [`${certificate} and ${key} belong together: set both or none.`];

/** Engines without TLS and credentials, in a guarded environment. */
export const guardedEngineProblems = (settings: ReadSettings): readonly string[] => [
  ...(settings.esdbUrl === undefined ? [] : eventStoreProblems(settings.esdbUrl, settings)),
  ...(settings.kafkaBrokers === undefined ? [] : kafkaProblems(settings)),
  ...(settings.redisUrl === undefined ? [] : redisProblems(settings.redisUrl, settings)),
  ...(settings.postgresUrl === undefined ? [] : postgresProblems(settings.postgresUrl, settings)),
];

const eventStoreProblems = (connectionString: string, { esdbPasswordFile, esdbCertFile }: ReadSettings): readonly string[] => {
  const { username, password, parameters } = partsOf(connectionString);
  // EventStoreDB's client reads the names of the parameters in any case, and takes TLS for wanted where none is given.
  const tls = (parameters.get('tls') ?? 'true') === 'true' && (parameters.get('tlsverifycert') ?? 'true') === 'true';
  const certificate = esdbCertFile !== undefined || parameters.has('usercertfile');
  return [
    ...(tls
      ? []
      : [
          `ESDB_URL must use TLS and check the certificate, ${GUARDED}. Set tls=true (with ESDB_CA_FILE for a CA of your own), without tlsVerifyCert=false.`,
        ]),
    ...((username && (password || esdbPasswordFile)) || certificate
      ? []
      : [
          `ESDB_URL must hold a user and a password, ${GUARDED}, such as esdb://user@host:2113?tls=true with ESDB_PASSWORD_FILE; or set ESDB_CERT_FILE and ESDB_KEY_FILE.`,
        ]),
  ];
};

const kafkaProblems = ({ kafkaTls, kafkaSasl, kafkaCertFile }: ReadSettings): readonly string[] => [
  ...(kafkaTls === false ? [`KAFKA_TLS must be true, ${GUARDED}. Set KAFKA_TLS=true (with KAFKA_CA_FILE for a CA of your own).`] : []),
  ...(kafkaSasl === undefined && kafkaCertFile === undefined
    ? [`KAFKA_SASL must name a way to log in, ${GUARDED}. Set KAFKA_SASL, KAFKA_USER and KAFKA_PASSWORD_FILE, or KAFKA_CERT_FILE and KAFKA_KEY_FILE.`]
    : []),
];

const redisProblems = (url: string, { redisPasswordFile }: ReadSettings): readonly string[] => {
  const { protocol, password } = new URL(redisAddresses(url)[0]!);
  return protocol === 'rediss:' && (password !== '' || redisPasswordFile !== undefined)
    ? []
    : [`REDIS_URL must use TLS and a password, ${GUARDED}, such as rediss://user@host:6379 with REDIS_PASSWORD_FILE.`];
};

const postgresProblems = (url: string, { postgresPasswordFile }: ReadSettings): readonly string[] =>
  sslModeOf(url) === 'verify-full' && (new URL(url).password !== '' || postgresPasswordFile !== undefined)
    ? []
    : [
        `POSTGRES_URL must use TLS that checks the certificate, and a password, ${GUARDED}, such as postgres://user@host:5432/database?sslmode=verify-full with POSTGRES_PASSWORD_FILE.`,
      ];

const sslModeOf = (url: string | undefined): string | null | undefined => url && new URL(url).searchParams.get('sslmode');

/** A connection string may name several hosts, which no URL does. */
const partsOf = (connectionString: string) => {
  const [, credentials = '', query = ''] = /^[^:]+:\/\/(?:([^@/?]*)@)?[^?]*(?:\?(.*))?$/.exec(connectionString) ?? [];
  const [username = '', password = ''] = credentials.split(':');
  const parameters = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value.toLowerCase()]));
  return { username, password, parameters };
};
