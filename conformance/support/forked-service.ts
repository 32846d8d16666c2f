import type { Fork, Topology } from '../../tools/distributed/topology.mjs';
import { Service } from './service.js';

/** Replicas with settings of their own beside those of the topology of the run, and on its engines. */
export class ForkedService extends Service {
  private constructor(
    private readonly fork: Fork,
    loginUrl: string,
    adminToken: string,
    staleness: number,
  ) {
    super([fork.url], loginUrl, adminToken, staleness);
  }

  static async start(topology: Topology, options: Parameters<Topology['fork']>[0], staleness: number): Promise<ForkedService> {
    const { LOGIN_URL, ADMIN_TOKEN } = topology.settings;
    return new ForkedService(await topology.fork(options), LOGIN_URL!, ADMIN_TOKEN!, staleness);
  }

  /** Starts the replicas again, perhaps with other settings, and waits until they are ready. */
  restart(settings?: Readonly<Record<string, string>>): Promise<void> {
    return this.fork.restart(settings);
  }

  /** SIGTERM to all of them; the gateway stays. */
  stop(): Promise<void> {
    return this.fork.stop();
  }
}
