import type { ClientId, Clock, EndpointId } from '#kernel';
import { type EventStore, history } from '#event-store';
import type { WebhookEndpoints } from '#relying-party';
import { SessionPublication } from '#session';

import { announced } from '../domain/announced.js';
import type { WebhookMessage } from '../domain/delivery.events.js';
import type { DeliveryLog, DeliveryLogs } from '../delivery/delivery-log.js';
import type { WebhookJobs } from '../delivery/webhook-jobs.js';
import { type AddDelivery, deliveryIdOf, type NewDelivery } from './add-delivery.js';
import { findEndpoint } from './webhook-endpoint-use-cases.js';

export interface Span {
  /** Epoch milliseconds, the first included, the last not. */
  readonly since: number;
  readonly until: number;
}

/** So many are put on their way side by side. */
const AT_ONCE = 200;

export interface RecoverParts {
  readonly eventStore: EventStore;
  readonly endpoints: WebhookEndpoints;
  readonly logs: DeliveryLogs;
  readonly jobs: WebhookJobs;
  readonly addDelivery: AddDelivery;
  readonly clock: Clock;
}

/** After a receiver has been away: sends again what happened in a span of time and did not arrive, also what was never tried. */
export class RecoverDeliveries {
  readonly #publication: SessionPublication;

  constructor(private readonly parts: RecoverParts) {
    this.#publication = new SessionPublication(parts.eventStore);
  }

  /** How many are due now. Reads every session that the store still holds. Throws ClientNotFound and EndpointNotFound. */
  async execute(clientId: ClientId, endpointId: EndpointId, span: Span): Promise<number> {
    const { eventTypes } = await findEndpoint(this.parts.endpoints, clientId, endpointId);
    const log = await this.parts.logs.of(endpointId);
    await log.refresh();
    let count = 0;
    let found: NewDelivery[] = [];
    const sendAgain = async (): Promise<void> => {
      const outcomes = await Promise.all(found.map((delivery) => this.#again(log, delivery)));
      count += outcomes.filter(Boolean).length;
      found = [];
    };
    for await (const { id, message } of this.#happened(clientId, span)) {
      if (!(eventTypes as readonly string[]).includes(message.type)) continue;
      found.push({ clientId, endpointId, deliveryId: deliveryIdOf(endpointId, id), message });
      if (found.length >= AT_ONCE) await sendAgain();
    }
    await sendAgain();
    return count;
  }

  async *#happened(clientId: ClientId, { since, until }: Span): AsyncGenerator<{ readonly id: string; readonly message: WebhookMessage }> {
    for await (const event of history(this.parts.eventStore, this.#publication.categories)) {
      const at = event.data.at;
      if (typeof at !== 'number' || at < since || at >= until) continue;
      const told = await this.#publication.message(event).catch(() => undefined); // newer than this version
      const message = told?.data.clientId === clientId ? announced(told) : undefined;
      if (message) yield { id: event.id, message };
    }
  }

  async #again(log: DeliveryLog, delivery: NewDelivery): Promise<boolean> {
    const { jobs, addDelivery, clock } = this.parts;
    const { deliveryId } = delivery;
    const known = log.get(deliveryId);
    if (!known) return (await addDelivery.execute(delivery)) !== undefined;
    if (known.state === 'pending' || known.state === 'succeeded') return false;
    const retried = await log.record({ type: 'DeliveryRetried', data: { at: clock.now(), deliveryId } });
    if (retried) await jobs.schedule(log, retried);
    return retried !== undefined;
  }
}
