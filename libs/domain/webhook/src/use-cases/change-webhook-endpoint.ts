import type { ClientId, EndpointId } from '#kernel';
import { needsProof, type WebhookEndpoint, type WebhookEndpoints, type WebhookTerms } from '#domain/relying-party';

import { endpointIn, findEndpointToCall } from '../delivery/find-endpoint.js';
import { type ProofRequestParts, requestProof } from '../delivery/request-proof.js';
import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { checkWebhookUrl } from '../domain/webhook-url.js';

export interface ChangeWebhookEndpointParts extends ProofRequestParts {
  readonly endpoints: WebhookEndpoints;
  readonly networks: ReachableNetworks;
}

export class ChangeWebhookEndpoint {
  constructor(private readonly parts: ChangeWebhookEndpointParts) {}

  /**
   * Changes the terms that are given. After a change of the address the endpoint is unconfirmed: its receiver is asked for a proof after a minute. Throws
   * ClientNotFound, OwnClientRefused, EndpointNotFound, and InvalidRequest for a URL that must not be reached.
   */
  async execute(clientId: ClientId, endpointId: EndpointId, changes: Partial<WebhookTerms>): Promise<WebhookEndpoint> {
    const { endpoints, networks, clock, randomness } = this.parts;
    if (changes.url !== undefined) checkWebhookUrl(changes.url, networks);
    const proofId = randomness.uuid();
    const before = await findEndpointToCall(endpoints, clientId, endpointId);
    if (needsProof(before, changes)) await requestProof(this.parts, { clientId, endpointId, proofId });
    const command = { type: 'ChangeWebhookEndpoint', now: clock.now(), endpointId, changes, proofId } as const;
    return endpointIn(await endpoints.handle(clientId, command), endpointId);
  }
}
