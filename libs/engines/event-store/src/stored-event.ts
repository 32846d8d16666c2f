import type { Brand, DomainEvent, EventId, JsonObject } from '#kernel';

/** `<category>-<id>`. The category holds no `-`, since EventStoreDB splits at the first one. */
export type StreamName = Brand<string, 'StreamName'>;

export const streamName = (category: string, id: string): StreamName => `${category}-${id}` as StreamName;

/** The part of a stream's name after the category: the id of the stream's subject. */
export const idOf = <Id extends string = string>(stream: StreamName): Id => stream.slice(stream.indexOf('-') + 1) as Id;

export const categoryOf = (stream: StreamName): string => stream.slice(0, stream.indexOf('-'));

/** The place of an event in the whole store. Positions only grow; they have gaps. */
export type Position = bigint;

/** The position of an event and its id. The id shows whether a copy of the store has the same event at this position. */
export interface Place {
  readonly position: Position;
  readonly id: EventId;
}

/** A place that a reader has kept, with `marksUpTo` of the store of the time when it kept the place. */
export interface KeptPlace extends Place {
  /** In order of position, none after the place. */
  readonly marks?: readonly Place[];
}

/**
 * The envelope of an event: the facts that a consumer needs beside its data, so that it never folds a stream to learn what the event means. Writers of
 * one category may add members of their own; older readers ignore those that they do not know. Nothing secret or personal.
 */
export type EventMetadata = JsonObject & {
  /** The version of the event's shape. 1 unless the writer names another. */
  readonly v: number;
  /** W3C Trace Context: of the request that caused the event. */
  readonly traceparent?: string;
  /** Message authentication code of the event. */
  readonly mac?: string;
};

/** An event to be appended. */
export type NewEvent<Event extends DomainEvent = DomainEvent> = Event & {
  /** Default: version 1 and nothing else. */
  readonly metadata?: EventMetadata;
};

/** An event as the store holds it. The type parameter names the events that the stream is known to hold; nothing checks it. */
export type RecordedEvent<Event extends DomainEvent = DomainEvent> = Event & {
  /** Made by the store. No two appends share one, unless the second repeats the first. */
  readonly id: EventId;
  readonly stream: StreamName;
  /** 0 for the first event of a stream, then without holes. */
  readonly revision: number;
  readonly position: Position;
  /** Absent of an event that no service has stored: the store shows what others wrote to it, too. */
  readonly metadata?: EventMetadata;
};
