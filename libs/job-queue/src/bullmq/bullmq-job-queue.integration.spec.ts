import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { FixedClock, SystemClock, SystemRandomness } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { dyingContract } from '../contract/dying.js';
import { collector } from '../contract/fixture.js';
import type { Job, JobQueue } from '../job-queue.js';
import { redisUrl } from '../testing/settings.js';
import { BullmqJobQueue } from './bullmq-job-queue.js';

const url = redisUrl() ?? '';

(url === '' ? describe.skip : describe)('a queue on Redis', () => {
  const clock = new SystemClock();
  const parts = { url, clock, log: new SilentLog(), metrics: new Metrics() };
  const opened: { readonly jobs: JobQueue; readonly stop: AbortController }[] = [];

  const open = async (options: { readonly clock?: FixedClock } = {}) => {
    const one = { jobs: await BullmqJobQueue.open({ ...parts, ...options }), stop: new AbortController() };
    opened.push(one);
    return one;
  };
  /** A queue of this test alone: the Redis may serve others. */
  const newQueue = (): string => `test-${new SystemRandomness().bytes(6).toString('hex')}`;
  const job = (id: string, at = 0): Job => ({ id, payload: { version: 1 }, at });

  afterEach(async () => {
    for (const { stop } of opened) stop.abort();
    await Promise.all(opened.splice(0).map(({ jobs }) => jobs.close()));
  });

  dyingContract(
    () => url,
    () => BullmqJobQueue.open(parts),
  );

  it('runs a job that becomes due because the clock is moved', async () => {
    const moved = new FixedClock(clock.now());
    const { jobs, stop } = await open({ clock: moved });
    const queue = newQueue();
    const all = collector();
    jobs.process(queue, { handler: all.handler, concurrency: 1, signal: stop.signal });
    await jobs.schedule(queue, job('soon', moved.now() + 3_600_000));
    await jobs.schedule(queue, job('late', moved.now() + 7_200_000));
    moved.advance(3_600_000);
    await all.until(1);
    moved.advance(3_600_000);
    await all.until(2);
    expect(all.ids).toEqual(['soon', 'late']);
  });

  it('forgets a hundred done jobs by one command', async () => {
    const { jobs, stop } = await open();
    const queue = newQueue();
    const all = collector();
    jobs.process(queue, { handler: all.handler, concurrency: 10, signal: stop.signal });
    const ids = Array.from({ length: 100 }, (_, number) => `job-${number}`);
    await Promise.all(ids.map((id) => jobs.schedule(queue, job(id))));
    await all.until(100);
    while ((await jobs.counts(queue)).running > 0) await sleep(20);
    await jobs.forgetDone(queue, ['unknown']); // loads the script
    const redis = new Redis(url);
    const monitor = await redis.monitor();
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, [name = '', ...args]: readonly string[], source: string) => {
      if (source !== 'lua' && args.some((each) => each.includes(`${queue}:job-`))) commands.push(name.toLowerCase());
    });
    expect((await jobs.forgetDone(queue, ids)).toSorted()).toEqual(ids.toSorted());
    expect(await redis.exists(ids.map((id) => `{countersign-${queue}}:${queue}:${id}`))).toBe(0);
    while (commands.at(-1) !== 'exists') await sleep(5);
    expect(commands).toEqual(['evalsha', 'exists']);
    monitor.disconnect();
    redis.disconnect();
  });

  it('stores the name of an error, and not its message', async () => {
    const { jobs, stop } = await open();
    const queue = newQueue();
    jobs.process(queue, {
      handler: async () => {
        throw new RangeError('of Mari Maasikas');
      },
      concurrency: 1,
      signal: stop.signal,
      retryWaits: [],
    });
    await jobs.schedule(queue, job('a'));
    while ((await jobs.failed(queue, 1)).length === 0) await sleep(20);
    const redis = new Redis(url);
    const stored = JSON.stringify(await redis.hgetall(`{countersign-${queue}}:${queue}:a`));
    redis.disconnect();
    expect(stored).toContain('RangeError');
    expect(stored).not.toContain('Maasikas');
  });
});
