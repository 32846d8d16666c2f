import { v5 } from 'uuid';

import type { ClientId, Clock, EndpointId } from '#kernel';

import type { Delivery } from '../domain/delivery.js';
import type { WebhookMessage } from '../domain/delivery.events.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';

/** The same for each repetition of the event to the same endpoint: UUIDv5 of the two. */
export const deliveryIdOf = (endpointId: EndpointId, eventId: string): string => v5(eventId, endpointId);

export interface NewDelivery {
  readonly clientId: ClientId;
  readonly endpointId: EndpointId;
  readonly deliveryId: string;
  readonly message: WebhookMessage;
}

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
    const known = added ?? log.get(delivery.deliveryId);
    if (known) await this.jobs.schedule(log, known);
    return known;
  }
}
