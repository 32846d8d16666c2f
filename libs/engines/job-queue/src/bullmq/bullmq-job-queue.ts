import { once } from 'node:events';

import { type Job as BullmqJob, Queue } from 'bullmq';
import { Cluster } from 'ioredis';

import { connectRedis, type RedisAccess, type RedisClient, RefusalReport } from '#engines/access';
import { type Clock, SystemClock } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import {
  assertJob,
  assertQueueName,
  type FailedJob,
  type Job,
  type JobCounts,
  type JobHandler,
  type JobPayload,
  JobQueue,
  JobQueueUnavailable,
  type Processing,
  type ProcessOptions,
} from '../job-queue.js';
import { reportCounts } from '../report-counts.js';
import { BullmqProcessing } from './bullmq-processing.js';
import { defineForgetDone } from './forget-done.js';
import { delayedScore, JOB_OPTIONS, prefixOf, type StoredJob } from './stored-job.js';
import { workerConnection } from './worker-connection.js';

export interface BullmqJobQueueParts extends RedisAccess {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Time limits of a command and of the wait for the first connection, in milliseconds. */
const COMMAND_TIMEOUT = 5_000;
const FIRST_CONNECTION = 2_000;

/**
 * The job queue on Redis, by BullMQ. Redis needs an append-only file (synced each second) and must never evict. While it is unavailable, every
 * call is refused at once and processings wait. The callers schedule lost jobs again.
 */
export class BullmqJobQueue extends JobQueue {
  readonly #redis: RedisClient;
  readonly #system = new SystemClock();
  readonly #queues = new Map<string, Queue<StoredJob>>();
  readonly #processings = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;
  /** Why Redis refuses connections, where it does. */
  #trouble: string | undefined;

  private constructor(private readonly parts: BullmqJobQueueParts) {
    super();
    this.#redis = connectRedis(parts, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_TIMEOUT });
    defineForgetDone(this.#redis);
    const report = (reason: string): void => parts.log.error('this service cannot use Redis', { component: 'job-queue', reason });
    const refusals = new RefusalReport('REDIS', report);
    const failed = (error: unknown): void => void (this.#trouble = refusals.failed(error));
    this.#redis.on('error', failed).on('node error', failed);
    this.#redis.on('close', () => parts.log.warn('Redis is unavailable', { component: 'job-queue' }));
    this.#redis.on('ready', () => {
      this.#trouble = undefined;
      refusals.succeeded();
      void this.check().catch((error: JobQueueUnavailable) =>
        parts.log.error('Redis cannot store jobs', { component: 'job-queue', reason: error.reason }),
      );
    });
  }

  /** Resolves also while Redis is unavailable: the queue connects as soon as it can. */
  static async open(parts: BullmqJobQueueParts): Promise<BullmqJobQueue> {
    const queue = new BullmqJobQueue(parts);
    await once(queue.#redis, 'ready', { signal: AbortSignal.timeout(FIRST_CONNECTION) }).catch(() => undefined);
    return queue;
  }

  override async schedule(queue: string, job: Job): Promise<void> {
    assertJob(job);
    const { id: jobId, at: due, payload } = job;
    const delay = Math.max(0, due - this.parts.clock.now());
    await this.#on(queue, (queued) => queued.add('job', { payload, due, failures: 0 }, { ...JOB_OPTIONS, jobId, delay }));
  }

  override process<Payload extends JobPayload>(queue: string, options: ProcessOptions<Payload>): Processing {
    assertQueueName(queue);
    const { clock, log, metrics } = this.parts;
    const handler = options.handler as JobHandler;
    const hasWaitingJobs = async (): Promise<boolean> => (await this.counts(queue)).due > 0;
    const promoteDue = (): Promise<void> => this.#on(queue, (queued) => promote(queued, clock.now()));
    const { connection, close } = workerConnection(this.parts);
    const processing = new BullmqProcessing({
      ...options,
      handler,
      queue,
      clock,
      log,
      metrics,
      connection,
      hasWaitingJobs,
      promoteDue,
    });
    const done = processing.run().finally(() => {
      close();
      this.#processings.delete(done);
    });
    this.#processings.add(done);
    reportCounts(this, queue, metrics, options.signal);
    return {
      done,
      check: async () => {
        if (options.signal.aborted) throw new JobQueueUnavailable(`the processing of ${queue} has stopped`);
        await this.check();
      },
    };
  }

  override async cancel(queue: string, id: string): Promise<boolean> {
    return this.#on(queue, async (queued) => {
      const job = await queued.getJob(id);
      if (!job || (await job.isCompleted())) return false;
      return job.remove().then(
        () => true,
        async (error: unknown) => {
          if (await job.isActive()) return false;
          throw error;
        },
      );
    });
  }

  override async retry(queue: string, id: string): Promise<boolean> {
    return this.#on(queue, async (queued) => {
      const job = await queued.getJob(id);
      if (!job || !(await job.isFailed())) return false;
      await job.updateData({ ...job.data, due: this.parts.clock.now(), failures: 0 });
      await job.retry('failed');
      return true;
    });
  }

  override async forgetDone(queue: string, ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    return this.#on(queue, (queued) =>
      this.#redis.forgetDone(ids.length + 1, queued.toKey('completed'), ...ids.map((id) => queued.toKey(id)), ...ids),
    );
  }

  override async counts(queue: string): Promise<JobCounts> {
    return this.#on(queue, async (queued) => {
      const { delayed = 0, waiting = 0, active: running = 0, failed = 0 } = await queued.getJobCounts('delayed', 'waiting', 'active', 'failed');
      const overdue = Math.min(delayed, await this.#redis.zcount(queued.toKey('delayed'), 0, delayedScore(this.#system.now())));
      return { scheduled: delayed - overdue, due: waiting + overdue, running, failed };
    });
  }

  override async failed(queue: string, limit: number): Promise<readonly FailedJob[]> {
    return this.#on(queue, async (queued) => (await queued.getFailed(0, limit - 1)).map(asFailed));
  }

  override async check(): Promise<void> {
    const memories = await this.#call(() => memoriesOf(this.#redis));
    if (!memories.every((memory) => memory.includes('maxmemory_policy:noeviction')))
      throw new JobQueueUnavailable('Redis may evict jobs: it needs maxmemory-policy noeviction');
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #on<Result>(name: string, work: (queue: Queue<StoredJob>) => Promise<Result>): Promise<Result> {
    assertQueueName(name);
    return this.#call(async () => work(await this.#queue(name)));
  }

  async #queue(name: string): Promise<Queue<StoredJob>> {
    const queue = this.#queues.get(name) ?? new Queue<StoredJob>(name, { connection: this.#redis, prefix: prefixOf(name), skipMetasUpdate: true });
    if (!this.#queues.has(name)) queue.on('error', () => undefined); // reported by each call
    this.#queues.set(name, queue);
    await queue.waitUntilReady().catch((error: unknown) => {
      // After a failure a Queue object never becomes ready.
      this.#queues.delete(name);
      throw error;
    });
    return queue;
  }

  async #call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing) throw new JobQueueUnavailable('the job queue is closed');
    if (this.#redis.status !== 'ready') throw new JobQueueUnavailable(['Redis is unavailable', this.#trouble].filter(Boolean).join(': '));
    try {
      return await work();
    } catch (error) {
      throw error instanceof JobQueueUnavailable ? error : new JobQueueUnavailable(`Redis: ${String(error)}`);
    }
  }

  async #close(): Promise<void> {
    await Promise.all(this.#processings);
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
    this.#redis.disconnect();
  }
}

/** The answer of each server to `INFO memory`, without servers that give none. Rejects when no server answers. */
const memoriesOf = async (redis: RedisClient): Promise<readonly string[]> => {
  if (!(redis instanceof Cluster)) return [await redis.info('memory')];
  const answers = await Promise.allSettled(redis.nodes('master').map((node) => node.info('memory')));
  const memories = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (memories.length === 0) throw new Error('no node of the cluster answers');
  return memories;
};

const asFailed = ({ id = '', data, failedReason, finishedOn = 0 }: BullmqJob<StoredJob>): FailedJob => ({
  id,
  payload: data.payload,
  reason: failedReason,
  failedAt: finishedOn,
});

const promote = async (queue: Queue<StoredJob>, now: number): Promise<void> => {
  for (const job of await queue.getDelayed()) if (job.data.due <= now) await job.promote();
};
