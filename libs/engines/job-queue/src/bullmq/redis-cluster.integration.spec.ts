import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { RedisCluster } from '../../../../../testkit/programs/redis/redis-cluster.ts';
import { collector } from '#testkit/job-queue/contract/fixture';
import { redisUrl } from '#testkit/job-queue/settings';
import { BullmqJobQueue } from './bullmq-job-queue.js';
import { prefixOf } from './stored-job.js';

/** A node refuses each command and script whose keys do not lie in one slot, and sends clients on that ask for a slot of another node. */
(redisUrl() === undefined ? describe.skip : describe)('queues on a Redis Cluster of three nodes', () => {
  let cluster: RedisCluster;
  let jobs: BullmqJobQueue;
  let stop: AbortController;

  beforeAll(async () => {
    cluster = await RedisCluster.start(await mkdtemp(join(tmpdir(), 'redis-cluster-')));
  });
  afterAll(() => cluster.remove());
  const open = async (): Promise<void> => {
    stop = new AbortController();
    jobs = await BullmqJobQueue.open({ ...cluster.access, clock: new SystemClock(), log: new SilentLog(), metrics: new Metrics() });
  };
  afterEach(async () => {
    stop.abort();
    await jobs.close();
  });

  const nameOfNode = async (queue: string): Promise<string> => (await cluster.nodeOf(prefixOf(queue))).id;

  it('lie on all nodes, each queue in one slot, and run, fail, retry and cancel their jobs', async () => {
    await open();
    const queues = ['one', 'two', 'three', 'four', 'five', 'six'];
    expect(new Set(await Promise.all(queues.map(nameOfNode))).size).toBe(3);
    for (const queue of queues) {
      const all = collector();
      let broken = true;
      const handler: typeof all.handler = async (job) => {
        if (job.id === 'fails' && broken) throw new Error('broken');
        return all.handler(job);
      };
      jobs.process(queue, { handler, concurrency: 2, signal: stop.signal, retryWaits: [] });
      for (const id of ['runs', 'fails']) await jobs.schedule(queue, { id, payload: { version: 1 }, at: 0 });
      await jobs.schedule(queue, { id: 'cancelled', payload: { version: 1 }, at: Date.now() + 60_000 });
      expect(await jobs.cancel(queue, 'cancelled')).toBe(true);
      await eventually(async () => (await jobs.failed(queue, 1)).length === 1, { within: 20_000 });
      broken = false;
      expect(await jobs.retry(queue, 'fails')).toBe(true);
      await all.until(2);
      expect(all.ids.toSorted()).toEqual(['fails', 'runs']);

      const { admin } = await cluster.nodeOf(prefixOf(queue));
      const keys = await admin.keys(`${prefixOf(queue)}*`);
      expect(keys.length).toBeGreaterThan(2);
      expect(new Set(await Promise.all(keys.map((key) => cluster.slotOf(key)))).size).toBe(1);
    }
  });

  it('go on without a restart when the slot of a queue moves to another node', async () => {
    await open();
    const all = collector();
    jobs.process('moved', { handler: all.handler, concurrency: 2, signal: stop.signal, retryWaits: [] });
    await jobs.schedule('moved', { id: 'before', payload: { version: 1 }, at: 0 });
    await all.until(1);
    const before = await nameOfNode('moved');
    await cluster.move(prefixOf('moved'));
    expect(await nameOfNode('moved')).not.toBe(before);
    await jobs.schedule('moved', { id: 'after', payload: { version: 1 }, at: 0 });
    await all.until(2);
    expect(all.ids).toEqual(['before', 'after']);
  });
});
