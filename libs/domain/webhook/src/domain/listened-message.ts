import type { CloudEvent } from '#engines/message-bus';
import { InvalidRequest } from '#kernel';
import { WEBHOOK_EVENT_TYPES } from '#domain/relying-party';
import type { SessionFacts } from '#domain/session';

import type { WebhookMessage } from './delivery.events.js';
import { messageOf, webhookMessageOf } from './webhook-message.js';

/** What a listener may hear of (specification/relying-party.md#get-events): the beginning of a session, and all that webhooks announce. */
export const LISTENED_TYPES = ['session.created', ...WEBHOOK_EVENT_TYPES] as const;

/** The message about a session event, or undefined when listeners hear nothing of it. What a webhook announces, a listener hears in the same words. */
export const listenedMessageOf = (event: CloudEvent<SessionFacts>): WebhookMessage | undefined =>
  event.type === 'session.created' ? messageOf(event) : webhookMessageOf(event);

/** Reads the parameter `types`, a list with commas; default: what webhooks announce. Throws InvalidRequest for a type that there is not. */
export const parseTypes = (types: unknown): ReadonlySet<string> => {
  if (types === undefined) return new Set(WEBHOOK_EVENT_TYPES);
  const named = typeof types === 'string' ? types.split(',') : [];
  if (named.length > 0 && named.every((type) => (LISTENED_TYPES as readonly string[]).includes(type))) return new Set(named);
  throw new InvalidRequest(`\`types\` must list, with commas, some of ${LISTENED_TYPES.join(', ')}`);
};
