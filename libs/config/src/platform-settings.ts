import { join } from 'node:path';

import { IsIn, Matches, Max, Min } from 'class-validator';

import { isGuarded } from './environment.js';
import { flag, httpUrl, integer, list, text } from './formats.js';
import { Absent, IsBrokers, IsHttpUrls, IsNetworks, IsPostgresUrl, IsRedisUrl } from './rules.js';
import { Setting } from './setting.decorator.js';

const unlessGuarded = ({ environment }: PlatformSettings): string => String(!isGuarded(environment));

/** The settings of every app. Times are in seconds. */
export class PlatformSettings {
  @Setting({
    env: 'ENVIRONMENT',
    as: text,
    fallback: 'development',
    meaning:
      'Separates subjectIds: the same person has another one in each environment. `development` and `test` listen on loopback. Every other name, such as `production`, is guarded: it refuses development keys, the sandbox, the demo, the development trust service, addresses without https, and engines without TLS and credentials.',
  })
  @Matches(/^[a-z][a-z0-9-]{0,31}$/, { message: '$property must be a letter of a-z, followed by at most 31 of a-z, 0-9 and -' })
  readonly environment!: string;

  @Setting({
    env: 'HOST',
    as: text,
    fallback: '127.0.0.1',
    meaning: 'The address to listen on. `0.0.0.0`: all of them. In `development` and `test` a loopback address, unless `DEVELOPMENT_NETWORK` is set.',
  })
  readonly host!: string;

  @Setting({
    env: 'DEVELOPMENT_NETWORK',
    as: flag,
    fallback: 'false',
    meaning: 'Lets `development` and `test` listen on other addresses than loopback. Everyone who reaches them can use their well-known credentials.',
  })
  readonly developmentNetwork!: boolean;

  @Setting({ env: 'PORT', as: integer, fallback: '3000', meaning: 'The port to listen on.' })
  @Min(1)
  @Max(65535)
  readonly port!: number;

  @Setting({ env: 'OPS_PORT', as: integer, meaning: 'When set, `/livez`, `/readyz` and `/metrics` answer there and no longer on `PORT`.' })
  @Absent()
  @Min(1)
  @Max(65535)
  readonly opsPort?: number;

  @Setting({ env: 'DATA_DIR', as: text, fallback: './data', meaning: 'The folder of the databases and, by default, the keys.' })
  readonly dataDirectory!: string;

  @Setting({
    env: 'BASE_URL',
    as: httpUrl,
    fallback: ({ port }: PlatformSettings) => `http://localhost:${port}`,
    fallbackText: '`http://localhost:$PORT`',
    meaning: '{base_url} of the specification: the address under which clients and browsers reach the service.',
  })
  readonly baseUrl!: string;

  @Setting({
    env: 'LOGIN_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: PlatformSettings) => `${baseUrl}/login`,
    fallbackText: '`$BASE_URL/login`',
    meaning: '{login_url} of the specification: the hosted login page. It must be same-site with `BASE_URL`, or browsers do not send its cookie.',
  })
  readonly loginUrl!: string;

  @Setting({
    env: 'APP_URL',
    as: httpUrl,
    fallback: ({ baseUrl }: PlatformSettings) => `${baseUrl}/phone`,
    fallbackText: '`$BASE_URL/phone`',
    meaning: 'The web phone. It keeps keys, so give it an origin of its own in production.',
  })
  readonly appUrl!: string;

  @Setting({
    env: 'APP_SCHEME',
    as: text,
    fallback: 'countersign',
    meaning: '{app_scheme} of the specification: the scheme of links that open the phone app.',
  })
  @Matches(/^[a-z][a-z0-9+.-]{0,63}$/, { message: '$property must be a URI scheme in lower case' })
  readonly appScheme!: string;

  @Setting({
    env: 'ADMIN_TOKEN',
    as: text,
    fallbackText: 'made on the first start, kept in `$DATA_DIR/admin-token`',
    meaning: 'Bearer token of `/admin/v1`.',
  })
  @Absent()
  @Matches(/^[\x21-\x7e]{16,}$/, { message: '$property must be at least 16 visible ASCII characters' })
  readonly adminToken?: string;

  @Setting({
    env: 'KEY_DIR',
    as: text,
    fallback: ({ dataDirectory }: PlatformSettings) => join(dataDirectory, 'keys'),
    fallbackText: '`$DATA_DIR/keys`',
    meaning: 'The key files `token.json`, `pin.json`, `data.json` and `subject.json`; made on the first start in `development` and `test`.',
  })
  readonly keyDirectory!: string;

  @Setting({ env: 'SESSION_TTL', as: integer, fallback: '120', meaning: 'How long a session may wait for its confirmation.' })
  @Min(1)
  readonly sessionTtl!: number;

  @Setting({ env: 'PUSH_SESSION_TTL', as: integer, fallback: '300', meaning: 'The same with `push`.' })
  @Min(1)
  readonly pushSessionTtl!: number;

  @Setting({ env: 'CODE_TTL', as: integer, fallback: '60', meaning: 'How long an authorization code is valid after the confirmation.' })
  @Min(1)
  readonly codeTtl!: number;

  @Setting({ env: 'HANDOFF_TTL', as: integer, fallback: '60', meaning: 'How long a handoff token is valid after the creation of its session.' })
  @Min(1)
  readonly handoffTtl!: number;

  @Setting({
    env: 'SIGNING_BUILD_TTL',
    as: integer,
    fallback: '60',
    meaning: 'How long building a container may take after the confirmation.',
  })
  @Min(1)
  readonly signingBuildTtl!: number;

  @Setting({ env: 'RESULT_RETENTION', as: integer, fallback: '1800', meaning: 'How long the result of a signature can be fetched.' })
  @Min(1)
  readonly resultRetention!: number;

  @Setting({
    env: 'LOGO_APPROVAL',
    as: flag,
    fallback: ({ environment }: PlatformSettings) => String(isGuarded(environment)),
    fallbackText: '`false` in `development` and `test`, else `true`',
    meaning: 'Whether staff approves the logo of a client before people see it.',
  })
  readonly logoApproval!: boolean;

  @Setting({
    env: 'SANDBOX',
    as: flag,
    fallback: unlessGuarded,
    fallbackText: '`true` in `development` and `test`, else `false`',
    meaning: 'Scripted phones, a movable clock and faults under `/sandbox/v1`.',
  })
  readonly sandbox!: boolean;

  @Setting({
    env: 'DEMO',
    as: flag,
    fallback: unlessGuarded,
    fallbackText: '`true` in `development` and `test`, else `false`',
    meaning: 'A demo relying party with a client of its own and test identities.',
  })
  readonly demo!: boolean;

  @Setting({
    env: 'DEMO_PORT',
    as: integer,
    fallback: ({ port }: PlatformSettings) => String(port < 65_535 ? port + 1 : port - 1),
    fallbackText: '`$PORT` + 1',
    meaning: 'Where the demo relying party listens.',
  })
  @Min(1)
  @Max(65535)
  readonly demoPort!: number;

  @Setting({ env: 'ESDB_URL', as: text, meaning: 'EventStoreDB. Unset: the SQLite store in `DATA_DIR`.' })
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

  @Setting({ env: 'REDIS_URL', as: text, meaning: 'Redis. Unset: the job queue in `DATA_DIR`.' })
  @Absent()
  @IsRedisUrl()
  readonly redisUrl?: string;

  @Setting({ env: 'POSTGRES_URL', as: text, meaning: 'PostgreSQL, for the read models. Unset: a SQLite file in `DATA_DIR`.' })
  @Absent()
  @IsPostgresUrl()
  readonly postgresUrl?: string;

  @Setting({
    env: 'TSA_URLS',
    as: list,
    meaning: 'Time-stamping authorities (RFC 3161 over HTTP), asked in this order. Unset: that of the development trust service.',
  })
  @Absent()
  @IsHttpUrls()
  readonly tsaUrls?: readonly string[];

  @Setting({
    env: 'TSA_ISSUERS',
    as: text,
    meaning: 'File of PEM certificates: the issuers of the time-stamping units, as most authorities send their own certificate only.',
  })
  readonly tsaIssuers?: string;

  @Setting({
    env: 'OCSP_URL',
    as: httpUrl,
    meaning: 'OCSP responder that replaces the one that a certificate names. Unset: that of the development trust service.',
  })
  readonly ocspUrl?: string;

  @Setting({
    env: 'TRUST_ANCHORS',
    as: text,
    meaning: 'File of PEM certificates: trusted roots of signatures and time-stamps; in `development` and `test` besides the development root.',
  })
  readonly trustAnchors?: string;

  @Setting({
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    as: list,
    fallback: ({ environment }: PlatformSettings) => (environment === 'development' ? '127.0.0.0/8,::1/128' : ','),
    fallbackText: 'loopback in `development`, else none',
    meaning: 'Networks that webhooks may reach besides public addresses.',
  })
  @IsNetworks()
  readonly webhookAllowedNetworks!: readonly string[];

  @Setting({
    env: 'TRUSTED_PROXIES',
    as: list,
    fallback: ',',
    fallbackText: 'none',
    meaning: 'Addresses and networks whose `X-Forwarded-For` counts.',
  })
  @IsNetworks()
  readonly trustedProxies!: readonly string[];

  @Setting({
    env: 'IDLE_GRACE',
    as: integer,
    fallback: '0',
    meaning:
      'How long idle connections are still answered after SIGTERM, at most 8. Behind a gateway it must be longer than the gateway keeps an idle connection, so that no request meets one that is being closed.',
  })
  @Min(0)
  @Max(8)
  readonly idleGrace!: number;

  @Setting({
    env: 'AUTHENTICATION_FAILURE_LIMIT',
    as: integer,
    fallback: '300',
    meaning: 'Failed authentications from one address in a minute; further ones are answered 429. Right credentials are never counted.',
  })
  @Min(1)
  readonly authenticationFailureLimit!: number;

  @Setting({ env: 'PUSH_LIMIT', as: integer, fallback: '5', meaning: 'Push sessions for one client and subject in `PUSH_LIMIT_WINDOW`.' })
  @Min(1)
  readonly pushLimit!: number;

  @Setting({ env: 'PUSH_LIMIT_WINDOW', as: integer, fallback: '600', meaning: 'The window of `PUSH_LIMIT`.' })
  @Min(1)
  readonly pushLimitWindow!: number;

  @Setting({
    env: 'LEGACY_SIGNING',
    as: flag,
    fallback: 'true',
    meaning: 'Whether `POST /relying-party/v1/create-signing-request` still works. If not, it answers 410.',
  })
  readonly legacySigning!: boolean;

  @Setting({ env: 'LOG_LEVEL', as: text, fallback: 'info', meaning: '`debug`, `info`, `warn`, `error` or `silent`. `debug` logs every poll.' })
  @IsIn(['debug', 'info', 'warn', 'error', 'silent'], { message: '$property must be debug, info, warn, error or silent' })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
