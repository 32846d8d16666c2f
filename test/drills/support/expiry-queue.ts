import { randomUUID } from 'node:crypto';

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { eventually } from '#kernel/testing';

/** The queue of sessions that time has to end, as it lies in Redis. */
export class ExpiryQueue {
  readonly #redis: Redis;
  readonly #queue: Queue;

  constructor(url: string) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    this.#redis.on('error', () => undefined); // drills end it
    this.#queue = new Queue('session-expiry', { connection: this.#redis, prefix: '{countersign-session-expiry}', skipMetasUpdate: true });
    this.#queue.on('error', () => undefined);
  }

  /** Jobs that are not done: not yet due, waiting, or in work. */
  async pending(): Promise<number> {
    const counts = await this.#queue.getJobCounts('delayed', 'waiting', 'active');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async flushAll(): Promise<void> {
    await this.#redis.flushall();
  }

  /** Resolves when a job that is due now has been done; answers after how many milliseconds. */
  async probe(timeLimit: number): Promise<number> {
    const began = performance.now();
    const job = await this.#queue.add(
      'job',
      { payload: { version: 1, sessionId: randomUUID() }, due: 0, failures: 0 },
      { jobId: `probe-${randomUUID()}` },
    );
    await eventually(() => job.isCompleted(), { what: 'a job is done', within: timeLimit });
    return Math.round(performance.now() - began);
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#redis.disconnect();
  }
}
