import { type ClientId, type EndpointId, InvalidRequest, type Page, type PageRequest } from '#kernel';
import { type EventStore } from '#event-store';
import type { WebhookEndpoints } from '#relying-party';

import { type Delivery, evolveDelivery } from '../domain/delivery.js';
import type { AttemptOutcome, DeliveryEvent } from '../domain/delivery.events.js';
import { newestFirst } from '../delivery/newest-first.js';
import { findEndpoint } from './webhook-endpoint-use-cases.js';

export interface DeliveryRecord extends Pick<Delivery, 'deliveryId' | 'message' | 'state'> {
  readonly attempts: readonly (AttemptOutcome & { readonly at: number })[];
  /** Epoch milliseconds, while it is pending. */
  readonly nextAt?: number;
}

/** What became of the messages to an endpoint, the newest first, as its stream says now. */
export class ListDeliveries {
  constructor(
    private readonly store: EventStore,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** Throws ClientNotFound, EndpointNotFound, and {@link InvalidRequest} for an `after` that is not there. */
  async execute(clientId: ClientId, endpointId: EndpointId, { limit, after }: PageRequest<string>): Promise<Page<DeliveryRecord, string>> {
    await findEndpoint(this.endpoints, clientId, endpointId);
    const records = recordsOf(await this.#backTo(endpointId, limit + 1, after));
    const begin = after === undefined ? 0 : records.findIndex(({ deliveryId }) => deliveryId === after) + 1;
    if (after !== undefined && begin === 0) throw new InvalidRequest('`after` is no id of this list.');
    const entries = records.slice(begin, begin + limit);
    const last = entries.at(-1);
    return { entries, ...(last && begin + limit < records.length && { next: last.deliveryId }) };
  }

  /** Everything recorded since the addition of the delivery that many after `after`: nothing is recorded of a delivery before its addition. The oldest first. */
  async #backTo(endpointId: EndpointId, count: number, after: string | undefined): Promise<readonly DeliveryEvent[]> {
    const events: DeliveryEvent[] = [];
    let [found, missing] = [after === undefined, count];
    for await (const event of newestFirst(this.store, endpointId)) {
      events.push(event);
      if (event.type !== 'DeliveryAdded') continue;
      if (found && --missing === 0) break;
      found ||= event.data.deliveryId === after;
    }
    return events.reverse();
  }
}

/** The newest first. */
const recordsOf = (events: readonly DeliveryEvent[]): readonly DeliveryRecord[] => {
  const found = new Map<string, { delivery: Delivery; attempts: (AttemptOutcome & { at: number })[] }>();
  for (const event of events) {
    const { deliveryId } = event.data;
    const known = found.get(deliveryId);
    const delivery = evolveDelivery(known?.delivery, event);
    if (!delivery) continue;
    const attempts = known?.attempts ?? [];
    if (event.type === 'DeliveryAttempted') attempts.push(attemptOf(event.data));
    found.set(deliveryId, { delivery, attempts });
  }
  const records = [...found.values()].map(({ delivery: { deliveryId, message, state, nextAt }, attempts }) => ({
    deliveryId,
    message,
    state,
    attempts,
    ...(state === 'pending' && { nextAt }),
  }));
  return records.reverse();
};

const attemptOf = ({ at, status, error }: Extract<DeliveryEvent, { type: 'DeliveryAttempted' }>['data']) => ({
  at,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
});
