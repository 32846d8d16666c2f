import type { EventId, JsonObject } from '#kernel';

import type { EventMetadata, RecordedEvent, StreamName } from '../event-store.js';
import type { StoredRecord } from './stored-record.js';

/** Nothing for the server's own events, such as the tombstone in a stream of ours. */
export const recordedEvent = ({ event }: { readonly event?: StoredRecord }): RecordedEvent | undefined => {
  if (!event || event.type.startsWith('$')) return undefined;
  return {
    stream: event.streamId as StreamName,
    revision: Number(event.revision),
    // The server counts in bytes of its log; each event has a place of its own, also within one append.
    position: event.position!.commit,
    id: event.id as EventId,
    type: event.type,
    data: event.data as JsonObject,
    ...(isMetadata(event.metadata) && { metadata: withoutSchema(event.metadata) }),
  };
};

/** Absent of an event that another program has written to the server. */
const isMetadata = (metadata: unknown): metadata is EventMetadata => typeof metadata === 'object' && metadata !== null && 'v' in metadata;

/** KurrentDB shows members of its own in the metadata of an event that was appended together with others. */
const withoutSchema = (metadata: EventMetadata): EventMetadata => {
  if (!('$schema.name' in metadata)) return metadata;
  const { '$schema.name': _name, '$schema.format': _format, ...own } = metadata;
  return own as EventMetadata;
};
