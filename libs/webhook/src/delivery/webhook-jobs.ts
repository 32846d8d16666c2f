import type { ClientId, EndpointId } from '#kernel';
import type { JobPayload, JobQueue } from '#job-queue';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryLog } from './delivery-log.js';

export const WEBHOOK_QUEUE = 'webhook-attempts';

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

/** Puts the next attempts into the queue. The queue only keeps their times: the delivery log decides which attempts are due, and can fill the queue again. */
export class WebhookJobs {
  constructor(private readonly queue: JobQueue) {}

  /** Nothing happens when the delivery has ended, when its first attempt has to wait for others in its lane, or when the queue holds the attempt. */
  async schedule(log: DeliveryLog, delivery: Delivery): Promise<void> {
    if (delivery.state !== 'pending' || (delivery.attempts === 0 && !log.isNext(delivery))) return;
    const { clientId, deliveryId, attempts } = delivery;
    const payload: AttemptPayload = { version: 1, clientId, endpointId: log.endpointId, deliveryId, attempt: attempts + 1 };
    await this.queue.schedule(WEBHOOK_QUEUE, { id: jobIdOf(delivery), at: delivery.nextAt, payload });
  }

  /** The ids of the latest attempts that the queue gave up, because the code around them failed repeatedly. */
  async givenUp(): Promise<ReadonlySet<string>> {
    return new Set((await this.queue.failed(WEBHOOK_QUEUE, MOST_GIVEN_UP)).map(({ id }) => id));
  }

  /** Lets the next attempts at these deliveries be scheduled again that the queue knows as done; the ids of their jobs. */
  async forgetDone(deliveries: readonly Delivery[]): Promise<readonly string[]> {
    return deliveries.length === 0 ? [] : this.queue.forgetDone(WEBHOOK_QUEUE, deliveries.map(jobIdOf));
  }

  /** Makes an attempt due that the queue had given up. */
  async revive(delivery: Delivery): Promise<void> {
    await this.queue.retry(WEBHOOK_QUEUE, jobIdOf(delivery));
  }
}
