import { join } from 'node:path';

import { freePorts } from './free-ports.mjs';
import { Gateway } from './gateway.mjs';
import { ServiceProcess } from './service-process.mjs';

/** Two more replicas of some services with settings of their own, on the same engines and keys, behind a gateway of their own; all other services are the topology's. */
export class Fork {
  #replicas;
  #gateway;

  constructor(topology, { name, settings, services }) {
    this.topology = topology;
    this.name = name;
    this.settings = settings;
    this.services = services;
  }

  /** Its API. */
  get url() {
    return `http://localhost:${this.port}`;
  }

  async start() {
    const { topology, name, services } = this;
    const [api, login, phone, ...ports] = await freePorts(3 + 2 * services.length);
    this.port = api;
    this.#replicas = services.flatMap((service) =>
      [1, 2].map((number) => new ServiceProcess({ name: service, label: `${name}-${service}-${number}`, port: ports.shift(), directory: topology.directory, environment: {} })),
    );
    await this.restart();
    this.#gateway = new Gateway({
      directory: join(topology.directory, name),
      ports: { api, login, phone },
      upstreams: topology.upstreams((service) => (services.includes(service) ? this.#replicas.filter((replica) => replica.name === service) : topology.of(service))),
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
