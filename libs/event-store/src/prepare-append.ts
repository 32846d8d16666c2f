import { parseId } from '#kernel';

import { AppendTooLarge, type ExpectedRevision, MAX_APPEND_BYTES, type NewEvent, NO_STREAM, type StreamName } from './event-store.js';

/** An event as it goes to disk or onto the wire. */
export interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
}

/**
 * What every adapter checks before it asks its store. Throws {@link AppendTooLarge}; a TypeError for no events,
 * for an id that is no UUID, for a revision that is no whole number from 0 on and for data that is not JSON.
 */
export const prepareAppend = (stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[]): PreparedEvent[] => {
  if (expected !== NO_STREAM && !(Number.isSafeInteger(expected) && expected >= 0)) throw new TypeError(`${expected} is no revision`);
  if (events.length === 0) throw new TypeError(`nothing to append to ${stream}`);
  const prepared = events.map(({ id, type, data }) => {
    if (parseId(id) !== id) throw new TypeError(`an event for ${stream} has an id that is no lower case UUID: ${id}`);
    return { id, type, data: JSON.stringify(data) };
  });
  const bytes = prepared.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream);
  return prepared;
};
