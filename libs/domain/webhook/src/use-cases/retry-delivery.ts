import { type ClientId, domainError, type EndpointId, InvalidRequest } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import { findEndpointToCall } from '../delivery/find-endpoint.js';

/** The endpoint has no such delivery, or its log has forgotten it. */
export class DeliveryNotFound extends domainError('delivery_not_found') {}

/** Asks the owner to make an ended delivery due again, with the same `webhook-id`. */
export class RetryDelivery {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly logs: DeliveryLogs,
    private readonly requests: DeliveryRequests,
  ) {}

  /** Nothing happens to a pending one. Throws ClientNotFound, OwnClientRefused, EndpointNotFound, {@link DeliveryNotFound}, and InvalidRequest for a
   * proof that has ended. */
  async execute(clientId: ClientId, endpointId: EndpointId, deliveryId: string): Promise<void> {
    await findEndpointToCall(this.endpoints, clientId, endpointId);
    const log = await this.logs.of(endpointId);
    await log.refresh();
    const known = (await log.find([deliveryId])).get(deliveryId);
    if (!known) throw new DeliveryNotFound('no such delivery of this endpoint');
    if (known.state === 'pending') return;
    // Another proof is asked for by a ping, whose number is limited.
    if (known.message.proof) throw new InvalidRequest('A proof is not sent again. Ping the endpoint for another one.');
    await this.requests.retry(endpointId, [known]);
  }
}
