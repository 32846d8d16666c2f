import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { RedisServer } from '../../../../../testkit/programs/redis/redis-server.ts';
import { collector } from '#testkit/job-queue/contract/fixture';
import { type Job, type JobQueue, JobQueueUnavailable } from '../job-queue.js';
import { redisUrl } from '#testkit/job-queue/settings';
import { BullmqJobQueue } from './bullmq-job-queue.js';

/** These tests kill, flush and configure their Redis: they start one of their own. */
(redisUrl() === undefined ? describe.skip : describe)('a queue whose Redis fails', () => {
  const clock = new SystemClock();
  const parts = { clock, log: new SilentLog(), metrics: new Metrics() };
  const opened: { readonly jobs: JobQueue; readonly stop: AbortController }[] = [];
  let server: RedisServer;

  const open = async () => {
    const one = { jobs: await BullmqJobQueue.open({ url: server.url, ...parts }), stop: new AbortController() };
    opened.push(one);
    return one;
  };
  const admin = async (work: (redis: Redis) => Promise<unknown>): Promise<void> => {
    const redis = new Redis(server.url);
    await work(redis);
    redis.disconnect();
  };
  const job = (id: string, at = 0): Job => ({ id, payload: { version: 1 }, at });
  const untilAvailable = (jobs: JobQueue): Promise<void> => {
    const isAvailable = (): Promise<boolean> =>
      jobs.check().then(
        () => true,
        () => false,
      );
    return eventually(isAvailable, { what: 'the queue is available' });
  };

  beforeEach(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
    await server.start();
  });
  afterEach(async () => {
    for (const { stop } of opened) stop.abort();
    await Promise.all(opened.splice(0).map(({ jobs }) => jobs.close()));
    await server.remove();
  });

  it('reconnects with all its jobs after Redis was killed and started again', async () => {
    const { jobs, stop } = await open();
    const all = collector();
    const processing = jobs.process('killed', { handler: all.handler, concurrency: 5, signal: stop.signal });
    const soon = clock.now() + 2_000;
    // The server writes its file before it answers; by default the file may lack the last second.
    await admin((redis) => redis.config('SET', 'appendfsync', 'always'));
    await Promise.all(Array.from({ length: 200 }, (_, number) => jobs.schedule('killed', job(`job-${number}`, soon))));
    await server.kill();
    await expect(jobs.schedule('killed', job('refused'))).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(jobs.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(processing.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    await server.start();
    await all.until(200);
    expect(new Set(all.ids).size).toBe(200);
    // The connection that schedules jobs may be restored later than the one that takes them.
    await untilAvailable(jobs);
  });

  it('runs jobs that are scheduled again after Redis was flushed, while others were running', async () => {
    const { jobs, stop } = await open();
    const all = collector();
    const held = Promise.withResolvers<void>();
    jobs.process('flushed', {
      handler: async (one) => {
        await all.handler(one);
        await held.promise;
      },
      concurrency: 5,
      signal: stop.signal,
    });
    await Promise.all(Array.from({ length: 100 }, (_, number) => jobs.schedule('flushed', job(`job-${number}`))));
    await all.until(5);
    await admin((redis) => redis.flushall());
    held.resolve();
    await Promise.all(Array.from({ length: 100 }, (_, number) => jobs.schedule('flushed', job(`job-${number}`))));
    await all.until(105);
    expect(new Set(all.ids).size).toBe(100);
    expect(all.ids).toHaveLength(105);
    expect(await jobs.counts('flushed')).toMatchObject({ failed: 0 });
  });

  it('starts without Redis, refuses calls, and works once Redis is there', async () => {
    await server.kill();
    const { jobs, stop } = await open();
    const all = collector();
    const processing = jobs.process('early', { handler: all.handler, concurrency: 1, signal: stop.signal });
    await expect(jobs.schedule('early', job('a'))).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(processing.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    await server.start();
    await untilAvailable(jobs);
    await jobs.schedule('early', job('a'));
    await all.until(1);
  });

  it('is not ready on a Redis that may evict keys', async () => {
    const { jobs } = await open();
    await admin((redis) => redis.config('SET', 'maxmemory-policy', 'allkeys-lru'));
    await expect(jobs.check()).rejects.toMatchObject({ reason: expect.stringContaining('noeviction') });
  });
});
