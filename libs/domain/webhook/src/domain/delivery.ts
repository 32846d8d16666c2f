import type { ClientId } from '#kernel';

import { firstProofAt } from './proof-schedule.js';
import type { DeliveryEnd, DeliveryEvent, WebhookMessage } from './delivery.events.js';

/** One message on its way to one endpoint. */
export interface Delivery {
  readonly deliveryId: string;
  readonly clientId: ClientId;
  readonly message: WebhookMessage;
  readonly state: 'pending' | DeliveryEnd;
  /** All attempts made so far. */
  readonly attempts: number;
  /** Attempts since its schedule began: at its addition, or at its last retry. */
  readonly tries: number;
  /** When the next attempt is due, epoch milliseconds. */
  readonly nextAt: number;
  /** Of the last event, epoch milliseconds. */
  readonly changedAt: number;
}

/**
 * The delivery after the event. Undefined when the event does not apply, because another process recorded first. A retry of an unknown
 * delivery begins it.
 */
export const evolveDelivery = (delivery: Delivery | undefined, { type, data }: DeliveryEvent): Delivery | undefined => {
  if (type === 'DeliveryAdded') return delivery ? undefined : pendingFrom(data, 0);
  if (type === 'DeliveryRetried' && !delivery) return pendingFrom({ ...data, ...data.again }, data.again.attempts);
  if (!delivery || (type === 'DeliveryRetried') === (delivery.state === 'pending')) return undefined;
  const { at } = data;
  switch (type) {
    case 'DeliveryAttempted':
      if (data.attempt !== delivery.attempts + 1) return undefined;
      return {
        ...delivery,
        state: data.end ?? 'pending',
        attempts: data.attempt,
        tries: delivery.tries + 1,
        nextAt: data.nextAt ?? at,
        changedAt: at,
      };
    case 'DeliveryEnded':
      return { ...delivery, state: data.end, changedAt: at };
    case 'DeliveryRetried':
      return { ...delivery, state: 'pending', tries: 0, nextAt: at, changedAt: at };
  }
};

type Beginning = Pick<Delivery, 'deliveryId' | 'clientId' | 'message'> & { readonly at: number };

const pendingFrom = ({ at, deliveryId, clientId, message }: Beginning, attempts: number): Delivery => ({
  deliveryId,
  clientId,
  message,
  state: 'pending',
  attempts,
  tries: 0,
  nextAt: message.proof?.by === 'address' ? firstProofAt(message.happenedAt, at) : at,
  changedAt: at,
});

/** The event that makes a delivery due again which has ended. `at`: epoch milliseconds. */
export const retriedAt = (at: number, { deliveryId, clientId, message, attempts }: Delivery): DeliveryEvent => ({
  type: 'DeliveryRetried',
  data: { at, deliveryId, again: { clientId, message, attempts } },
});

/** Deliveries to one endpoint that announce the same session share a lane: one attempt at a time (specification/webhooks.md#order). */
export const laneOf = ({ deliveryId, message }: Delivery): string => message.data.sessionId ?? deliveryId;
