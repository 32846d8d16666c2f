import type { ClientId, EndpointId } from '#kernel';
import type { JobPayload, JobQueue } from '#job-queue';

import type { Delivery } from '../domain/delivery.js';
import type { DeliveryLog } from './delivery-log.js';

export const WEBHOOK_QUEUE = 'webhook-attempts';

/** One attempt: its number is a part of its id, so that the queue never takes two attempts for one. */
export type AttemptPayload = JobPayload & {
  readonly version: 1;
  readonly clientId: ClientId;
  readonly endpointId: EndpointId;
  readonly deliveryId: string;
  /** From 1 on. */
  readonly attempt: number;
};

/** More than that are seen when these have been revived. */
const MOST_GIVEN_UP = 1_000;

export const jobIdOf = ({ deliveryId, attempts }: Delivery): string => `${deliveryId}.${attempts + 1}`;

/** Puts the next attempts into the queue, which is a clock and no more: what is due, the delivery log knows. */
export class WebhookJobs {
  constructor(private readonly queue: JobQueue) {}

  /** Nothing happens when the delivery has ended, its first attempt has to wait for its turn in the lane, or the queue knows the attempt. */
  async schedule(log: DeliveryLog, delivery: Delivery): Promise<void> {
    if (delivery.state !== 'pending' || (delivery.attempts === 0 && !log.isNext(delivery))) return;
    const { clientId, deliveryId, attempts } = delivery;
    const payload: AttemptPayload = { version: 1, clientId, endpointId: log.endpointId, deliveryId, attempt: attempts + 1 };
    await this.queue.schedule(WEBHOOK_QUEUE, { id: jobIdOf(delivery), at: delivery.nextAt, payload });
  }

  /** The ids of attempts that the queue has given up, because again and again something went wrong here; the latest of them. */
  async givenUp(): Promise<ReadonlySet<string>> {
    return new Set((await this.queue.failed(WEBHOOK_QUEUE, MOST_GIVEN_UP)).map(({ id }) => id));
  }

  /** Makes an attempt due that the queue had given up. */
  async revive(delivery: Delivery): Promise<void> {
    await this.queue.retry(WEBHOOK_QUEUE, jobIdOf(delivery));
  }
}
