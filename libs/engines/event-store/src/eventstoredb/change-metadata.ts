import type { Clock, EventId, Randomness } from '#kernel';

import {
  type AppendResult,
  EventStoreUnavailable,
  type ExpectedRevision,
  type StreamName,
  StreamTombstoned,
  WrongExpectedRevision,
} from '../event-store.js';
import type { ProposedEvent } from './append-messages.js';
import { LAST_EVENT, type StreamRead } from './read-stream.js';
import { APPEND_BUDGET } from './settle-append.js';
import { metastreamOf, NO_METADATA, type StreamMetadata } from './stream-metadata.js';

export interface MetadataParts {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly read: (stream: StreamName, options: typeof LAST_EVENT) => Promise<StreamRead>;
  readonly append: (stream: StreamName, expected: ExpectedRevision, events: readonly ProposedEvent[]) => Promise<AppendResult>;
}

/**
 * Changes the metadata of a stream, also while other writers change it; `change` answers the new metadata, JSON text. Not `decideAndAppend`:
 * that appends through the port, which has no name for a metadata stream and takes no JSON text; `$tb` may exceed what a JavaScript number
 * holds. Throws StreamTombstoned, EventStoreUnavailable.
 */
export const changeMetadata = async (
  { clock, randomness, read, append }: MetadataParts,
  stream: StreamName,
  change: (metadata: StreamMetadata) => string,
): Promise<void> => {
  const giveUpAt = clock.monotonic() + APPEND_BUDGET;
  for (;;) {
    const metadata = metadataOf(stream, await read(metastreamOf(stream), LAST_EVENT));
    const event = { id: randomness.uuid<EventId>(), type: '$metadata', data: change(metadata) };
    try {
      await append(metastreamOf(stream), metadata.revision, [event]);
      return;
    } catch (error) {
      if (error instanceof StreamTombstoned) throw new StreamTombstoned(stream);
      if (!(error instanceof WrongExpectedRevision)) throw error;
      if (clock.monotonic() >= giveUpAt) throw new EventStoreUnavailable(`the metadata of ${stream} stayed contended`);
    }
  }
};

const metadataOf = (stream: StreamName, read: StreamRead): StreamMetadata => {
  if (read.stream === 'tombstoned') throw new StreamTombstoned(stream);
  const last = read.events[0]?.event;
  return last ? { revision: Number(last.revision), data: last.data as StreamMetadata['data'] } : NO_METADATA;
};
