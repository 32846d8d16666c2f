import { type ClientId, type EndpointId, InvalidRequest, type Page, type PageRequest } from '#kernel';
import { type EventStore } from '#event-store';
import type { WebhookEndpoints } from '#relying-party';

import { type Delivery, evolveDelivery } from '../domain/delivery.js';
import type { AttemptOutcome, DeliveryEvent } from '../domain/delivery.events.js';
import { newestFirst } from '../delivery/newest-first.js';
import { findEndpoint } from '../delivery/find-endpoint.js';

export interface DeliveryRecord extends Pick<Delivery, 'deliveryId' | 'message' | 'state'> {
  readonly attempts: readonly (AttemptOutcome & { readonly at: number })[];
  /** Epoch milliseconds, while it is pending. */
  readonly nextAt?: number;
}

/** The deliveries to an endpoint as its stream shows them now, the newest first. */
export class ListDeliveries {
  constructor(
    private readonly store: EventStore,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** Throws ClientNotFound, EndpointNotFound, and {@link InvalidRequest} for an unknown `after`. */
  async execute(clientId: ClientId, endpointId: EndpointId, { limit, after }: PageRequest<string>): Promise<Page<DeliveryRecord, string>> {
    await findEndpoint(this.endpoints, clientId, endpointId);
    const records = recordsOf(await this.#backTo(endpointId, limit + 1, after));
    const begin = after === undefined ? 0 : records.findIndex(({ deliveryId }) => deliveryId === after) + 1;
    if (after !== undefined && begin === 0) throw new InvalidRequest('`after` is no id of this list.');
    const entries = records.slice(begin, begin + limit);
    const last = entries.at(-1);
    return { entries, ...(last && begin + limit < records.length && { next: last.deliveryId }) };
  }

  /**
   * The end of the log from the addition of the delivery that is `count` places behind `after`, the oldest event first. No event of a delivery
   * lies before its addition.
   */
  async #backTo(endpointId: EndpointId, count: number, after: string | undefined): Promise<Excerpt> {
    const events: DeliveryEvent[] = [];
    let [found, missing] = [after === undefined, count];
    for await (const event of newestFirst(this.store, endpointId)) {
      events.push(event);
      if (event.type !== 'DeliveryAdded') continue;
      if (found && --missing === 0) return { events: events.reverse(), isWholeLog: false };
      found ||= event.data.deliveryId === after;
    }
    return { events: events.reverse(), isWholeLog: true };
  }
}

interface Excerpt {
  readonly events: readonly DeliveryEvent[];
  readonly isWholeLog: boolean;
}

interface Recorded {
  readonly delivery: Delivery;
  readonly attempts: (AttemptOutcome & { readonly at: number })[];
}

/** The newest first. A delivery whose addition has expired is known from its retry, and older than all others. */
const recordsOf = ({ events, isWholeLog }: Excerpt): readonly DeliveryRecord[] => {
  const added = new Map<string, Recorded>();
  const retried = new Map<string, Recorded>();
  for (const event of events) {
    const { deliveryId } = event.data;
    const known = added.get(deliveryId) ?? retried.get(deliveryId);
    // Its addition, and with it its place in the list, lies further back in the log.
    if (!known && event.type === 'DeliveryRetried' && !isWholeLog) continue;
    const delivery = evolveDelivery(known?.delivery, event);
    if (!delivery) continue;
    const attempts = known?.attempts ?? [];
    if (event.type === 'DeliveryAttempted') attempts.push(attemptOf(event.data));
    const found = added.has(deliveryId) || event.type === 'DeliveryAdded' ? added : retried;
    found.set(deliveryId, { delivery, attempts });
  }
  const records = [...retried.values(), ...added.values()].map(({ delivery: { deliveryId, message, state, nextAt }, attempts }) => ({
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
