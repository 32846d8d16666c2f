import { type ClientId, type Clock, type EndpointId, type Randomness, type Sealer, type Secret } from '#kernel';
import type { WebhookEndpoint, WebhookEndpoints, WebhookTerms } from '#domain/relying-party';

import { endpointIn } from '../delivery/find-endpoint.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { newWebhookSecret } from '../domain/webhook-secret.js';
import { checkWebhookUrl } from '../domain/webhook-url.js';

export interface AddWebhookEndpointParts {
  readonly endpoints: WebhookEndpoints;
  readonly networks: ReachableNetworks;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

export interface NewEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_…`, shown once: it is sealed in its event. */
  readonly secret: Secret<string>;
}

export class AddWebhookEndpoint {
  constructor(private readonly parts: AddWebhookEndpointParts) {}

  /** Throws ClientNotFound, OwnClientRefused, and InvalidRequest for a URL that must not be reached. */
  async execute(clientId: ClientId, terms: WebhookTerms): Promise<NewEndpoint> {
    const { endpoints, networks, randomness, sealer, clock } = this.parts;
    checkWebhookUrl(terms.url, networks);
    const endpointId = randomness.uuid<EndpointId>();
    const secret = newWebhookSecret(randomness);
    const sealedSecret = sealer.seal(secret.reveal(), endpointId);
    const command = { type: 'AddWebhookEndpoint', now: clock.now(), endpointId, terms, sealedSecret } as const;
    return { endpoint: endpointIn(await endpoints.handle(clientId, command), endpointId), secret };
  }
}
