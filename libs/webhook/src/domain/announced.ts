import type { CloudEvent } from '#message-bus';
import { WEBHOOK_EVENT_TYPES } from '#relying-party';
import type { SessionFacts } from '#session';

import type { WebhookMessage } from './delivery.events.js';

/**
 * The message that a webhook makes of a session event, or undefined when it makes none: the statuses that polling shows and no
 * others, so a signing session is never announced as confirmed (api-extensions 6).
 */
export const announced = ({ type, esrevision, data }: CloudEvent<SessionFacts>): WebhookMessage | undefined => {
  const { sessionId, status, signatureType, at } = data;
  if (!(WEBHOOK_EVENT_TYPES as readonly string[]).includes(type)) return undefined;
  if (type === 'session.confirmed' && signatureType === 'SIGNING') return undefined;
  return { type, happenedAt: at, data: { sessionId, status, signatureType, sequence: esrevision } };
};
