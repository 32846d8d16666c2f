import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { eventually } from '#kernel/testing';
import { SystemClock } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { RedisServer } from '../../../../tools/redis/redis-server.ts';
import { collector } from '../contract/fixture.js';
import { redisUrl } from '../testing/settings.js';
import { BullmqJobQueue } from './bullmq-job-queue.js';
import { prefixOf } from './stored-job.js';

/** A Redis in cluster mode refuses each command and script whose keys do not lie in one slot. This one node has all slots. */
(redisUrl() === undefined ? describe.skip : describe)('a queue on a Redis in cluster mode', () => {
  let server: RedisServer;
  let redis: Redis;

  beforeEach(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')), options: ['--cluster-enabled', 'yes'] });
    await server.start();
    redis = new Redis(server.url);
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await eventually(async () => String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok'), { within: 10_000 });
  });
  afterEach(async () => {
    redis.disconnect();
    await server.remove();
  });

  it('keeps all keys of a queue in one slot, and runs, fails, retries and cancels its jobs', async () => {
    const stop = new AbortController();
    const jobs = await BullmqJobQueue.open({ url: server.url, clock: new SystemClock(), log: new SilentLog(), metrics: new Metrics() });
    try {
      const all = collector();
      let broken = true;
      const handler: typeof all.handler = async (job) => {
        if (job.id === 'fails' && broken) throw new Error('broken');
        return all.handler(job);
      };
      jobs.process('one', { handler, concurrency: 2, signal: stop.signal, retryWaits: [] });
      for (const id of ['runs', 'fails']) await jobs.schedule('one', { id, payload: { version: 1 }, at: 0 });
      await jobs.schedule('one', { id: 'cancelled', payload: { version: 1 }, at: Date.now() + 60_000 });
      expect(await jobs.cancel('one', 'cancelled')).toBe(true);
      await eventually(async () => (await jobs.failed('one', 1)).length === 1, { within: 10_000 });
      broken = false;
      expect(await jobs.retry('one', 'fails')).toBe(true);
      await all.until(2);
      expect(all.ids.toSorted()).toEqual(['fails', 'runs']);

      const keys = await redis.keys('*');
      const slots = await Promise.all(keys.map((key) => redis.call('CLUSTER', 'KEYSLOT', key)));
      expect(keys.length).toBeGreaterThan(2);
      expect([...new Set(slots)]).toEqual([await redis.call('CLUSTER', 'KEYSLOT', prefixOf('one'))]);
      expect(await redis.call('CLUSTER', 'KEYSLOT', prefixOf('two'))).not.toBe(slots[0]);
    } finally {
      stop.abort();
      await jobs.close();
    }
  });
});
