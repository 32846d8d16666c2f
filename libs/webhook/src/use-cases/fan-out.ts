import type { ClientId } from '#kernel';
import type { CloudEvent } from '#message-bus';
import { ClientNotFound, isFor, type WebhookEndpoint, type WebhookEndpoints } from '#relying-party';
import type { SessionFacts } from '#session';

import { announced } from '../domain/announced.js';
import { type AddDelivery, deliveryIdOf } from './add-delivery.js';

/** Makes of one session event a delivery to each endpoint that was enabled when it happened and asks for its type. */
export class FanOut {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly addDelivery: AddDelivery,
  ) {}

  /** All of them are on disk when this resolves. May be called again with the same event. */
  async execute(event: CloudEvent<SessionFacts>): Promise<void> {
    const message = announced(event);
    if (!message) return;
    const clientId = event.data.clientId as ClientId;
    const endpoints = (await this.#endpointsOf(clientId)).filter((endpoint) => isFor(endpoint, event.type, event.data.at));
    await Promise.all(endpoints.map(({ endpointId }) => this.addDelivery.execute({ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, event.id), message })));
  }

  async #endpointsOf(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return this.endpoints.of(clientId).catch((error: unknown) => {
      if (error instanceof ClientNotFound) return [];
      throw error;
    });
  }
}
