import type { DomainEvent, Randomness } from '#kernel';

import { EventIds } from './event-ids.js';
import { type EventStore, type ExpectedRevision, NO_STREAM, type StreamName, WrongExpectedRevision } from './event-store.js';

/**
 * Appends an event to a stream that is a log or a record and decides nothing (an inbox, a person's data):
 * wherever the stream stands, after whatever came before. Still an exact revision, taken from the conflict.
 */
export const appendFact = async (store: EventStore, randomness: Randomness, stream: StreamName, event: DomainEvent): Promise<void> => {
  const ids = new EventIds(randomness);
  const last = await store.read(stream, { direction: 'backwards', limit: 1 });
  let expected: ExpectedRevision = last[0]?.revision ?? NO_STREAM;
  for (;;) {
    try {
      await store.append(stream, expected, [{ ...event, id: ids.next(stream) }]);
      return;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      expected = error.actual;
    }
  }
};
