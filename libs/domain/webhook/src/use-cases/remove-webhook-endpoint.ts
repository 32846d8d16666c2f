import type { ClientId, Clock, EndpointId } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

export class RemoveWebhookEndpoint {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly clock: Clock,
  ) {}

  /** Its pending deliveries end as `disabled`. Throws ClientNotFound, OwnClientRefused and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId): Promise<void> {
    await this.endpoints.handle(clientId, { type: 'RemoveWebhookEndpoint', now: this.clock.now(), endpointId });
  }
}
