import { type ClientId, type Clock, type EndpointId, InvalidRequest, type Page, type PageRequest } from '#kernel';
import type { WebhookEndpoints } from '#domain/relying-party';

import type { Delivery } from '../domain/delivery.js';
import { bodyOf } from '../domain/message-body.js';
import { LOG_RETENTION } from '../domain/retention.js';
import { findEndpoint } from '../delivery/find-endpoint.js';
import type { DeliveryRows, ListedDelivery } from '../read-models/delivery-rows.js';

export interface DeliveryRecord extends Pick<Delivery, 'deliveryId' | 'message' | 'state'>, Pick<ListedDelivery, 'attempts'> {
  /** The body of every attempt, as it was signed. */
  readonly payload: string;
  /** Epoch milliseconds, while it is pending. */
  readonly nextAt?: number;
}

/** The deliveries to an endpoint of the last 30 days, the newest first. Every page costs the same, the first as the last. */
export class ListDeliveries {
  constructor(
    private readonly rows: DeliveryRows,
    private readonly endpoints: WebhookEndpoints,
    private readonly clock: Clock,
  ) {}

  /** Throws ClientNotFound, EndpointNotFound, {@link InvalidRequest} for an unknown `after`, and ReadModelsUnavailable. */
  async execute(clientId: ClientId, endpointId: EndpointId, { limit, after }: PageRequest<string>): Promise<Page<DeliveryRecord, string>> {
    await findEndpoint(this.endpoints, clientId, endpointId);
    // One more tells whether there is another page.
    const found = await this.rows.page(endpointId, { limit: limit + 1, after }, this.clock.now() - LOG_RETENTION);
    if (!found) throw new InvalidRequest('`after` is no id of this list.');
    const entries = found.slice(0, limit).map(recordOf);
    const last = entries.at(-1);
    return { entries, ...(found.length > limit && last && { next: last.deliveryId }) };
  }
}

const recordOf = ({ delivery: { deliveryId, message, state, nextAt }, attempts }: ListedDelivery): DeliveryRecord => ({
  deliveryId,
  message,
  state,
  attempts,
  payload: bodyOf(message),
  ...(state === 'pending' && { nextAt }),
});
