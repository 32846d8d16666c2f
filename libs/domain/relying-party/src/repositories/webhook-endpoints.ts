import type { ClientId } from '#kernel';

import type { WebhookCommand } from '../domain/client.commands.js';
import { ClientNotFound } from '../domain/client.errors.js';
import type { ClientState } from '../domain/client.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import type { Clients } from './clients.js';

/** The webhook endpoints in the streams `client-*`. */
export class WebhookEndpoints {
  constructor(private readonly clients: Clients) {}

  /** The endpoints in the order of their addition. Throws {@link ClientNotFound}. */
  async of(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return endpointsIn((await this.clients.load(clientId)).state);
  }

  /** The same for a request that sends messages. Throws {@link ClientNotFound} and {@link OwnClientRefused}. */
  async toCall(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    this.clients.assertChangeable(clientId);
    return this.of(clientId);
  }

  /** The endpoints after the command. Throws {@link ClientNotFound}, {@link OwnClientRefused}, {@link EndpointNotFound} and {@link InvalidRequest}. */
  async handle(clientId: ClientId, command: WebhookCommand): Promise<readonly WebhookEndpoint[]> {
    return endpointsIn((await this.clients.handle(clientId, () => command)).state);
  }
}

const endpointsIn = (client: ClientState): readonly WebhookEndpoint[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return client.endpoints;
};
