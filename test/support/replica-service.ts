import type { ExtraReplicas } from '../../testkit/topologies/extra-replicas.ts';
import type { Topology } from '../../testkit/topologies/topology.ts';
import { Service } from './service.js';

/** Replicas with settings of their own, beside those of the run's topology and on its engines. */
export class ReplicaService extends Service {
  private constructor(
    private readonly replicas: ExtraReplicas,
    loginUrl: string,
    adminToken: string,
    staleness: number,
  ) {
    super([replicas.url], loginUrl, adminToken, staleness);
  }

  static async start(topology: Topology, options: Parameters<Topology['addReplicas']>[0], staleness: number): Promise<ReplicaService> {
    const { LOGIN_URL, ADMIN_TOKEN } = topology.settings;
    return new ReplicaService(await topology.addReplicas(options), LOGIN_URL!, ADMIN_TOKEN!, staleness);
  }

  /** Starts the replicas again, perhaps with other settings, and waits until they are ready. */
  restart(settings?: Readonly<Record<string, string>>): Promise<void> {
    return this.replicas.restart(settings);
  }

  /** SIGTERM to all of them; the gateway stays. */
  stop(): Promise<void> {
    return this.replicas.stop();
  }
}
