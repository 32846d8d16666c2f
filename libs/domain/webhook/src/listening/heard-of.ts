import type { RecordedEvent } from '#engines/event-store';
import { type SessionPublication, unlessUnpublishable } from '#domain/session';

import { listenedMessageOf } from '../domain/listened-message.js';
import type { HeardMessage } from './listener.js';

/** The client of a session's event, as its metadata names it. */
export const clientOf = ({ metadata }: Pick<RecordedEvent, 'metadata'>): string | undefined => {
  const clientId = metadata?.['clientId'];
  return typeof clientId === 'string' ? clientId : undefined;
};

/** What listeners hear of a stored event. Undefined where that is nothing, and for an event that this release cannot publish. */
export const heardOf = async (publication: Pick<SessionPublication, 'message'>, event: RecordedEvent): Promise<HeardMessage | undefined> => {
  const published = await publication.message(event).catch(unlessUnpublishable);
  const message = published && listenedMessageOf(published);
  return message && { eventId: event.id, message, place: { position: event.position, id: event.id } };
};
