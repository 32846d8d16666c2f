import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Redis } from 'ioredis';

import { reservePort } from '../../processes/reserve-port.ts';
import { RedisServer } from './redis-server.ts';

/** Milliseconds. */
const START_TIME = 30_000;
/** Of Redis Cluster. */
const SLOTS = 16_384;

export interface ClusterNode {
  readonly server: RedisServer;
  /** For tests that look into a node or move slots. */
  readonly admin: Redis;
  readonly id: string;
}

/** A Redis Cluster of masters without replicas on this machine. The bus of a node has a reserved port too, not the one 10,000 above. */
export class RedisCluster {
  readonly nodes: readonly ClusterNode[];

  readonly #directory: string;

  private constructor(directory: string, nodes: readonly ClusterNode[]) {
    this.#directory = directory;
    this.nodes = nodes;
  }

  /** Starts the nodes in folders under `directory`, gives each an equal share of the slots, and resolves when all see the cluster in order. */
  static async start(directory: string, count = 3): Promise<RedisCluster> {
    const nodes = await Promise.all(
      Array.from({ length: count }, async () => {
        const bus = await reservePort();
        const options = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout', '5000'];
        const server = await RedisServer.open({ directory: await mkdtemp(join(directory, 'node-')), options });
        await server.start();
        const admin = new Redis(server.url);
        admin.on('error', () => undefined);
        return { server, admin, bus, id: String(await admin.call('CLUSTER', 'MYID')) };
      }),
    );
    await Promise.all(
      nodes.map(async ({ admin }, index) => {
        const [first, next] = [index, index + 1].map((at) => Math.floor((at * SLOTS) / count));
        await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
        await admin.call('CLUSTER', 'ADDSLOTSRANGE', first!, next! - 1);
      }),
    );
    for (const { server, bus } of nodes.slice(1)) await nodes[0]!.admin.call('CLUSTER', 'MEET', '127.0.0.1', new URL(server.url).port, bus);
    for (const giveUpAt = performance.now() + START_TIME; !(await isInOrder(nodes)); await sleep(50))
      if (performance.now() > giveUpAt) throw new Error('the nodes do not form a cluster');
    return new RedisCluster(directory, nodes);
  }

  /** For `RedisAccess`: one node is enough, the others are found. */
  get access(): { readonly url: string; readonly nodes: readonly string[] } {
    const { url } = this.nodes[0]!.server;
    return { url, nodes: [url] };
  }

  /** The node that has the key or channel. */
  async nodeOf(key: string): Promise<ClusterNode> {
    const slot = await this.slotOf(key);
    for (const node of this.nodes) if ((await slotsOf(node)).some(([first, last]) => first <= slot && slot <= last)) return node;
    throw new Error(`no node has slot ${slot}`);
  }

  async slotOf(key: string): Promise<number> {
    return Number(await this.nodes[0]!.admin.call('CLUSTER', 'KEYSLOT', key));
  }

  /** Begins to move the slot of a key from its node to another one: until the end, the first one answers ASK for keys that it does not have (any more). */
  async beginMove(key: string): Promise<{ readonly from: ClusterNode; readonly to: ClusterNode; end(): Promise<void> }> {
    const slot = await this.slotOf(key);
    const from = await this.nodeOf(key);
    const to = this.nodes.find((node) => node !== from)!;
    await to.admin.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
    await from.admin.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
    const end = async (): Promise<void> => {
      const { hostname, port } = new URL(to.server.url);
      const keys = (await from.admin.call('CLUSTER', 'GETKEYSINSLOT', slot, 10_000)) as string[];
      if (keys.length > 0) await from.admin.call('MIGRATE', hostname, port, '', 0, 5_000, 'KEYS', ...keys);
      for (const node of [to, from, ...this.nodes.filter((other) => other !== to && other !== from)])
        await node.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
    };
    return { from, to, end };
  }

  /** Moves the slot of a key, with all keys in it, to another node. Clients learn it by MOVED. */
  async move(key: string): Promise<void> {
    await (await this.beginMove(key)).end();
  }

  /** Ends the nodes and removes `directory`. */
  async remove(): Promise<void> {
    for (const { admin } of this.nodes) admin.disconnect();
    await Promise.all(this.nodes.map(({ server }) => server.remove()));
    await rm(this.#directory, { recursive: true, force: true });
  }
}

const isInOrder = async (nodes: readonly ClusterNode[]): Promise<boolean> => {
  const infos = await Promise.all(nodes.map(async ({ admin }) => String(await admin.call('CLUSTER', 'INFO'))));
  return infos.every((info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}`));
};

/** The ranges of slots of a node, as it sees them itself. */
const slotsOf = async ({ admin, id }: ClusterNode): Promise<readonly (readonly [number, number])[]> => {
  const lines = String(await admin.call('CLUSTER', 'NODES')).split('\n');
  const fields =
    lines
      .find((line) => line.startsWith(id))
      ?.split(' ')
      .slice(8) ?? [];
  return fields
    .filter((field) => !field.startsWith('['))
    .map((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return [first, last] as const;
    });
};
