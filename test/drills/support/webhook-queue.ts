import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

/** The queue of webhook attempts, as it lies in Redis. */
export class WebhookQueue {
  readonly #redis: Redis;
  readonly #queue: Queue<{ readonly due: number }>;

  constructor(url: string) {
    this.#redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    this.#redis.on('error', () => undefined); // drills end it
    this.#queue = new Queue('webhook-attempts', { connection: this.#redis, prefix: '{countersign-webhook-attempts}', skipMetasUpdate: true });
    this.#queue.on('error', () => undefined);
  }

  /** The attempts that wait or are under way, by delivery: `<number>` and when it is due, epoch milliseconds. */
  async attempts(): Promise<ReadonlyMap<string, { readonly attempt: number; readonly due: number }>> {
    const jobs = await this.#queue.getJobs(['delayed', 'waiting', 'active']);
    return new Map(
      // A job may have gone between the list and the look at it.
      jobs.flatMap((job: (typeof jobs)[number] | undefined) => {
        const [deliveryId = '', attempt] = job?.id?.split('.') ?? [];
        return job ? [[deliveryId, { attempt: Number(attempt), due: job.data.due }]] : [];
      }),
    );
  }

  async flushAll(): Promise<void> {
    await this.#redis.flushall();
  }

  async close(): Promise<void> {
    await this.#queue.close();
    this.#redis.disconnect();
  }
}
