import type { EventMetadata, NewEvent, RecordedEvent } from '#engines/event-store';
import { evolve, isSessionEvent, metadataAfter, type Session } from '#domain/session';

/** The events with the metadata that a session stores with them, after the events before. Events that have metadata keep it; one of unknown type changes no status. */
export const enveloped = (
  events: readonly NewEvent[],
  before: readonly RecordedEvent[] = [],
): readonly (NewEvent & { metadata: EventMetadata })[] => {
  let session: Session = before.filter(isSessionEvent).reduce<Session>(evolve, { status: 'NONE' });
  return events.map((event) => {
    const recorded = event as RecordedEvent;
    if (isSessionEvent(recorded)) session = evolve(session, recorded);
    return { ...event, metadata: event.metadata ?? metadataAfter(session) };
  });
};
