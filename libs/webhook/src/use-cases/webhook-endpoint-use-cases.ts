import { type ClientId, type Clock, type EndpointId, InvalidRequest, type Randomness, type Sealer, type Secret } from '#kernel';
import { EndpointNotFound, type WebhookCommand, type WebhookEndpoint, type WebhookEndpoints, type WebhookTerms } from '#relying-party';

import type { ReachableNetworks } from '../domain/reachable-networks.js';
import { newWebhookSecret } from '../domain/webhook-secret.js';
import { webhookUrlFault } from '../domain/webhook-url.js';

export interface EndpointParts {
  readonly endpoints: WebhookEndpoints;
  readonly networks: ReachableNetworks;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

export interface NewEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_…`, shown once: it lies sealed in its event. */
  readonly secret: Secret<string>;
}

/** How long the secret before a new one goes on signing, in milliseconds. */
const ROTATION = 86_400_000;

export class AddWebhookEndpoint {
  constructor(private readonly parts: EndpointParts) {}

  /** Throws ClientNotFound, and {@link InvalidRequest} for an address that must not be reached. */
  async execute(clientId: ClientId, terms: WebhookTerms): Promise<NewEndpoint> {
    const { networks, randomness, sealer, clock } = this.parts;
    checkUrl(terms.url, networks);
    const endpointId = randomness.uuid<EndpointId>();
    const secret = newWebhookSecret(randomness);
    const sealedSecret = sealer.seal(secret.reveal(), endpointId);
    const endpoint = await decide(this.parts, clientId, { type: 'AddWebhookEndpoint', now: clock.now(), endpointId, terms, sealedSecret });
    return { endpoint, secret };
  }
}

export class ChangeWebhookEndpoint {
  constructor(private readonly parts: EndpointParts) {}

  /** Changes what is given. Throws ClientNotFound, EndpointNotFound and {@link InvalidRequest}. */
  async execute(clientId: ClientId, endpointId: EndpointId, changes: Partial<WebhookTerms>): Promise<WebhookEndpoint> {
    if (changes.url !== undefined) checkUrl(changes.url, this.parts.networks);
    return decide(this.parts, clientId, { type: 'ChangeWebhookEndpoint', now: this.parts.clock.now(), endpointId, changes });
  }
}

export class RemoveWebhookEndpoint {
  constructor(private readonly parts: EndpointParts) {}

  /** What is under way to it ends as `disabled`. Throws ClientNotFound and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId): Promise<void> {
    await this.parts.endpoints.handle(clientId, { type: 'RemoveWebhookEndpoint', now: this.parts.clock.now(), endpointId });
  }
}

export class RotateWebhookSecret {
  constructor(private readonly parts: EndpointParts) {}

  /** The new secret. The one before it signs beside it for a day. Throws ClientNotFound and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId): Promise<Secret<string>> {
    const { randomness, sealer, clock } = this.parts;
    const secret = newWebhookSecret(randomness);
    const now = clock.now();
    const sealedSecret = sealer.seal(secret.reveal(), endpointId);
    await decide(this.parts, clientId, { type: 'RotateWebhookSecret', now, endpointId, sealedSecret, previousUntil: now + ROTATION });
    return secret;
  }
}

export class ListWebhookEndpoints {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  /** In the order of their addition. Throws ClientNotFound. */
  execute(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return this.endpoints.of(clientId);
  }
}

/** One endpoint of a client. Throws ClientNotFound and EndpointNotFound, also when it belongs to another client. */
export const findEndpoint = async (endpoints: WebhookEndpoints, clientId: ClientId, endpointId: EndpointId): Promise<WebhookEndpoint> =>
  oneOf(await endpoints.of(clientId), endpointId);

const decide = async ({ endpoints }: EndpointParts, clientId: ClientId, command: WebhookCommand): Promise<WebhookEndpoint> =>
  oneOf(await endpoints.handle(clientId, command), command.endpointId);

const oneOf = (endpoints: readonly WebhookEndpoint[], endpointId: EndpointId): WebhookEndpoint => {
  const endpoint = endpoints.find((each) => each.endpointId === endpointId);
  if (!endpoint) throw new EndpointNotFound('no such endpoint of this client');
  return endpoint;
};

const checkUrl = (url: string, networks: ReachableNetworks): void => {
  const fault = webhookUrlFault(url, networks);
  if (fault) throw new InvalidRequest(`\`url\` ${fault}.`);
};
