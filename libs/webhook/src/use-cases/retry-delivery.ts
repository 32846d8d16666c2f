import { type ClientId, type Clock, DomainError, type EndpointId } from '#kernel';
import type { WebhookEndpoints } from '#relying-party';

import { retriedAt } from '../domain/delivery.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';
import { findEndpoint } from '../delivery/find-endpoint.js';

/** The endpoint has no such delivery, or its log has forgotten it. */
export class DeliveryNotFound extends DomainError {
  readonly code = 'delivery_not_found';
}

/** Makes an ended delivery due again, under the same `webhook-id`. */
export class RetryDelivery {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly logs: DeliveryLogs,
    private readonly jobs: WebhookJobs,
    private readonly clock: Clock,
  ) {}

  /** Nothing happens to a pending one. Throws ClientNotFound, EndpointNotFound and {@link DeliveryNotFound}. */
  async execute(clientId: ClientId, endpointId: EndpointId, deliveryId: string): Promise<void> {
    await findEndpoint(this.endpoints, clientId, endpointId);
    const log = await this.logs.of(endpointId);
    await log.refresh();
    const known = (await log.find([deliveryId])).get(deliveryId);
    if (!known) throw new DeliveryNotFound('no such delivery of this endpoint');
    const retried = await log.record(retriedAt(this.clock.now(), known));
    if (retried) await this.jobs.schedule(log, retried);
  }
}
