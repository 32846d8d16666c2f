import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { FixedClock, SystemClock } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { dyingContract } from '../contract/dying.js';
import { collector } from '../contract/fixture.js';
import { type Job, type JobQueue, JobQueueUnavailable } from '../job-queue.js';
import { redisUrl } from '../testing/settings.js';
import { BullmqJobQueue } from './bullmq-job-queue.js';

const TOOLS = resolve(import.meta.dirname, '../../../../tools/redis');
const run = promisify(execFile);

/** A Redis of its own: these tests kill it and flush it. */
(redisUrl() === undefined ? describe.skip : describe)('a queue on Redis', () => {
  const clock = new SystemClock();
  const parts = { clock, log: new SilentLog(), metrics: new Metrics() };
  const opened: { readonly jobs: JobQueue; readonly leave: AbortController }[] = [];
  let directory: string;
  let url: string;

  const tool = async (name: string, ...args: string[]): Promise<string> =>
    (await run(process.execPath, [join(TOOLS, `${name}.mjs`), '--directory', directory, ...args], { env: { ...process.env, NODE_OPTIONS: '' } })).stdout.trim();
  const startRedis = async (): Promise<void> => void (url = (await tool('start', '--port', '0')).replace('REDIS_URL=', ''));

  const open = async () => {
    const jobs = await BullmqJobQueue.open({ url, ...parts });
    const one = { jobs, leave: new AbortController() };
    opened.push(one);
    return one;
  };
  const admin = async (work: (redis: Redis) => Promise<unknown>): Promise<void> => {
    const redis = new Redis(url);
    await work(redis);
    redis.disconnect();
  };
  const job = (id: string, at = 0): Job => ({ id, payload: { version: 1 }, at });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'redis-'));
    await startRedis();
  });
  afterEach(async () => {
    for (const { leave } of opened) leave.abort();
    await Promise.all(opened.splice(0).map(({ jobs }) => jobs.close()));
    await tool('stop', '--kill');
    await rm(directory, { recursive: true });
  });

  dyingContract(
    () => url,
    () => BullmqJobQueue.open({ url, ...parts }),
  );

  it('goes on by itself, with all it was told, when Redis was killed and is back', async () => {
    const { jobs, leave } = await open();
    const all = collector();
    jobs.process('killed', { handler: all.handler, concurrency: 5, signal: leave.signal });
    const soon = clock.now() + 2_000;
    await Promise.all(Array.from({ length: 200 }, (_, number) => jobs.schedule('killed', job(`job-${number}`, soon))));
    await sleep(1_100); // Redis writes its file each second
    await tool('stop', '--kill');
    await expect(jobs.schedule('killed', job('refused'))).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(jobs.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    await sleep(1_500);
    await startRedis();
    await all.until(200);
    expect(new Set(all.ids).size).toBe(200);
    await expect(jobs.check()).resolves.toBeUndefined();
  });

  it('goes on with what is scheduled anew when Redis was flushed, while jobs were running', async () => {
    const { jobs, leave } = await open();
    const all = collector();
    const held = Promise.withResolvers<void>();
    jobs.process('flushed', {
      handler: async (one) => {
        await all.handler(one);
        await held.promise;
      },
      concurrency: 5,
      signal: leave.signal,
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

  it('starts without Redis, refuses what it cannot keep, and works when Redis is there', async () => {
    await tool('stop', '--kill');
    const { jobs, leave } = await open();
    const all = collector();
    const processing = jobs.process('early', { handler: all.handler, concurrency: 1, signal: leave.signal });
    await expect(jobs.schedule('early', job('a'))).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(processing.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    await startRedis();
    while (!(await jobs.check().then(() => true, () => false))) await sleep(50);
    await jobs.schedule('early', job('a'));
    await all.until(1);
  });

  it('is not ready on a Redis that may evict', async () => {
    const { jobs } = await open();
    await admin((redis) => redis.config('SET', 'maxmemory-policy', 'allkeys-lru'));
    await expect(jobs.check()).rejects.toMatchObject({ reason: expect.stringContaining('noeviction') });
  });

  it('runs what becomes due because the clock is moved', async () => {
    const moved = new FixedClock(clock.now());
    const jobs = await BullmqJobQueue.open({ url, ...parts, clock: moved });
    const leave = new AbortController();
    opened.push({ jobs, leave });
    const all = collector();
    jobs.process('moved', { handler: all.handler, concurrency: 1, signal: leave.signal });
    await jobs.schedule('moved', job('soon', moved.now() + 3_600_000));
    await jobs.schedule('moved', job('late', moved.now() + 7_200_000));
    moved.advance(3_600_000);
    await all.until(1);
    moved.advance(3_600_000);
    await all.until(2);
    expect(all.ids).toEqual(['soon', 'late']);
  });

  it('holds nothing but ids, versions and names of errors', async () => {
    const { jobs, leave } = await open();
    jobs.process('secret', {
      handler: async () => {
        throw new Error('of Mari Maasikas');
      },
      concurrency: 1,
      signal: leave.signal,
      retryWaits: [],
    });
    await jobs.schedule('secret', job('a'));
    while ((await jobs.failed('secret', 1)).length === 0) await sleep(20);
    await admin(async (redis) => {
      for (const key of await redis.keys('*a')) if ((await redis.type(key)) === 'hash') expect(JSON.stringify(await redis.hgetall(key))).not.toContain('Maasikas');
      expect((await redis.keys('countersign:secret:*')).length).toBeGreaterThan(0);
    });
  });
});
