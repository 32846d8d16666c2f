import type { ClientId, Clock, EndpointId } from '#kernel';
import type { WebhookEndpoint, WebhookEndpoints, WebhookTerms } from '#domain/relying-party';

import { endpointIn } from '../delivery/find-endpoint.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { checkWebhookUrl } from '../domain/webhook-url.js';

export class ChangeWebhookEndpoint {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly networks: ReachableNetworks,
    private readonly clock: Clock,
  ) {}

  /** Changes the terms that are given. Throws ClientNotFound, OwnClientRefused, EndpointNotFound, and InvalidRequest for a URL that must not be reached. */
  async execute(clientId: ClientId, endpointId: EndpointId, changes: Partial<WebhookTerms>): Promise<WebhookEndpoint> {
    if (changes.url !== undefined) checkWebhookUrl(changes.url, this.networks);
    const command = { type: 'ChangeWebhookEndpoint', now: this.clock.now(), endpointId, changes } as const;
    return endpointIn(await this.endpoints.handle(clientId, command), endpointId);
  }
}
