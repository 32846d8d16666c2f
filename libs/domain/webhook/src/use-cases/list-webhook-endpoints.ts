import type { ClientId } from '#kernel';
import type { WebhookEndpoint, WebhookEndpoints } from '#domain/relying-party';

export class ListWebhookEndpoints {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  /** In the order of their addition. Throws ClientNotFound. */
  execute(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return this.endpoints.of(clientId);
  }
}
