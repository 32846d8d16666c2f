import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Job as BullmqJob, UnrecoverableError } from 'bullmq';
import { Redis } from 'ioredis';

import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { dyingContract } from '#testkit/job-queue/contract/dying';
import { collector } from '#testkit/job-queue/contract/fixture';
import type { Job, JobQueue } from '../job-queue.js';
import { redisUrl } from '#testkit/job-queue/settings';
import { BullmqJobQueue } from './bullmq-job-queue.js';
import { BullmqProcessing, type BullmqProcessingParts } from './bullmq-processing.js';
import { workerConnection } from './worker-connection.js';

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
    await eventually(async () => (await jobs.counts(queue)).running === 0);
    await jobs.forgetDone(queue, ['unknown']); // loads the script
    const redis = new Redis(url);
    const monitor = await redis.monitor();
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, [name = '', ...args]: readonly string[], source: string) => {
      if (source !== 'lua' && args.some((each) => each.includes(`${queue}:job-`))) commands.push(name.toLowerCase());
    });
    expect((await jobs.forgetDone(queue, ids)).toSorted()).toEqual(ids.toSorted());
    expect(await redis.exists(ids.map((id) => `{countersign-${queue}}:${queue}:${id}`))).toBe(0);
    await eventually(() => commands.at(-1) === 'exists');
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
    await eventually(async () => (await jobs.failed(queue, 1)).length > 0);
    const redis = new Redis(url);
    const stored = JSON.stringify(await redis.hgetall(`{countersign-${queue}}:${queue}:a`));
    redis.disconnect();
    expect(stored).toContain('RangeError');
    expect(stored).not.toContain('Maasikas');
  });

  describe('whose worker, of bullmq 6.7.0, is checked', () => {
    let log: SilentLog;
    let replaced: jest.SpiedFunction<SilentLog['error']>;
    const processing = (queue: string, signal: AbortSignal, given: Partial<BullmqProcessingParts> = {}) => {
      log = new SilentLog();
      replaced = jest.spyOn(log, 'error');
      return new BullmqProcessing({
        ...parts,
        queue,
        log,
        signal,
        concurrency: 1,
        handler: async () => undefined,
        connection: workerConnection({ url }).connection,
        hasWaitingJobs: async () => true,
        promoteDue: async () => undefined,
        pause: async () => undefined,
        ...given,
      });
    };
    afterEach(() => void jest.restoreAllMocks());

    it('keeps the worker while the outcome of a handled job is not stored yet, and stores it before the processing ends', async () => {
      const { jobs } = await open();
      const queue = newQueue();
      const stop = new AbortController();
      const ending = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const { moveToCompleted } = BullmqJob.prototype;
      jest.spyOn(BullmqJob.prototype, 'moveToCompleted').mockImplementationOnce(async function (this: BullmqJob, ...given) {
        ending.resolve();
        await held.promise;
        return moveToCompleted.apply(this, given);
      });
      const one = processing(queue, stop.signal);
      const done = one.run();
      await jobs.schedule(queue, job('a'));
      await ending.promise;
      await one.checkWorker();
      expect(replaced).not.toHaveBeenCalled();
      stop.abort();
      held.resolve();
      await done;
      expect(await jobs.counts(queue)).toEqual({ scheduled: 0, due: 0, running: 0, failed: 0 });
    });

    it('replaces the worker when the outcome of a job is not stored before its lock expires', async () => {
      const { jobs } = await open();
      const queue = newQueue();
      const stop = new AbortController();
      const ending = Promise.withResolvers<void>();
      const held = Promise.withResolvers<never>();
      jest.spyOn(BullmqJob.prototype, 'moveToCompleted').mockImplementationOnce(() => (ending.resolve(), held.promise));
      const one = processing(queue, stop.signal);
      const done = one.run();
      await jobs.schedule(queue, job('a'));
      await ending.promise;
      const later = performance.now() + 15_001;
      jest.spyOn(SystemClock.prototype, 'monotonic').mockImplementation(() => later);
      await one.checkWorker();
      expect(replaced).toHaveBeenCalledTimes(1);
      stop.abort();
      held.reject(new UnrecoverableError('not stored'));
      await done;
    });

    it('replaces the worker when it takes none of the due jobs', async () => {
      const stop = new AbortController();
      const one = processing(newQueue(), stop.signal);
      const done = one.run();
      await one.checkWorker();
      expect(replaced).toHaveBeenCalledTimes(1);
      stop.abort();
      await done;
    });

    it('starts no new worker once the processing ends', async () => {
      const stop = new AbortController();
      const one = processing(newQueue(), stop.signal, { pause: async () => stop.abort() });
      await Promise.all([one.run(), one.checkWorker()]);
      expect(replaced).not.toHaveBeenCalled();
    });
  });
});
