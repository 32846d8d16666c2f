import { epochSeconds, type Secret } from '#kernel';

import type { WebhookMessage } from './delivery.events.js';
import { webhookSignature } from './webhook-secret.js';

export interface SignedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The body that every attempt sends (specification/webhooks.md#body). */
export const bodyOf = ({ type, happenedAt, data }: WebhookMessage): string =>
  JSON.stringify({ type, timestamp: new Date(happenedAt).toISOString(), data });

/** The request of one attempt (Standard Webhooks 1.0, specification/webhooks.md#headers-and-signature): id and body are the same each time, the time-stamp is its own. `now`: epoch milliseconds. */
export const signedMessage = (id: string, message: WebhookMessage, secrets: readonly Secret<string>[], now: number): SignedMessage => {
  const body = bodyOf(message);
  const timestamp = epochSeconds(now);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Countersign-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature({ id, timestamp, body }, secrets),
    },
  };
};
