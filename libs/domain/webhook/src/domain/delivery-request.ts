import { type ClientId, type EndpointId, parseId } from '#kernel';
import type { Channel, CloudEvent } from '#engines/message-bus';
import { WEBHOOK_EVENT_TYPES } from '#domain/relying-party';

import { NOTICE_TYPES } from './client-notice.js';
import type { Delivery } from './delivery.js';
import type { WebhookMessage } from './delivery.events.js';

/** The second topic of webhooks. Its messages tell the owner of an endpoint which deliveries to record. The subject is the endpoint's id. */
export const DELIVERIES_TOPIC = 'webhooks.deliveries.v1';

/** The only consumer group of this topic: the dispatchers. The member that has an endpoint's partition owns the endpoint. */
export const DELIVERIES_GROUP = 'webhook-deliveries';

/** The types of its messages: {@link requested} and {@link retryRequested} make them. */
export const DELIVERY_REQUESTED = 'delivery.requested';
export const RETRY_REQUESTED = 'delivery.retry_requested';

/** A delivery that the owner of the endpoint has to record. */
export type NewDelivery = {
  readonly clientId: ClientId;
  readonly endpointId: EndpointId;
  readonly deliveryId: string;
  readonly message: WebhookMessage;
};

/** `attempts`: the number of attempts at the time of the request. So a repeated request does not retry a delivery again that was retried since. */
export type RetryRequest = NewDelivery & { readonly attempts: number };

/** A message that asks the owner to record a delivery. A repetition makes the same message. */
export const requested = (delivery: NewDelivery, traceparent?: string): CloudEvent<NewDelivery> => ({
  ...common(delivery, traceparent),
  id: delivery.deliveryId,
  type: DELIVERY_REQUESTED,
  data: delivery,
});

/** A message that asks the owner to make an ended delivery due again. */
export const retryRequested = (
  endpointId: EndpointId,
  { clientId, deliveryId, message, attempts }: Delivery,
  traceparent?: string,
): CloudEvent<RetryRequest> => {
  const data = { clientId, endpointId, deliveryId, message, attempts };
  return { ...common(data, traceparent), id: `${deliveryId}.${attempts}`, type: RETRY_REQUESTED, data };
};

const common = ({ endpointId, message }: NewDelivery, traceparent: string | undefined) => ({
  specversion: '1.0' as const,
  source: '/webhooks',
  subject: endpointId,
  time: new Date(message.happenedAt).toISOString(),
  esrevision: 0,
  ...(traceparent !== undefined && { traceparent }),
});

const TYPES: ReadonlySet<string> = new Set([DELIVERY_REQUESTED, RETRY_REQUESTED]);
const ANNOUNCED: ReadonlySet<unknown> = new Set([...WEBHOOK_EVENT_TYPES, ...NOTICE_TYPES, 'endpoint.ping']);

/** Far more attempts than any schedule has. */
const MOST_ATTEMPTS = 1_000_000;

/** The channel of delivery requests. It refuses messages that this release cannot have written. */
export const deliveryChannel: Channel = {
  topic: DELIVERIES_TOPIC,
  types: TYPES,
  refuse: ({ type, subject, data }) => {
    if (!TYPES.has(type)) return 'unknown type';
    const { endpointId, clientId, deliveryId, message, attempts } = data;
    const valid =
      endpointId === subject &&
      [endpointId, clientId, deliveryId].every((id) => typeof id === 'string' && parseId(id) === id) &&
      isMessage(message) &&
      (type === RETRY_REQUESTED ? isCount(attempts, MOST_ATTEMPTS) : attempts === undefined);
    return valid ? undefined : `data does not have the shape of ${type}`;
  },
};

const isProof = (proof: unknown): boolean => {
  if (typeof proof !== 'object' || proof === null) return false;
  const { by, proofId } = proof as { by?: unknown; proofId?: unknown };
  return by === 'address' ? typeof proofId === 'string' && parseId(proofId) === proofId : by === 'request' && proofId === undefined;
};

const isMessage = (message: unknown): message is WebhookMessage => {
  if (typeof message !== 'object' || message === null) return false;
  const { type, happenedAt, data, proof } = message as Partial<Record<keyof WebhookMessage, unknown>>;
  if (proof !== undefined && !(type === 'endpoint.ping' && isProof(proof))) return false;
  return ANNOUNCED.has(type) && isCount(happenedAt, LAST_TIME) && typeof data === 'object' && data !== null && !Array.isArray(data);
};

/** The last time of an ECMAScript Date, epoch milliseconds. */
const LAST_TIME = 8_640_000_000_000_000;

const isCount = (value: unknown, most: number): boolean => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
