import { type ClientId, type Clock, SharedReads, traceHeaders } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';
import { ClientNotFound, isFor, type WebhookEndpoint, type WebhookEndpoints } from '#domain/relying-party';
import type { SessionFacts } from '#domain/session';

import { webhookMessageOf } from '../domain/webhook-message.js';
import { isTooOld } from '../domain/retention.js';
import type { DeliveryRequests } from '../delivery/delivery-requests.js';
import { deliveryIdOf } from './add-delivery.js';

/** Asks for a delivery of one session event to each endpoint that subscribes to its type and was enabled when it happened. */
export class FanOut {
  /** Events of one client that come together need one read of its stream. It begins after they happened, so it shows the endpoints of their time. */
  readonly #endpoints = new SharedReads((clientId: ClientId) => this.endpoints.of(clientId));

  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly requests: DeliveryRequests,
    private readonly clock: Clock,
  ) {}

  /**
   * When this resolves, the requests are on the bus, and the owners of the endpoints will record the deliveries. Only then may the offset of the event move
   * on. May be called again with the same event. Does nothing for an event that {@link isTooOld}.
   */
  async execute(event: CloudEvent<SessionFacts>): Promise<void> {
    const announced = webhookMessageOf(event);
    if (!announced || isTooOld(announced.happenedAt, this.clock.now())) return;
    const message = { ...announced, ...traceHeaders() };
    const clientId = event.data.clientId as ClientId;
    const endpoints = (await this.#endpointsOf(clientId)).filter((endpoint) => isFor(endpoint, event.type, event.data.at));
    await this.requests.add(endpoints.map(({ endpointId }) => ({ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, event.id), message })));
  }

  async #endpointsOf(clientId: ClientId): Promise<readonly WebhookEndpoint[]> {
    return this.#endpoints.ask(clientId).catch((error: unknown) => {
      if (error instanceof ClientNotFound) return [];
      throw error;
    });
  }
}
