import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { KafkaCluster } from '../programs/kafka/cluster.ts';
import { reservePorts } from '../processes/reserve-port.ts';
import { ServiceProcess } from '../processes/service-process.ts';
import { PostgresqlServer } from '../programs/postgresql/postgresql-server.ts';
import { RedisServer } from '../programs/redis/redis-server.ts';
import { type EventStoreServer, GivenEventStore, GrpcTestServer } from './event-store-server.ts';
import { EngineAccounts } from './engine-accounts.ts';
import { ExtraReplicas, type ExtraReplicasOptions } from './extra-replicas.ts';
import { Gateway, type GatewayPorts } from './gateway.ts';
import { type ServiceName, services } from './services.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The address for a service that does not run: nginx needs at least one server, and answers 502 without a connection. */
const NO_REPLICA = 'server 127.0.0.1:9 down';

export interface TopologyOptions {
  /** The folder of all data. */
  readonly directory: string;
  /** Names the engines that run already: ESDB_URL (with ESDB_STOP and ESDB_START), KAFKA_BROKERS, REDIS_URL, POSTGRES_URL. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** For all services, over those of deploy/settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Of the gateway. Default: reserved ones. */
  readonly ports?: GatewayPorts;
  /** Of the gRPC test server that stands in for EventStoreDB: the server that it speaks like. Default: 23.10. */
  readonly dialect?: string | undefined;
  /** Of the Kafka cluster. Default: 1. */
  readonly brokers?: number;
  /** The services that run in several replicas; of each other one a single process runs. Default: all. */
  readonly replicated?: readonly ServiceName[] | undefined;
  /** Whether the portal runs too. Default: false. */
  readonly portal?: boolean;
  /** Whether the provider of OpenID Connect runs too. Default: false. */
  readonly openid?: boolean;
  /** Whether the engines that it starts take each service by TLS and its own account, with its least rights. One broker. Default: false, as in development. */
  readonly accounts?: boolean;
  /** Whether PostgreSQL's data outlives the topology, for another start in the same directory. Default: false. */
  readonly keepsData?: boolean;
}

/** The distributed profile on this machine: engines, services, gateway. Engines that the environment names are used, the others started. */
export class Topology {
  readonly directory: string;
  readonly replicas: ServiceProcess[] = [];
  readonly store: EventStoreServer;
  /** Undefined if the environment names another. */
  kafka: KafkaCluster | undefined;
  /** Undefined if the environment names another. */
  redis: RedisServer | undefined;
  /** Undefined if the environment names another. */
  postgresql: PostgresqlServer | undefined;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #given: Readonly<Record<string, string>>;
  readonly #brokers: number;
  readonly #replicated: readonly ServiceName[];
  readonly #portal: boolean;
  readonly #openid: boolean;
  readonly #keepsData: boolean;
  readonly #hasAccounts: boolean;
  #accounts: EngineAccounts | undefined;
  #ports: GatewayPorts | undefined;
  #settings: Readonly<Record<string, string>> = {};
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(options: TopologyOptions) {
    const {
      directory,
      environment = process.env,
      settings = {},
      ports,
      dialect,
      brokers = 1,
      replicated,
      portal = false,
      openid = false,
      accounts = false,
      keepsData = false,
    } = options;
    this.directory = directory;
    this.#environment = environment;
    this.#given = settings;
    this.#ports = ports;
    this.#brokers = brokers;
    this.#replicated = replicated ?? services.map(({ name }) => name);
    this.#portal = portal;
    this.#openid = openid;
    this.#keepsData = keepsData;
    this.#hasAccounts = accounts;
    this.store = environment['ESDB_URL'] ? new GivenEventStore(environment) : new GrpcTestServer(directory, dialect);
  }

  /** The settings of all services, with addresses of the engines that allow everything; empty before {@link start}. */
  get settings(): Readonly<Record<string, string>> {
    return this.#settings;
  }

  /** The settings of one service. With `accounts`, those of its own account take precedence. */
  settingsOf(name: ServiceName): Readonly<Record<string, string>> {
    return { ...this.#settings, ...this.#accounts?.settingsOf(name) };
  }

  async start(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    if (this.#hasAccounts) this.#accounts = await EngineAccounts.make(join(this.directory, 'accounts'));
    this.#ports ??= await gatewayPorts();
    this.#settings = {
      ...(parseEnv(await readFile(join(ROOT, 'deploy/settings/services.env'), 'utf8')) as Record<string, string>),
      ...this.#addresses(this.#ports),
      ...(await this.#engines()),
      ...this.#given,
    };
    await this.#startServices();
    const gateway = new Gateway({ directory: this.directory, ports: this.#ports, upstreams: this.upstreams((name) => this.of(name)) });
    this.#stops.push(() => gateway.stop());
    await gateway.start();
  }

  /**
   * As {@link stop}, but ends the services by SIGKILL, for a caller who needs nothing of them any more: members that leave their consumer
   * groups one by one take many seconds. On a Kafka that others use they leave, so that the next members need not wait for a timeout.
   */
  async kill(): Promise<void> {
    if (this.kafka) await Promise.all(this.replicas.map((replica) => replica.kill()));
    await this.stop();
  }

  /** Stops the processes that it started, the last first. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).toReversed()) await stop();
  }

  /** The replicas of a service, those that do not run included. */
  of(name: string): readonly ServiceProcess[] {
    return this.replicas.filter((replica) => replica.name === name);
  }

  /** Starts two more replicas of some services with settings of their own. */
  async addReplicas(options: ExtraReplicasOptions): Promise<ExtraReplicas> {
    const extra = new ExtraReplicas(this, options);
    this.#stops.push(() => extra.end());
    await extra.start();
    return extra;
  }

  /** The variables of the gateway's template: the addresses of each service's replicas. */
  upstreams(replicasOf: (name: string) => readonly ServiceProcess[]): Record<string, string> {
    const servers = (name: string): string =>
      replicasOf(name)
        .map(({ port }) => `server 127.0.0.1:${port} max_fails=0`)
        .join('; ') || NO_REPLICA;
    return Object.fromEntries(services.flatMap(({ name, upstream }) => (upstream ? [[upstream, servers(name)]] : [])));
  }

  async #startServices(): Promise<void> {
    for (const { name, replicas, ofPortal, ofOpenId } of services) {
      if ((ofPortal && !this.#portal) || (ofOpenId && !this.#openid)) continue;
      const ports = await reservePorts(this.#replicated.includes(name) ? replicas : 1);
      ports.forEach((port, at) => {
        const label = `${name}-${at + 1}`;
        this.replicas.push(new ServiceProcess({ name, label, port, directory: this.directory, environment: this.settingsOf(name) }));
      });
    }
    this.#stops.push(() => Promise.all(this.replicas.map((replica) => replica.stop())));
    // The first one makes the keys; afterwards all at once.
    const [first, ...others] = this.replicas;
    await first?.start();
    await Promise.all(others.map((replica) => replica.start()));
  }

  #addresses({ api, login, phone, portal }: GatewayPorts): Record<string, string> {
    return {
      BASE_URL: `http://localhost:${api}`,
      LOGIN_URL: `http://localhost:${login}`,
      APP_URL: `http://localhost:${phone}`,
      PORTAL_URL: `http://localhost:${portal}/portal`,
      KEY_DIR: join(this.directory, 'keys'),
      TRUSTED_PROXIES: '127.0.0.1/32',
    };
  }

  /** Returns the settings by which the services find the engines. */
  async #engines(): Promise<Record<string, string>> {
    const { KAFKA_BROKERS, REDIS_URL, POSTGRES_URL } = this.#environment;
    this.#stops.push(() => this.store.stop());
    const [store, kafka, redis, postgresql] = await allStarted([
      this.#startStore(),
      KAFKA_BROKERS || this.#startKafka(),
      REDIS_URL || this.#startRedis(),
      POSTGRES_URL || this.#startPostgresql(),
    ]);
    return { ESDB_URL: store, KAFKA_BROKERS: kafka, REDIS_URL: redis, POSTGRES_URL: postgresql };
  }

  async #startStore(): Promise<string> {
    const { store } = this;
    if (!this.#accounts || !(store instanceof GrpcTestServer)) {
      await store.start();
      return store.url;
    }
    store.options = await this.#accounts.storeOptions();
    await store.start();
    return this.#accounts.grantInEventStore(new URL(store.url).port);
  }

  async #startKafka(): Promise<string> {
    const kafka = await KafkaCluster.open({
      directory: join(this.directory, 'kafka'),
      brokers: this.#brokers,
      ...(this.#accounts && { secure: this.#accounts.kafka }),
    });
    this.kafka = kafka;
    this.#stops.push(() => kafka.kill());
    await kafka.start();
    await this.#accounts?.grantInKafka(kafka.brokers);
    return kafka.brokers.join(',');
  }

  async #startRedis(): Promise<string> {
    const redis = await RedisServer.open({ directory: join(this.directory, 'redis'), options: this.#accounts?.redisOptions ?? [] });
    this.redis = redis;
    this.#stops.push(() => redis.kill());
    await redis.start();
    await this.#accounts?.grantInRedis(redis.url);
    return redis.url;
  }

  async #startPostgresql(): Promise<string> {
    const postgresql = await PostgresqlServer.open({ directory: join(this.directory, 'postgresql') });
    this.postgresql = postgresql;
    this.#stops.push(() => (this.#keepsData ? postgresql.stop() : postgresql.remove()));
    if (this.#accounts) await postgresql.secure(this.#accounts.certificate.certFile, this.#accounts.certificate.keyFile);
    await postgresql.start();
    await this.#accounts?.grantInPostgresql(postgresql.url);
    return postgresql.url;
  }
}

/** Waits for all of them: when one has failed, {@link Topology.stop} knows the others that have started. */
const allStarted = async <T extends readonly unknown[]>(starting: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> => {
  await Promise.allSettled(starting);
  return Promise.all(starting);
};

const gatewayPorts = async (): Promise<GatewayPorts> => {
  const [api = 0, login = 0, phone = 0, portal = 0] = await reservePorts(4);
  return { api, login, phone, portal };
};
