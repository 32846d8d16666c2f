import type { Clock } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';

import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';
import { retriedAt } from '../domain/delivery.js';
import { type NewDelivery, RETRY_REQUESTED, type RetryRequest } from '../domain/delivery-request.js';
import { isTooOld } from '../domain/retention.js';
import type { AddDelivery } from './add-delivery.js';

/** Carries out the requests of the topic of deliveries, as the owner of the endpoint. */
export class TakeDeliveryRequest {
  constructor(
    private readonly addDelivery: AddDelivery,
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** The outcome is on disk when this resolves. A repetition changes nothing. */
  async execute({ type, data }: CloudEvent<NewDelivery>): Promise<void> {
    if (type === RETRY_REQUESTED) return this.#retry(data as RetryRequest);
    // Only the log shows a repetition, and it may have forgotten an old message.
    if (!isTooOld(data.message.happenedAt, this.clock.now())) await this.addDelivery.execute(data);
  }

  async #retry({ endpointId, deliveryId, attempts }: RetryRequest): Promise<void> {
    const log = await this.logs.of(endpointId);
    let known = (await log.find([deliveryId])).get(deliveryId);
    if (!known) {
      await log.refresh(); // the staff's replica may have read further
      known = (await log.find([deliveryId])).get(deliveryId);
    }
    if (!known || known.attempts !== attempts) return;
    const retried = (await log.record(retriedAt(this.clock.now(), known))) ?? log.get(deliveryId);
    if (retried) await this.jobs.schedule(log, retried);
  }
}
