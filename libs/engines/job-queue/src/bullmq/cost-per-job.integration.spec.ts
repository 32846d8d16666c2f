import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { SystemClock } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { RedisServer } from '../../../../../testkit/programs/redis/redis-server.ts';
import { collector } from '#testkit/job-queue/contract/fixture';
import { redisUrl } from '#testkit/job-queue/settings';
import { BullmqJobQueue } from './bullmq-job-queue.js';

const JOBS = 40;
const QUEUE = 'webhook-attempts';

(redisUrl() === undefined ? describe.skip : describe)('the Redis commands of a job', () => {
  let server: RedisServer;
  let admin: Redis;

  beforeAll(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
    await server.start();
    admin = new Redis(server.url);
  });
  afterAll(async () => {
    admin.disconnect();
    await server.remove();
  });

  /** Scripts and the waits of idle workers, as the clients sent them. The calls that a script makes itself do not count. */
  const sent = async (): Promise<Readonly<Record<'scripts' | 'waits', number>>> => {
    const lines = (await admin.info('commandstats')).split('\r\n');
    const calls = (name: string): number => Number(lines.find((line) => line.startsWith(`cmdstat_${name}:`))?.match(/calls=(\d+)/)?.[1] ?? 0);
    return { scripts: calls('evalsha'), waits: calls('bzpopmin') };
  };

  /** Of each replica, for what it does by the clock: it looks for stalled jobs every ten seconds, and waits anew after five. */
  const byTheClock = (seconds: number): number => 2 + Math.ceil(seconds / 5);

  it.each([1, 2, 8])('are at most five scripts and two waits (replicas: %i)', async (count) => {
    const stop = new AbortController();
    const all = collector();
    const replicas = await Promise.all(
      Array.from({ length: count }, () =>
        BullmqJobQueue.open({ url: server.url, clock: new SystemClock(), log: new SilentLog(), metrics: new Metrics() }),
      ),
    );
    const next = (turn: number) => replicas[turn % count]!;
    for (const queue of replicas) queue.process(QUEUE, { handler: all.handler, concurrency: 100, signal: stop.signal });
    const run = async (from: number, to: number): Promise<void> => {
      for (let turn = from; turn < to; turn += 1) {
        await next(turn).schedule(QUEUE, { id: `${count}-${turn}`, payload: { version: 1 }, at: 0 });
        await all.until(turn + 1);
      }
    };
    await run(0, 2 * count); // the scripts are loaded, the workers wait
    const before = await sent();
    const began = performance.now();
    await run(2 * count, 2 * count + JOBS);
    const seconds = (performance.now() - began) / 1000;
    const after = await sent();
    stop.abort();
    await Promise.all(replicas.map((queue) => queue.close()));
    const background = count * byTheClock(seconds);
    // One script schedules, one takes the job, one ends it and takes the next one; a worker that finds none asks again before it waits.
    expect(after.scripts - before.scripts).toBeGreaterThanOrEqual(3 * JOBS);
    expect(after.scripts - before.scripts).toBeLessThanOrEqual(5 * JOBS + background);
    expect(after.waits - before.waits).toBeLessThanOrEqual(2 * JOBS + background);
  });
});
