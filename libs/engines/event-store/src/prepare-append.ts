import { type EventId, parseId, type Randomness } from '#kernel';

import { newEventIds } from './event-ids.js';
import {
  type AppendOptions,
  AppendTooLarge,
  type EventMetadata,
  type ExpectedRevision,
  MAX_APPEND_BYTES,
  type NewEvent,
  NO_STREAM,
  type StreamName,
} from './event-store.js';

/** An event as it goes to disk or onto the wire. */
export interface PreparedEvent {
  readonly id: EventId;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  /** JSON text. */
  readonly metadata: string;
}

/** The arguments of {@link EventStore.append}. */
export interface AppendArguments extends AppendOptions {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

/**
 * Every adapter calls it before it asks its store: checks the arguments and gives the events their ids. Throws
 * {@link AppendTooLarge}; a TypeError for no events, for ids that are no lower-case UUIDs or not as many as the events,
 * for a revision that is no whole number from 0 on, for a version that is none from 1 on and for data that is not JSON.
 */
export const prepareAppend = (randomness: Randomness, { stream, expected, events, ids, texts }: AppendArguments): PreparedEvent[] => {
  if (expected !== NO_STREAM && !(Number.isSafeInteger(expected) && expected >= 0)) throw new TypeError(`${expected} is no revision`);
  if (events.length === 0) throw new TypeError(`nothing to append to ${stream}`);
  if (ids) checkIds(stream, events.length, ids);
  const storedIds = ids ?? newEventIds(randomness, stream, events.length);
  const prepared = events.map(({ type, data, metadata }, index) => ({
    id: storedIds[index] as EventId,
    type,
    data: texts?.[index] ?? dataText(data),
    metadata: metadataText(metadata),
  }));
  const bytes = prepared.reduce((sum, event) => sum + sizeOf(event), 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream);
  return prepared;
};

/** Every adapter with transactions calls it. Throws a TypeError for a stream that is named twice. */
export const assertNamedOnce = (...named: readonly (readonly { readonly stream: StreamName }[])[]): void => {
  const streams = named.flat().map(({ stream }) => stream);
  if (new Set(streams).size < streams.length) throw new TypeError('one stream is named twice');
};

/** As EventStoreDB 24.10 counts it into its limit of an append. */
const sizeOf = ({ type, data, metadata }: PreparedEvent): number => 2 * type.length + Buffer.byteLength(data) + Buffer.byteLength(metadata);

/** The data of an event as it is stored. */
export const dataText = (data: NewEvent['data']): string => JSON.stringify(data);

const DEFAULT_METADATA = JSON.stringify({ v: 1 } satisfies EventMetadata);

const metadataText = (metadata: EventMetadata | undefined): string => {
  if (!metadata) return DEFAULT_METADATA;
  if (!Number.isSafeInteger(metadata.v) || metadata.v < 1) throw new TypeError(`${metadata.v} is no version of an event`);
  return JSON.stringify(metadata);
};

const checkIds = (stream: StreamName, count: number, ids: readonly EventId[]): void => {
  if (ids.length !== count) throw new TypeError(`${count} events for ${stream} need as many ids, not ${ids.length}`);
  for (const id of ids) if (parseId(id) !== id) throw new TypeError(`an event for ${stream} has an id that is no lower case UUID: ${id}`);
};
