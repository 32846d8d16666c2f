import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { RedisRateLimits } from '#engines/rate-limit';

import { RedisCluster } from '../../../testkit/programs/redis/redis-cluster.ts';
import { RedisProofIds } from '../src/proof-ids/redis/redis-proof-ids.js';

const LIMIT = { name: 'tries', times: 3, seconds: 600 };

describe('on a Redis Cluster of three nodes', () => {
  let cluster: RedisCluster;
  const opened: { close(): void }[] = [];
  const kept = <Opened extends { close(): void }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };

  beforeAll(async () => {
    cluster = await RedisCluster.start(await mkdtemp(join(tmpdir(), 'redis-cluster-')));
  });
  afterAll(async () => {
    for (const each of opened) each.close();
    await cluster.remove();
  });

  const unexpected = (reason: string): never => {
    throw new Error(reason);
  };

  /** How many of these tries pass. */
  const passed = async (tries: number, key: string, replicas: readonly RedisRateLimits[]): Promise<number> => {
    const outcomes = await Promise.allSettled(Array.from({ length: tries }, (_, at) => replicas[at % replicas.length]!.take(LIMIT, key, 'too many')));
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };

  it('rate limits count over all replicas, whichever node holds the count', async () => {
    const replicas = [kept(new RedisRateLimits(cluster.access, unexpected)), kept(new RedisRateLimits(cluster.access, unexpected))];
    // A replica counts for itself while a node is not connected yet, or answers too late.
    const countTogether = async (): Promise<boolean> => {
      const keys = Array.from({ length: 20 }, () => randomUUID());
      const counts = await Promise.all(keys.map((key) => passed(2 * LIMIT.times, key, replicas)));
      return counts.every((count) => count === LIMIT.times);
    };
    await eventually(countTogether, { what: 'both count in Redis', within: 20_000 });
    for (const { admin } of cluster.nodes) expect((await admin.keys('rate-limit:*')).length).toBeGreaterThan(0);
  });

  it('the id of a proof counts once over all replicas, whichever node holds it', async () => {
    const replicas = [kept(new RedisProofIds(cluster.access, unexpected)), kept(new RedisProofIds(cluster.access, unexpected))] as const;
    const askTogether = async (): Promise<boolean> => {
      const ids = Array.from({ length: 20 }, () => randomUUID());
      const answers = await Promise.all(ids.map((id) => Promise.all(replicas.map((each) => each.isNew(id, 0)))));
      return answers.every((both) => both.filter(Boolean).length === 1);
    };
    await eventually(askTogether, { what: 'both ask Redis', within: 20_000 });
    for (const { admin } of cluster.nodes) expect((await admin.keys('proof-id:*')).length).toBeGreaterThan(0);
  });
});
