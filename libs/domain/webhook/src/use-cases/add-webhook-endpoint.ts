import { type ClientId, type Clock, type EndpointId, type Randomness, type Sealer, type Secret } from '#kernel';
import { MAX_ENDPOINTS, type WebhookEndpoint, type WebhookEndpoints, type WebhookTerms } from '#domain/relying-party';

import { endpointIn } from '../delivery/find-endpoint.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import { requestProof } from '../delivery/request-proof.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { newWebhookSecret } from '../domain/webhook-secret.js';
import { checkWebhookUrl } from '../domain/webhook-url.js';

export interface AddWebhookEndpointParts {
  readonly endpoints: WebhookEndpoints;
  readonly requests: DeliveryRequests;
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

  /**
   * The endpoint is unconfirmed: its receiver is asked for a proof after a minute. Throws ClientNotFound, OwnClientRefused, and InvalidRequest for a URL that
   * must not be reached.
   */
  async execute(clientId: ClientId, terms: WebhookTerms): Promise<NewEndpoint> {
    const { endpoints, networks, randomness, sealer, clock } = this.parts;
    checkWebhookUrl(terms.url, networks);
    const endpointId = randomness.uuid<EndpointId>();
    const proofId = randomness.uuid();
    const secret = newWebhookSecret(randomness);
    const sealedSecret = sealer.seal(secret.reveal(), endpointId);
    const command = { type: 'AddWebhookEndpoint', now: clock.now(), endpointId, terms, sealedSecret, proofId } as const;
    const { length } = await endpoints.toCall(clientId);
    // A refused endpoint has no proof.
    if (length < MAX_ENDPOINTS) await requestProof(this.parts, { clientId, endpointId, proofId });
    return { endpoint: endpointIn(await endpoints.handle(clientId, command), endpointId), secret };
  }
}
