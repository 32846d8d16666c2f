import type { ClientId, Clock, EndpointId, Randomness } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import { findEndpointToCall } from '../delivery/find-endpoint.js';

/**
 * Sends `endpoint.ping`, also to a disabled endpoint: to see whether it would work. To an unconfirmed endpoint three rightly and three wrongly signed ones,
 * by which its receiver proves itself.
 */
export class PingWebhookEndpoint {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly requests: DeliveryRequests,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** The delivery's id. Throws ClientNotFound, OwnClientRefused and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId): Promise<string> {
    const { unconfirmed } = await findEndpointToCall(this.endpoints, clientId, endpointId);
    const deliveryId = this.randomness.uuid();
    const message = {
      type: 'endpoint.ping',
      happenedAt: this.clock.now(),
      data: { endpointId },
      ...(unconfirmed && { proof: { by: 'request' } as const }),
    };
    await this.requests.add([{ clientId, endpointId, deliveryId, message }]);
    return deliveryId;
  }
}
