import { GUARDED, isGuarded } from './environment.js';
import { isLoopback } from './is-loopback.js';
import type { PlatformSettings } from './platform-settings.js';

/** The settings of a start as far as they could be read. */
export type ReadSettings = Partial<PlatformSettings>;

/** Why these settings may not be used in their environment. Each problem names the setting and the remedy, never its value. */
export const environmentProblems = (settings: ReadSettings): readonly string[] => {
  if (settings.environment === undefined) return [];
  return isGuarded(settings.environment) ? guardProblems(settings) : networkProblems(settings);
};

/** A relaxed environment accepts keys and credentials that are public or easily made, so it listens for this machine only. */
const networkProblems = ({ host, developmentNetwork }: ReadSettings): readonly string[] =>
  host === undefined || developmentNetwork || isLoopback(host)
    ? []
    : [
        'HOST must be a loopback address where ENVIRONMENT is development or test. Set HOST=127.0.0.1, or DEVELOPMENT_NETWORK=true on a network that you trust.',
      ];

const guardProblems = ({
  baseUrl,
  loginUrl,
  appUrl,
  sandbox,
  demo,
  esdbUrl,
  kafkaBrokers,
  redisUrl,
  postgresUrl,
}: ReadSettings): readonly string[] => [
  ...Object.entries({ BASE_URL: baseUrl, LOGIN_URL: loginUrl, APP_URL: appUrl })
    .filter(([, url]) => url !== undefined && !url.startsWith('https:'))
    .map(([name]) => `${name} must be an https address, ${GUARDED}. Set ${name} to the address of your proxy that ends TLS.`),
  ...(sandbox ? [`SANDBOX must be false, ${GUARDED}. Leave SANDBOX out.`] : []),
  ...(demo ? [`DEMO must be false, ${GUARDED}. Leave DEMO out.`] : []),
  ...(esdbUrl === undefined ? [] : eventStoreProblems(esdbUrl)),
  ...(kafkaBrokers === undefined
    ? []
    : [
        `KAFKA_BROKERS must be left out, ${GUARDED}: this version connects to Kafka without TLS and credentials only. Run everything in one process (npm start), which needs no Kafka.`,
      ]),
  ...(redisUrl === undefined ? [] : redisProblems(redisUrl)),
  ...(postgresUrl === undefined ? [] : postgresProblems(postgresUrl)),
];

const eventStoreProblems = (connectionString: string): readonly string[] => {
  const { username, password, parameters } = partsOf(connectionString);
  // EventStoreDB's client reads the names of the parameters in any case, and takes TLS for wanted where none is given.
  const tls = (parameters.get('tls') ?? 'true') === 'true' && (parameters.get('tlsverifycert') ?? 'true') === 'true';
  return [
    ...(tls
      ? []
      : [
          `ESDB_URL must use TLS and check the certificate, ${GUARDED}. Set tls=true (with tlsCAFile for a CA of your own), without tlsVerifyCert=false.`,
        ]),
    ...(username && password ? [] : [`ESDB_URL must hold a user and a password, ${GUARDED}, such as esdb://user:password@host:2113?tls=true.`]),
  ];
};

const redisProblems = (url: string): readonly string[] => {
  const { protocol, password } = new URL(url);
  return protocol === 'rediss:' && password !== ''
    ? []
    : [`REDIS_URL must use TLS and a password, ${GUARDED}, such as rediss://user:password@host:6379.`];
};

const postgresProblems = (url: string): readonly string[] => {
  const { searchParams, password } = new URL(url);
  return searchParams.get('sslmode') === 'verify-full' && password !== ''
    ? []
    : [
        `POSTGRES_URL must use TLS that checks the certificate, and a password, ${GUARDED}, such as postgres://user:password@host:5432/database?sslmode=verify-full.`,
      ];
};

/** A connection string may name several hosts, which no URL does. */
const partsOf = (connectionString: string) => {
  const [, credentials = '', query = ''] = /^[^:]+:\/\/(?:([^@/?]*)@)?[^?]*(?:\?(.*))?$/.exec(connectionString) ?? [];
  const [username = '', password = ''] = credentials.split(':');
  const parameters = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value.toLowerCase()]));
  return { username, password, parameters };
};
