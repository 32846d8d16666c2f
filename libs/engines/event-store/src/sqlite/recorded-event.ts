import { type EventId, type Json, type JsonObject, withNotes } from '#kernel';

import type { EventMetadata, RecordedEvent, StreamName } from '../event-store.js';
import type { RecentEvent } from './recent-event.js';
import type { EventRow } from './statements.js';

/** About the size of an event in memory beside its data, in characters. */
const ROW_CHARACTERS = 512;

export const recordedEvent = (stream: StreamName, row: EventRow): RecordedEvent =>
  Object.freeze(
    withNotes({
      stream,
      revision: row.revision,
      position: BigInt(row.position),
      id: row.id as EventId,
      type: row.type,
      data: frozen(JSON.parse(row.data) as JsonObject),
      metadata: frozen(JSON.parse(row.metadata) as EventMetadata),
    }),
  );

export const recentEvent = (stream: StreamName, row: EventRow): RecentEvent => ({
  event: recordedEvent(stream, row),
  expiresAt: row.maxAge === null ? Infinity : row.at + row.maxAge,
  size: ROW_CHARACTERS + row.data.length + row.metadata.length,
});

/** Frozen at every depth, since recent events are shared between callers. Does not recurse: JSON may be deeper than the stack. */
const frozen = <Value extends Json>(value: Value): Value => {
  const open: unknown[] = [value];
  for (const next of open) {
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(Object.freeze(next))) open.push(member);
  }
  return value;
};
