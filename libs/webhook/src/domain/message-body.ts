import { epochSeconds, type Secret } from '#kernel';

import type { WebhookMessage } from './delivery.events.js';
import { webhookSignature } from './webhook-secret.js';

export interface SignedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An attempt as it goes over the wire (Standard Webhooks 1.0, api-extensions 6): the same id and body each time, its own time-stamp. `now`: epoch milliseconds. */
export const signedMessage = (id: string, message: WebhookMessage, secrets: readonly Secret<string>[], now: number): SignedMessage => {
  const body = JSON.stringify({ type: message.type, timestamp: new Date(message.happenedAt).toISOString(), data: message.data });
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
