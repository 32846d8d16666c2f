import { setTimeout as wait } from 'node:timers/promises';

import type { Dialect } from './grpc-test-server/dialect.js';
import { SpawnedTestServer } from './spawned-test-server.js';

/** The test fails when a cluster has elected no leader after this time. Not a promise of the cluster. Milliseconds. */
const ELECTED_WITHIN = 60_000;

interface Gossip {
  readonly members: readonly { readonly state: string; readonly isAlive: boolean; readonly httpEndPointPort: number }[];
}

/** Three gRPC test servers, each a process of its own, that hold one store and elect a leader. */
export class SpawnedCluster {
  private constructor(readonly nodes: readonly SpawnedTestServer[]) {}

  static async start(dialect: Dialect = '23.10'): Promise<SpawnedCluster> {
    const nodes = await Promise.all([1, 2, 3].map(() => SpawnedTestServer.start('--dialect', dialect)));
    const cluster = new SpawnedCluster(nodes);
    await Promise.all(nodes.map((node) => node.set({ cluster: cluster.#ports })));
    await cluster.leader();
    return cluster;
  }

  get connectionString(): string {
    return `esdb://${this.#ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  }

  /** The node that says itself that it leads; waits until there is one, among those given. */
  async leader(among = this.nodes): Promise<SpawnedTestServer> {
    for (const giveUpAt = performance.now() + ELECTED_WITHIN; ; await wait(50)) {
      for (const node of among) if (await leads(node)) return node;
      if (performance.now() > giveUpAt) throw new Error('no node leads');
    }
  }

  except(...nodes: readonly SpawnedTestServer[]): SpawnedTestServer[] {
    return this.nodes.filter((node) => !nodes.includes(node));
  }

  /** Starts a node again that was ended. */
  restart(node: SpawnedTestServer): Promise<void> {
    return node.restart('--cluster', this.#ports.join(','));
  }

  /** Makes the leader resign, as an operator does. */
  async resign(node: SpawnedTestServer): Promise<void> {
    await fetch(`http://127.0.0.1:${node.port}/admin/node/resign`, { method: 'POST' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
  }

  get #ports(): readonly number[] {
    return this.nodes.map(({ port }) => port);
  }
}

const leads = async (node: SpawnedTestServer): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${node.port}/gossip`, { signal: AbortSignal.timeout(500) }).catch(() => undefined);
  const gossip = (await answer?.json().catch(() => undefined)) as Gossip | undefined;
  return gossip?.members.some(({ state, httpEndPointPort }) => state === 'Leader' && httpEndPointPort === node.port) ?? false;
};
