import { type ClientId, type Clock, DomainError, type EndpointId } from '#kernel';
import type { WebhookEndpoints } from '#relying-party';

import type { DeliveryLogs } from '../delivery/delivery-log.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';
import { findEndpoint } from './webhook-endpoint-use-cases.js';

/** The endpoint has no such delivery, or it was longer ago than the log goes back. */
export class DeliveryNotFound extends DomainError {
  readonly code = 'delivery_not_found';
}

/** Makes a delivery that has ended due again, under the same `webhook-id`. */
export class RetryDelivery {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Nothing happens to one that is under way. Throws ClientNotFound, EndpointNotFound and {@link DeliveryNotFound}. */
  async execute(clientId: ClientId, endpointId: EndpointId, deliveryId: string): Promise<void> {
    await findEndpoint(this.endpoints, clientId, endpointId);
    const log = await this.logs.of(endpointId);
    await log.refresh();
    if (!log.get(deliveryId)) throw new DeliveryNotFound('no such delivery of this endpoint');
    const retried = await log.record({ type: 'DeliveryRetried', data: { at: this.clock.now(), deliveryId } });
    if (retried) await this.jobs.schedule(log, retried);
  }
}
