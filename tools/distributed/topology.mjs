import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';

import { KafkaCluster } from '../kafka/cluster.mjs';
import { RedisServer } from '../redis/redis-server.mjs';
import { ForeignEventStore, GrpcTestServer } from './event-store-server.mjs';
import { Fork } from './fork.mjs';
import { freePorts } from './free-ports.mjs';
import { Gateway } from './gateway.mjs';
import { ServiceProcess } from './service-process.mjs';
import { services } from './services.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

/** The distributed profile on this machine: engines, services, gateway. Engines that the environment names are used, the others started. */
export class Topology {
  #stops = [];

  /**
   * `directory`: where everything is kept. `ports`: of the gateway, `{ api, login, phone }`; free ones when left out.
   * `settings`: for all services, over those of deploy/settings. `brokers`: of the Kafka cluster.
   */
  constructor({ directory, environment = process.env, settings = {}, ports, brokers = 1 }) {
    this.directory = directory;
    this.environment = environment;
    this.given = settings;
    this.ports = ports;
    this.brokers = brokers;
    this.replicas = [];
  }

  async start() {
    await mkdir(this.directory, { recursive: true });
    this.ports ??= await threePorts();
    this.settings = { ...parseEnv(await readFile(join(ROOT, 'deploy/settings/services.env'), 'utf8')), ...this.#addresses(), ...(await this.#engines()), ...this.given };
    const ports = await freePorts(services.reduce((sum, { replicas }) => sum + replicas, 0));
    for (const { name, replicas } of services) {
      for (let number = 1; number <= replicas; number++) {
        this.replicas.push(new ServiceProcess({ name, label: `${name}-${number}`, port: ports.shift(), directory: this.directory, environment: this.settings }));
      }
    }
    this.#stops.push(() => Promise.all(this.replicas.map((replica) => replica.stop())));
    // The first one makes the keys; afterwards all at once.
    const [first, ...others] = this.replicas;
    await first.start();
    await Promise.all(others.map((replica) => replica.start()));
    const gateway = new Gateway({ directory: this.directory, ports: this.ports, upstreams: this.upstreams((name) => this.of(name)) });
    await gateway.start();
    this.#stops.push(() => gateway.stop());
  }

  async stop() {
    for (const stop of this.#stops.splice(0).toReversed()) await stop();
  }

  /** The replicas of a service, those that do not run included. */
  of(name) {
    return this.replicas.filter((replica) => replica.name === name);
  }

  /** Two more replicas of these services with settings of their own; see {@link Fork}. */
  async fork(options) {
    const fork = new Fork(this, options);
    this.#stops.push(() => fork.end());
    await fork.start();
    return fork;
  }

  /** What the gateway's template wants to know: the addresses of each service's replicas. */
  upstreams(replicasOf) {
    const servers = (name) => replicasOf(name).map(({ port }) => `server 127.0.0.1:${port} max_fails=0`);
    return Object.fromEntries(services.filter(({ upstream }) => upstream).map(({ name, upstream }) => [upstream, servers(name).join('; ')]));
  }

  #addresses() {
    const { api, login, phone } = this.ports;
    return {
      BASE_URL: `http://localhost:${api}`,
      LOGIN_URL: `http://localhost:${login}`,
      APP_URL: `http://localhost:${phone}`,
      KEY_DIR: join(this.directory, 'keys'),
      TRUSTED_PROXIES: '127.0.0.1/32',
    };
  }

  /** Answers the settings by which the services find them. */
  async #engines() {
    const { ESDB_URL, KAFKA_BROKERS, REDIS_URL } = this.environment;
    this.store = ESDB_URL ? new ForeignEventStore(this.environment) : new GrpcTestServer(this.directory);
    await this.store.start();
    this.#stops.push(() => this.store.stop());
    if (!KAFKA_BROKERS) {
      this.kafka = await KafkaCluster.open({ directory: join(this.directory, 'kafka'), brokers: this.brokers });
      await this.kafka.start();
      this.#stops.push(() => this.kafka.kill());
    }
    if (!REDIS_URL) {
      this.redis = await RedisServer.open({ directory: join(this.directory, 'redis') });
      await this.redis.start();
      this.#stops.push(() => this.redis.kill());
    }
    return { ESDB_URL: this.store.url, KAFKA_BROKERS: KAFKA_BROKERS || this.kafka.brokers.join(','), REDIS_URL: REDIS_URL || this.redis.url };
  }
}

const threePorts = async () => {
  const [api, login, phone] = await freePorts(3);
  return { api, login, phone };
};
