import { type Clock, type EventId, type Randomness, retry } from '#kernel';

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
export const changeMetadata = (
  { clock, randomness, read, append }: MetadataParts,
  stream: StreamName,
  change: (metadata: StreamMetadata) => string,
): Promise<void> => {
  const attempt = async (): Promise<void> => {
    const metadata = metadataOf(stream, await read(metastreamOf(stream), LAST_EVENT));
    const event = { id: randomness.uuid<EventId>(), type: '$metadata', data: change(metadata) };
    await append(metastreamOf(stream), metadata.revision, [event]).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new StreamTombstoned(stream) : error;
    });
  };
  return retry(attempt, {
    waits: 0,
    when: (error) => error instanceof WrongExpectedRevision,
    until: { clock, time: clock.monotonic() + APPEND_BUDGET },
    exhausted: () => new EventStoreUnavailable(`the metadata of ${stream} stayed contended`),
  });
};

const metadataOf = (stream: StreamName, read: StreamRead): StreamMetadata => {
  if (read.stream === 'tombstoned') throw new StreamTombstoned(stream);
  const last = read.events[0]?.event;
  return last ? { revision: Number(last.revision), data: last.data as StreamMetadata['data'] } : NO_METADATA;
};
