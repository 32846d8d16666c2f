import type { ClientId, EndpointId } from '#kernel';
import type { Job, JobPayload, JobQueue } from '#engines/job-queue';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryLog } from './delivery-log.js';
import type { EndpointShare } from './endpoint-share.js';

/** One attempt. Its number is a part of the job's id, so that the queue never takes two attempts for one. */
export type AttemptPayload = JobPayload & {
  readonly version: 1;
  readonly clientId: ClientId;
  readonly endpointId: EndpointId;
  readonly deliveryId: string;
  /** From 1 on. */
  readonly attempt: number;
};

/** Failed jobs that are looked at in one round. The others follow when these have been revived. */
const MOST_GIVEN_UP = 1_000;

export const jobIdOf = ({ deliveryId, attempts }: Delivery): string => `${deliveryId}.${attempts + 1}`;

/**
 * Puts the next attempts into the queue of the endpoint's partition. The queue only holds their times: the delivery log decides which attempts are due,
 * and the queue can be filled from it again.
 */
export class WebhookJobs {
  constructor(
    private readonly queue: JobQueue,
    private readonly share: Pick<EndpointShare, 'queueOf' | 'queues'>,
  ) {}

  /** Nothing happens when the delivery has ended, when its first attempt has to wait for others in its lane, or when the queue holds the attempt. */
  async schedule(log: DeliveryLog, delivery: Delivery): Promise<void> {
    if (delivery.state !== 'pending' || (delivery.attempts === 0 && !log.isNext(delivery))) return;
    const { clientId, deliveryId, attempts } = delivery;
    const payload: AttemptPayload = { version: 1, clientId, endpointId: log.endpointId, deliveryId, attempt: attempts + 1 };
    await this.queue.schedule(this.share.queueOf(log.endpointId), { id: jobIdOf(delivery), at: delivery.nextAt, payload });
  }

  /**
   * Moves an attempt to the queue of the endpoint's partition if it is in another queue, from a time with another number of partitions. Answers whether
   * it moved the attempt.
   */
  async move(job: Job<AttemptPayload>, from: string): Promise<boolean> {
    const queue = this.share.queueOf(job.payload.endpointId);
    if (queue !== from) await this.queue.schedule(queue, job);
    return queue !== from;
  }

  /** The ids of the latest attempts that the queues of this process have given up because their handler failed repeatedly. */
  async givenUp(): Promise<ReadonlySet<string>> {
    const failed = await Promise.all(this.share.queues.map((queue) => this.queue.failed(queue, MOST_GIVEN_UP)));
    return new Set(failed.flat().map(({ id }) => id));
  }

  /** Lets the next attempts at these deliveries be scheduled again that the queue knows as done; the ids of their jobs. */
  async forgetDone(log: DeliveryLog, deliveries: readonly Delivery[]): Promise<readonly string[]> {
    return deliveries.length === 0 ? [] : this.queue.forgetDone(this.share.queueOf(log.endpointId), deliveries.map(jobIdOf));
  }

  /** Makes an attempt due that the queue had given up. */
  async revive(log: DeliveryLog, delivery: Delivery): Promise<void> {
    await this.queue.retry(this.share.queueOf(log.endpointId), jobIdOf(delivery));
  }
}
