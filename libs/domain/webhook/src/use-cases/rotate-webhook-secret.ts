import { type ClientId, type Clock, type EndpointId, type Randomness, type Sealer, type Secret } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

import { newWebhookSecret } from '../domain/webhook-secret.js';

export interface RotateWebhookSecretParts {
  readonly endpoints: WebhookEndpoints;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** How long the previous secret goes on signing, in milliseconds. */
const OVERLAP = 86_400_000;

export class RotateWebhookSecret {
  constructor(private readonly parts: RotateWebhookSecretParts) {}

  /** The new secret. The previous one signs beside it for a day. Throws ClientNotFound, OwnClientRefused and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId): Promise<Secret<string>> {
    const { endpoints, randomness, sealer, clock } = this.parts;
    const secret = newWebhookSecret(randomness);
    const now = clock.now();
    const sealedSecret = sealer.seal(secret.reveal(), endpointId);
    await endpoints.handle(clientId, { type: 'RotateWebhookSecret', now, endpointId, sealedSecret, previousUntil: now + OVERLAP });
    return secret;
  }
}
