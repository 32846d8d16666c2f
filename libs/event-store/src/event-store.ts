import { type Brand, type DomainEvent, type EventId, type JsonObject, ServiceUnavailable } from '#kernel';

/** `<category>-<id>`. The category holds no `-`, since EventStoreDB splits at the first one. */
export type StreamName = Brand<string, 'StreamName'>;

export const streamName = (category: string, id: string): StreamName => `${category}-${id}` as StreamName;

export const categoryOf = (stream: StreamName): string => stream.slice(0, stream.indexOf('-'));

/** Where an event lies in the whole store. Positions only grow; they have gaps. */
export type Position = bigint;

/** The stream must hold no event yet (or have been deleted). */
export const NO_STREAM = 'no_stream';

/** What the writer believes is the stream's last revision. There is no "any": every append is a decision. */
export type ExpectedRevision = number | typeof NO_STREAM;

export interface NewEvent extends DomainEvent {
  /** Belongs to one request (see {@link EventIds}): only the repetition of the same append uses it again. */
  readonly id: EventId;
}

export interface RecordedEvent<Data extends JsonObject = JsonObject> extends NewEvent {
  readonly data: Data;
  readonly stream: StreamName;
  /** 0 for the first event of a stream, then without holes. */
  readonly revision: number;
  readonly position: Position;
}

export interface ReadOptions {
  /** Default `forwards`. */
  readonly direction?: 'forwards' | 'backwards';
  /** The revision to begin with, that one included. Default: the stream's begin or end, by direction. */
  readonly from?: number;
  /** At least 1. Default: all. */
  readonly limit?: number;
}

export interface SubscribeOptions {
  /** The position after which to begin, that one excluded. Default: the begin of the store. `end` skips all history. */
  readonly after?: Position | 'end';
  /** Only events of these categories. */
  readonly categories: readonly string[];
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** An event, or the note that all events stored so far have been handed over (given again after each reconnection). */
export type SubscriptionItem = RecordedEvent | 'caught-up';

export interface Retention {
  /** Whole seconds by the store's clock: an older event is not read any more. */
  readonly maxAge?: number;
  /** Only the newest so many events are read. */
  readonly maxCount?: number;
}

export interface AppendResult {
  /** Of the last event appended. */
  readonly revision: number;
}

/** The stream is not at the expected revision: somebody else decided first. Reload and decide again. */
export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    /** Where the stream really is: its last revision, also when that event has expired. */
    readonly actual: ExpectedRevision,
  ) {
    super(`${stream} is at ${actual}, not at ${expected}`);
    this.name = 'WrongExpectedRevision';
  }
}

/** The stream was tombstoned: it takes no event for ever. */
export class StreamTombstoned extends Error {
  constructor(readonly stream: StreamName) {
    super(`${stream} is tombstoned`);
    this.name = 'StreamTombstoned';
  }
}

/** More than 1 MiB in one append. Nothing was stored. */
export class AppendTooLarge extends Error {
  constructor(readonly stream: StreamName) {
    super(`an append to ${stream} exceeds ${MAX_APPEND_BYTES} bytes`);
    this.name = 'AppendTooLarge';
  }
}

/** The store is away, or did not say in time what became of an append. */
export class EventStoreUnavailable extends ServiceUnavailable {}

/** EventStoreDB's default limit of one append, which every adapter keeps. Bytes of the events' JSON data. */
export const MAX_APPEND_BYTES = 1024 * 1024;

/**
 * The source of truth: streams of events that are only ever appended to.
 *
 * What an implementation guarantees is written out, rule by rule, in `event-store.contract.ts`. Every method
 * throws {@link EventStoreUnavailable} while the store cannot be reached.
 */
export abstract class EventStore {
  /**
   * Appends the events, all or none, if the stream is at the expected revision. They are on disk when this
   * resolves. Repeating an append (same ids, same expected revision) answers what the first one answered
   * and stores nothing; so does a prefix of its ids.
   *
   * Throws {@link WrongExpectedRevision}, {@link StreamTombstoned}, {@link AppendTooLarge}; a TypeError for no events.
   */
  abstract append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /**
   * The events of a stream, in order of `direction`. Empty when the stream does not exist, was deleted or
   * tombstoned, when all its events have expired, or when `from` lies past its end. Sees every append that was answered.
   */
  abstract read(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent[]>;

  /**
   * All events of the categories, from history into the present, in order of position and without a gap. Goes on
   * over a loss of the connection, and ends only by its signal. May still hand over events that reads no
   * longer show: expired or deleted ones stay until their space is reclaimed.
   */
  abstract subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionItem>;

  /** Sets how long a stream's events are kept; replaces what was set. May come before the first event, which is then still NO_STREAM. */
  abstract setRetention(stream: StreamName, retention: Retention): Promise<void>;

  /** Erases the stream's events. It may begin again (NO_STREAM), at the next revision. Nothing happens when there is none. */
  abstract delete(stream: StreamName): Promise<void>;

  /** Erases the stream's events and closes it for ever, also one that does not exist yet. Repeating it does nothing. */
  abstract tombstone(stream: StreamName): Promise<void>;

  /** Resolves when the store can take a write now. */
  abstract check(): Promise<void>;

  /** Resolves when everything accepted so far is on disk; the store takes nothing afterwards. */
  abstract close(): Promise<void>;
}
