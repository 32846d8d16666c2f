import type { ClientId, Clock, EndpointId } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

import { findEndpoint } from '../delivery/find-endpoint.js';

/** Confirms an endpoint without a proof. Only for a receiver that this process runs itself, so that no other host is called: the demo. No route leads here. */
export class ConfirmOwnReceiver {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly clock: Clock,
  ) {}

  /** Throws ClientNotFound, OwnClientRefused and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId): Promise<void> {
    const { unconfirmed } = await findEndpoint(this.endpoints, clientId, endpointId);
    if (!unconfirmed) return;
    await this.endpoints.handle(clientId, { type: 'ConfirmWebhookEndpoint', now: this.clock.now(), endpointId, proofId: unconfirmed.proofId });
  }
}
