import type { CloudEvent } from '#engines/message-bus';
import { WEBHOOK_EVENT_TYPES } from '#domain/relying-party';
import type { SessionFacts } from '#domain/session';

import type { WebhookMessage } from './delivery.events.js';

/**
 * The message that announces a session event, or undefined when webhooks do not announce it. They announce the statuses that polling shows
 * and no others, so a signing session is never announced as confirmed (specification/webhooks.md#event-types).
 */
export const webhookMessageOf = ({ type, esrevision, data }: CloudEvent<SessionFacts>): WebhookMessage | undefined => {
  const { sessionId, status, signatureType, at } = data;
  if (!(WEBHOOK_EVENT_TYPES as readonly string[]).includes(type)) return undefined;
  if (type === 'session.confirmed' && signatureType === 'SIGNING') return undefined;
  return { type, happenedAt: at, data: { sessionId, status, signatureType, sequence: esrevision } };
};
