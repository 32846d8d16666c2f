import { type ClientId, type EndpointId, InvalidRequest, type Page, type PageRequest } from '#kernel';
import type { EventStore, RecordedEvent } from '#event-store';
import type { WebhookEndpoints } from '#relying-party';

import { type Delivery, evolveDelivery } from '../domain/delivery.js';
import type { AttemptOutcome, DeliveryEvent } from '../domain/delivery.events.js';
import { deliveryLogStream } from '../delivery/delivery-log.js';
import { findEndpoint } from './webhook-endpoint-use-cases.js';

export interface DeliveryRecord extends Pick<Delivery, 'deliveryId' | 'message' | 'state'> {
  readonly attempts: readonly (AttemptOutcome & { readonly at: number })[];
  /** Epoch milliseconds, while it is pending. */
  readonly nextAt?: number;
}

/** So far back in a log it is looked: events. */
const FAR_ENOUGH = 50_000;
/** Of them so many are read together. */
const AT_ONCE = 500;

/** What became of the messages to an endpoint, the newest first, as its stream says now. */
export class ListDeliveries {
  constructor(
    private readonly store: EventStore,
    private readonly endpoints: WebhookEndpoints,
  ) {}

  /** Throws ClientNotFound, EndpointNotFound, and {@link InvalidRequest} for an `after` that is not there. */
  async execute(clientId: ClientId, endpointId: EndpointId, { limit, after }: PageRequest<string>): Promise<Page<DeliveryRecord, string>> {
    await findEndpoint(this.endpoints, clientId, endpointId);
    const records = recordsOf(await this.#latest(endpointId, limit, after)).toReversed();
    const begin = after === undefined ? 0 : records.findIndex(({ deliveryId }) => deliveryId === after) + 1;
    if (after !== undefined && begin === 0) throw new InvalidRequest('`after` is no id of this list.');
    const entries = records.slice(begin, begin + limit);
    const last = entries.at(-1);
    return { entries, ...(last && begin + limit < records.length && { next: last.deliveryId }) };
  }

  /** The end of the log: so much of it that it holds the additions of one more than these deliveries. What is missing of an older one does not matter. */
  async #latest(endpointId: EndpointId, limit: number, after: string | undefined): Promise<readonly DeliveryEvent[]> {
    const latest: RecordedEvent[] = [];
    let isPast = after === undefined;
    let wanted = limit + 1;
    while (wanted > 0 && latest.length < FAR_ENOUGH && latest.at(-1)?.revision !== 0) {
      const from = latest.at(-1)?.revision;
      const before = await this.store.read(deliveryLogStream(endpointId), { direction: 'backwards', limit: AT_ONCE, ...(from !== undefined && { from: from - 1 }) });
      for (const { type, data } of before) {
        if (type !== 'DeliveryAdded') continue;
        if (isPast) wanted--;
        isPast ||= data['deliveryId'] === after;
      }
      latest.push(...before);
      if (before.length < AT_ONCE) break;
    }
    return latest.toReversed() as unknown as readonly DeliveryEvent[];
  }
}

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
  return [...found.values()].map(({ delivery: { deliveryId, message, state, nextAt }, attempts }) => ({
    deliveryId,
    message,
    state,
    attempts,
    ...(state === 'pending' && { nextAt }),
  }));
};

const attemptOf = ({ at, status, error }: Extract<DeliveryEvent, { type: 'DeliveryAttempted' }>['data']) => ({
  at,
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
});
