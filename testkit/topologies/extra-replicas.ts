import { join } from 'node:path';

import { reservePorts } from '../processes/reserve-port.ts';
import { ServiceProcess } from '../processes/service-process.ts';
import { Gateway } from './gateway.ts';
import type { ServiceName } from './services.ts';

export interface ExtraReplicasOptions {
  readonly name: string;
  /** Set over those of the topology. */
  readonly settings: Readonly<Record<string, string>>;
  /** The services that get two more replicas. */
  readonly services: readonly string[];
}

/** The part of a topology that the extra replicas need. */
interface TopologyPart {
  readonly directory: string;
  settingsOf(name: ServiceName): Readonly<Record<string, string>>;
  of(name: string): readonly ServiceProcess[];
  upstreams(replicasOf: (name: string) => readonly ServiceProcess[]): Record<string, string>;
}

/** Two more replicas of some services with settings of their own, on the engines and keys of a topology, behind a gateway of their own that leads to the topology's replicas for all other services. */
export class ExtraReplicas {
  readonly #topology: TopologyPart;
  readonly #name: string;
  readonly #services: readonly string[];
  #settings: Readonly<Record<string, string>>;
  #replicas: readonly ServiceProcess[] = [];
  #gateway: Gateway | undefined;
  #port = 0;

  constructor(topology: TopologyPart, { name, settings, services }: ExtraReplicasOptions) {
    this.#topology = topology;
    this.#name = name;
    this.#settings = settings;
    this.#services = services;
  }

  /** The API behind the gateway. */
  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  async start(): Promise<void> {
    const { directory } = this.#topology;
    const [api = 0, login = 0, phone = 0, portal = 0, ...ports] = await reservePorts(4 + 2 * this.#services.length);
    this.#port = api;
    this.#replicas = this.#services.flatMap((name) =>
      [1, 2].map(
        (number) => new ServiceProcess({ name, label: `${this.#name}-${name}-${number}`, port: ports.shift() ?? 0, directory, environment: {} }),
      ),
    );
    await this.restart();
    this.#gateway = new Gateway({
      directory: join(directory, this.#name),
      ports: { api, login, phone, portal },
      upstreams: this.#topology.upstreams((service) =>
        this.#services.includes(service) ? this.#replicas.filter(({ name }) => name === service) : this.#topology.of(service),
      ),
    });
    await this.#gateway.start();
  }

  /** Starts the replicas that do not run, perhaps with other settings. */
  async restart(settings = this.#settings): Promise<void> {
    this.#settings = settings;
    await Promise.all(
      this.#replicas.map((replica) => {
        replica.environment = { ...this.#topology.settingsOf(replica.name as ServiceName), ...settings };
        return replica.start();
      }),
    );
  }

  /** SIGTERM to the replicas; the gateway stays. */
  async stop(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.stop()));
  }

  /** Ends the replicas and the gateway. */
  async end(): Promise<void> {
    await this.stop();
    await this.#gateway?.stop();
  }
}
