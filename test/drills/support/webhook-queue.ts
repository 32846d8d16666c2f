import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

import { queueOfPartition } from '#domain/webhook';

/** The number of partitions of the topics here. */
const PARTITIONS = 6;

/** The queues of webhook attempts, one for each partition of the deliveries. */
export const WEBHOOK_QUEUES: readonly string[] = Array.from({ length: PARTITIONS }, (_, partition) => queueOfPartition(partition));

/** The data of a job; see libs/engines/job-queue/src/bullmq/stored-job.ts. */
interface StoredJob {
  readonly payload: unknown;
  readonly due: number;
  readonly failures: number;
}

interface Attempt {
  readonly attempt: number;
  readonly due: number;
}

/** The attempts of all queues, as they lie in Redis. */
export class WebhookQueue {
  readonly #redis: Redis;
  readonly #queues: readonly Queue<StoredJob>[];

  constructor(url: string) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    this.#redis.on('error', () => undefined); // drills end it
    this.#queues = WEBHOOK_QUEUES.map((name) => new Queue(name, { connection: this.#redis, prefix: `{countersign-${name}}`, skipMetasUpdate: true }));
    for (const queue of this.#queues) queue.on('error', () => undefined);
  }

  /**
   * The newest attempt of each delivery that waits or is under way: `<number>` and when it is due, epoch milliseconds. A starved worker loses the
   * locks of its jobs. They run again, find their attempts recorded, and end; until then they are in the queue beside the next attempts ({@link repeated}).
   */
  async attempts(): Promise<ReadonlyMap<string, Attempt>> {
    return new Map((await this.#jobs()).toSorted(([, one], [, other]) => one.attempt - other.attempt));
  }

  /** The number of jobs whose attempt is older than the newest one of their delivery. */
  async repeated(): Promise<number> {
    const jobs = await this.#jobs();
    return jobs.length - new Set(jobs.map(([deliveryId]) => deliveryId)).size;
  }

  /** Adds a due job without a payload, with which every run fails. It has failed so often before that its next run is the last. */
  async addUnreadable(): Promise<void> {
    const job: StoredJob = { payload: null, due: Date.now(), failures: 5 };
    await this.#queues[0]!.add('job', job, { attempts: 1 });
  }

  async flushAll(): Promise<void> {
    await this.#redis.flushall();
  }

  async #jobs(): Promise<readonly (readonly [deliveryId: string, Attempt])[]> {
    const jobs = (await Promise.all(this.#queues.map((queue) => queue.getJobs(['delayed', 'waiting', 'active'])))).flat();
    // A job may end between the listing and the read of the job, and may be in two lists while it moves.
    const byId = new Map(jobs.flatMap((job: (typeof jobs)[number] | undefined) => (job?.id === undefined ? [] : [[job.id, job.data.due] as const])));
    return [...byId].map(([id, due]) => {
      const [deliveryId = '', attempt] = id.split('.');
      return [deliveryId, { attempt: Number(attempt), due }] as const;
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.close()));
    this.#redis.disconnect();
  }
}
