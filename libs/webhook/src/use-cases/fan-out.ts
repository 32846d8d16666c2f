import type { ClientId, Clock } from '#kernel';
import type { CloudEvent } from '#message-bus';
import { ClientNotFound, isFor, type WebhookEndpoint, type WebhookEndpoints } from '#relying-party';
import type { SessionFacts } from '#session';

import { webhookMessageOf } from '../domain/webhook-message.js';
import { isTooOld } from '../domain/retention.js';
import { type AddDelivery, deliveryIdOf } from './add-delivery.js';

/** Adds a delivery of one session event to each endpoint that subscribes to its type and was enabled when it happened. */
export class FanOut {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly addDelivery: AddDelivery,
    private readonly clock: Clock,
  ) {}

  /** The deliveries are on disk when this resolves. May be called again with the same event. Nothing happens for an event that {@link isTooOld}. */
  async execute(event: CloudEvent<SessionFacts>): Promise<void> {
    const message = webhookMessageOf(event);
    if (!message || isTooOld(message.happenedAt, this.clock.now())) return;
    const clientId = event.data.clientId as ClientId;
    const endpoints = (await this.#endpointsOf(clientId)).filter((endpoint) => isFor(endpoint, event.type, event.data.at));
    await Promise.all(
      endpoints.map(({ endpointId }) => this.addDelivery.execute({ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, event.id), message })),
    );
  }

  async #endpointsOf(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return this.endpoints.of(clientId).catch((error: unknown) => {
      if (error instanceof ClientNotFound) return [];
      throw error;
    });
  }
}
