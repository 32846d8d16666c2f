import type { ClientId } from '#kernel';

import type { DeliveryEnd, DeliveryEvent, WebhookMessage } from './delivery.events.js';

/** One message on its way to one endpoint. */
export interface Delivery {
  readonly deliveryId: string;
  readonly clientId: ClientId;
  readonly message: WebhookMessage;
  readonly state: 'pending' | DeliveryEnd;
  /** All attempts ever made. */
  readonly attempts: number;
  /** Attempts since its schedule began: the first time, or when staff asked for it again. */
  readonly tries: number;
  /** When the next attempt is due, epoch milliseconds. */
  readonly nextAt: number;
  /** Of the last event, epoch milliseconds. */
  readonly changedAt: number;
}

/** The delivery after the event. Undefined when the event does not follow: somebody else recorded first, and this did not happen. */
export const evolveDelivery = (delivery: Delivery | undefined, { type, data }: DeliveryEvent): Delivery | undefined => {
  if (type === 'DeliveryAdded') return delivery ? undefined : added(data);
  if (!delivery || (type === 'DeliveryRetried') === (delivery.state === 'pending')) return undefined;
  const { at } = data;
  switch (type) {
    case 'DeliveryAttempted':
      if (data.attempt !== delivery.attempts + 1) return undefined;
      return { ...delivery, state: data.end ?? 'pending', attempts: data.attempt, tries: delivery.tries + 1, nextAt: data.nextAt ?? at, changedAt: at };
    case 'DeliveryEnded':
      return { ...delivery, state: data.end, changedAt: at };
    case 'DeliveryRetried':
      return { ...delivery, state: 'pending', tries: 0, nextAt: at, changedAt: at };
  }
};

const added = ({ at, deliveryId, clientId, message }: Extract<DeliveryEvent, { type: 'DeliveryAdded' }>['data']): Delivery => ({
  deliveryId,
  clientId,
  message,
  state: 'pending',
  attempts: 0,
  tries: 0,
  nextAt: at,
  changedAt: at,
});

/** Deliveries to one endpoint wait for one another when they tell of the same session. */
export const laneOf = ({ deliveryId, message }: Delivery): string => message.data.sessionId ?? deliveryId;
