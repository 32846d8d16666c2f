import { type EventId, type Randomness, uuidOfName } from '#kernel';

import type { StreamName } from './event-store.js';

/**
 * Ids for the events of one append: UUIDv5 (RFC 9562 section 5.5) of the stream and a running number, under a random id
 * made for this append. Two appends never share an id: the store takes equal ids at an equal revision for a
 * repetition and would tell both that they won.
 */
export const newEventIds = (randomness: Randomness, stream: StreamName, count: number): EventId[] => {
  const append = randomness.uuid();
  const ids: EventId[] = [];
  while (ids.length < count) ids.push(uuidOfName<EventId>(`${stream}/${ids.length}`, append));
  return ids;
};
