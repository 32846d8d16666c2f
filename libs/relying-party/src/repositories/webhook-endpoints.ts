import type { ClientId, Clock } from '#kernel';
import { CommandHandler, type EventStore } from '#event-store';

import type { WebhookCommand } from '../domain/client.commands.js';
import { clientDecider } from '../domain/client.decider.js';
import { ClientNotFound } from '../domain/client.errors.js';
import type { ClientState } from '../domain/client.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { clientStream } from './client-stream.js';

/** The webhook endpoints in the streams `client-*`. */
export class WebhookEndpoints {
  readonly #clients;

  constructor(store: EventStore, clock: Clock) {
    this.#clients = new CommandHandler(store, clientDecider, clock);
  }

  /** The endpoints in the order of their addition. Throws {@link ClientNotFound}. */
  async of(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return endpointsIn((await this.#clients.load(clientStream(clientId))).state);
  }

  /** The endpoints after the command. Throws {@link ClientNotFound}, {@link EndpointNotFound} and {@link InvalidRequest}. */
  async handle(clientId: ClientId, command: WebhookCommand): Promise<readonly WebhookEndpoint[]> {
    return endpointsIn((await this.#clients.handle(clientStream(clientId), () => command)).state);
  }
}

const endpointsIn = (client: ClientState): readonly WebhookEndpoint[] => {
  if (client.status !== 'REGISTERED') throw new ClientNotFound('no such client');
  return client.endpoints;
};
