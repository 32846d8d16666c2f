import { v5 } from 'uuid';

import type { Clock, EndpointId } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import type { NewDelivery } from '../domain/delivery-request.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';

/** The same for each repetition of the event to the same endpoint: UUIDv5 of the two. */
export const deliveryIdOf = (endpointId: EndpointId, eventId: string): string => v5(eventId, endpointId);

/** Records a delivery and schedules its first attempt. */
export class AddDelivery {
  constructor(
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Once this resolves, the delivery stays due until it ends. A repetition changes nothing. */
  async execute({ endpointId, ...delivery }: NewDelivery): Promise<Delivery | undefined> {
    const log = await this.logs.of(endpointId);
    const added = await log.record({ type: 'DeliveryAdded', data: { at: this.clock.now(), ...delivery } });
    // A repetition. Another process may have owned the endpoint in between and made attempts; their jobs must not be scheduled again.
    if (!added && log.get(delivery.deliveryId)) await log.refresh();
    const known = added ?? log.get(delivery.deliveryId);
    if (known) await this.jobs.schedule(log, known);
    return known;
  }
}
