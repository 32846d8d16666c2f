import type { CloudEvent } from '#engines/message-bus';
import { WEBHOOK_EVENT_TYPES } from '#domain/relying-party';
import type { SessionFacts } from '#domain/session';

import type { WebhookMessage } from './delivery.events.js';

/**
 * The message that announces a session event, or undefined when webhooks do not announce it. They announce the statuses that polling shows
 * and no others, so a signing session is never announced as confirmed (specification/webhooks.md#event-types).
 */
export const webhookMessageOf = (event: CloudEvent<SessionFacts>): WebhookMessage | undefined => {
  const { type, data } = event;
  if (!(WEBHOOK_EVENT_TYPES as readonly string[]).includes(type)) return undefined;
  if (type === 'session.confirmed' && data.signatureType === 'SIGNING') return undefined;
  return messageOf(event);
};

/** What a message tells of a session event, whatever its type (specification/webhooks.md#body). */
export const messageOf = ({ type, esrevision, data: { sessionId, status, signatureType, at } }: CloudEvent<SessionFacts>): WebhookMessage => ({
  type,
  happenedAt: at,
  data: { sessionId, status, signatureType, sequence: esrevision },
});
