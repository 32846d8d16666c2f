import { join } from 'node:path';

import { freePorts } from './free-ports.mjs';
import { Gateway } from './gateway.mjs';
import { ServiceProcess } from './service-process.mjs';

/** What clients, browsers and phones talk to. */
const FORKED = ['session-api', 'login-bff', 'device-api'];

/**
 * Two more replicas of what clients, browsers and phones talk to, with settings of their own: on the same engines, keys and
 * databases, beside the topology's, behind a gateway of their own. All other services are the topology's.
 */
export class Fork {
  #replicas;
  #gateway;

  constructor(topology, name, settings) {
    this.topology = topology;
    this.name = name;
    this.settings = settings;
  }

  /** Its API. */
  get url() {
    return `http://localhost:${this.port}`;
  }

  async start() {
    const { topology, name } = this;
    const [api, login, phone, ...ports] = await freePorts(3 + 2 * FORKED.length);
    this.port = api;
    this.#replicas = FORKED.flatMap((service) =>
      [1, 2].map((number) => new ServiceProcess({ name: service, label: `${name}-${service}-${number}`, port: ports.shift(), directory: topology.directory, environment: {} })),
    );
    await this.restart();
    this.#gateway = new Gateway({
      directory: join(topology.directory, name),
      ports: { api, login, phone },
      upstreams: topology.upstreams((service) => (FORKED.includes(service) ? this.#replicas.filter((replica) => replica.name === service) : topology.of(service))),
    });
    await this.#gateway.start();
  }

  /** Starts the replicas that do not run, perhaps with other settings. */
  async restart(settings = this.settings) {
    this.settings = settings;
    await Promise.all(
      this.#replicas.map((replica) => {
        replica.configure({ ...this.topology.settings, ...settings });
        return replica.start();
      }),
    );
  }

  /** SIGTERM to the replicas. */
  async stop() {
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
  }

  /** The replicas and the gateway. */
  async end() {
    await this.stop();
    await this.#gateway?.stop();
  }
}
