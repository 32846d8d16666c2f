import { type DomainEvent, type EventId, ServiceUnavailable } from '#kernel';

import type { NewEvent, Place, Position, RecordedEvent, StreamName } from './stored-event.js';
import type { SubscribeOptions, SubscriptionItem } from './subscribe-options.js';

export {
  categoryOf,
  type EventMetadata,
  idOf,
  type KeptPlace,
  type NewEvent,
  type Place,
  type Position,
  type RecordedEvent,
  type StreamName,
  streamName,
} from './stored-event.js';
export type { SubscribeOptions, SubscriptionItem } from './subscribe-options.js';

/** The stream must never have held an event. */
export const NO_STREAM = 'no_stream';

/** The stream's last revision as the writer knows it. There is no "any": every append is a decision. */
export type ExpectedRevision = number | typeof NO_STREAM;

export interface AppendOptions {
  /**
   * The ids of an earlier append whose outcome is unknown, one for each event, in order: this append repeats that one.
   * Default: the store makes new ids.
   */
  readonly ids?: readonly EventId[];
  /** The JSON text of the data of each event, in order, of a caller that has made it. Default: the store makes it. */
  readonly texts?: readonly string[];
  /**
   * Called with the events as reads and subscriptions will hand them over from the memory of this process: the same objects, before anyone gets one of them. A store that
   * does not keep them does not call it, nor does one that has stored nothing, since the append repeats another one.
   */
  readonly kept?: (events: readonly RecordedEvent[]) => void;
}

/** An append to one of several streams, all in one transaction. */
export interface StreamAppend extends AppendOptions {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
}

/** A stream that was read, and is not to have changed since. */
export type StreamRevision = Pick<StreamAppend, 'stream' | 'expected'>;

export interface ReadOptions {
  /** Default `forwards`. */
  readonly direction?: 'forwards' | 'backwards';
  /** The revision to begin with, that one included. Default: the stream's start or end, by direction. */
  readonly from?: number;
  /** At least 1. Default: all. */
  readonly limit?: number;
}

export interface Retention {
  /** Whole seconds by the store's clock: an older event is not read any more. */
  readonly maxAge?: number;
  /** Only the newest so many events are read. */
  readonly maxCount?: number;
}

export interface AppendResult {
  /** Of the last event appended. */
  readonly revision: number;
  /** The ids under which the events are stored, in their order. */
  readonly ids: readonly EventId[];
}

/**
 * The stream is not at the expected revision: another writer decided first. Reload and decide again. Every read through any adapter
 * object of this process that follows it shows the stream up to {@link actual}; when it shows less, those events have expired.
 */
export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: StreamName,
    readonly expected: ExpectedRevision,
    /** The last revision of the stream, also when that event has expired. */
    readonly actual: ExpectedRevision,
  ) {
    super(`${stream} is at ${actual}, not at ${expected}`);
    this.name = 'WrongExpectedRevision';
  }
}

/** The stream was tombstoned. It takes no further event. */
export class StreamTombstoned extends Error {
  constructor(readonly stream: StreamName) {
    super(`${stream} is tombstoned`);
    this.name = 'StreamTombstoned';
  }
}

export { SubscriptionRefused } from './subscription-refused.js';

/** More than {@link MAX_APPEND_BYTES} in one append. Nothing was stored. */
export class AppendTooLarge extends Error {
  constructor(readonly stream: StreamName) {
    super(`an append to ${stream} exceeds ${MAX_APPEND_BYTES} bytes`);
    this.name = 'AppendTooLarge';
  }
}

/** The store is unavailable, or the outcome of an append was not known in time. */
export class EventStoreUnavailable extends ServiceUnavailable {}

/** The limit of one append, which every adapter keeps: of EventStoreDB 24.10. Bytes of JSON data and metadata (a MAC of the process too), and two a character of types. */
export const MAX_APPEND_BYTES = 1024 * 1024;

/**
 * The source of truth: streams of events that are only ever appended to.
 *
 * `event-store.contract.ts` states the guarantees, rule by rule. Every method throws {@link EventStoreUnavailable} while it cannot reach the store.
 */
export abstract class EventStore {
  /** Called by readers of aggregates with each stored event that only a newer release knows, each time they meet it. Set by the process, which counts. */
  onNewerEvent: (event: RecordedEvent) => void = () => undefined;

  /**
   * Appends the events with their metadata, all or none, if the stream is at the expected revision. They are on disk when this
   * resolves. The store makes their ids, new ones for each append, so that two appends are never taken for one. While
   * the outcome of a try is unknown, the store repeats it by itself, with the same ids. A caller that repeats an
   * append passes the ids of the first one: same ids at the same expected revision answer what the first append
   * answered and store nothing; so does a prefix of its ids.
   *
   * Throws {@link WrongExpectedRevision}, {@link StreamTombstoned}, {@link AppendTooLarge}; a TypeError for no events,
   * for ids that are no lower-case UUIDs or not as many as the events, and for a version that is no whole number from 1 on.
   */
  abstract append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult>;

  /**
   * Appends to streams, each named once, in one transaction: all of it, or nothing where one of them or a stream of `unchanged` is at another revision.
   * Undefined, and nothing is stored, where the store has no transaction over these streams; the caller then appends to one after the other. A tombstoned stream of `unchanged` is
   * as it is read: empty. With the ids of a call that was stored it answers what that one answered and stores nothing, also when a stream of `unchanged` has changed since.
   * Throws as {@link append} does when one of the appends is refused, and {@link WrongExpectedRevision} for a stream of `unchanged` that has changed. Nothing is stored then.
   */
  appendTogether(_appends: readonly StreamAppend[], _unchanged: readonly StreamRevision[] = []): Promise<readonly AppendResult[] | undefined> {
    return Promise.resolve(undefined);
  }

  /**
   * The events of a stream, in order of `direction`. Empty when the stream does not exist or was
   * tombstoned, when all its events have expired, or when `from` lies past its end. Sees every append that was answered.
   */
  abstract read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]>;

  /**
   * The whole stream without a promise, exactly as {@link read} would answer it now: the same list. Undefined when only a read tells, which is always so where
   * another process may write to the store.
   */
  recent<Event extends DomainEvent = DomainEvent>(_stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return undefined;
  }

  /**
   * All events of the categories, from history into the present, in order of position and without a gap. Goes on
   * over a loss of the connection, and ends only by its signal, or with {@link SubscriptionRefused}. May still hand over events that reads no
   * longer show: expired or erased ones stay until their space is reclaimed.
   */
  abstract subscribe<Event extends DomainEvent = DomainEvent>(options: SubscribeOptions): AsyncIterable<SubscriptionItem<Event>>;

  /**
   * Marks of the store that lie at or before the position, at growing distances before it, in order. A reader keeps them beside the place up to which it has read, outside of the store: they tell whether
   * the store is still the same, and where to go on when it was restored from an older copy ({@link SubscribeOptions.after}). Empty before the first subscription of the process, and in a store
   * without marks.
   */
  marksUpTo(_position: Position): readonly Place[] {
    return [];
  }

  /**
   * Changes whenever the connection to the store was interrupted: another copy of the store may answer from then on. What was remembered of streams before proves nothing.
   * Always 0 of a store that only this process has open.
   */
  get continuity(): number {
    return 0;
  }

  /** Sets how long a stream's events are kept; replaces the earlier setting. May come before the first event; the stream is then still NO_STREAM. */
  abstract setRetention(stream: StreamName, retention: Retention): Promise<void>;

  /**
   * Erases the events before `revision`, which is the revision of an event that the stream has: that event and the later
   * ones stay. The retention stays too. Repeating it does nothing, and a lower revision brings nothing back. Where a store
   * reclaims space later, the erased events are gone from reads at once and from the files then.
   *
   * Throws {@link StreamTombstoned}; a TypeError for a number that is no revision.
   */
  abstract truncateBefore(stream: StreamName, revision: number): Promise<void>;

  /** Whether the stream was ever begun. Stays true when nothing of it can be read any more: it has expired, or was tombstoned. */
  abstract exists(stream: StreamName): Promise<boolean>;

  /** Erases the stream's events and closes it for ever, also one that does not exist yet. Repeating it does nothing. */
  abstract tombstone(stream: StreamName): Promise<void>;

  /**
   * For readiness probes: resolves while the store can be used, and rejects once it has been unusable for 20 s, longer than an election takes. Before the
   * first answer of the store, and after {@link close}, it rejects at once. Costs nothing while the process uses the store, and never an append to a shared one.
   */
  abstract check(): Promise<void>;

  /** Resolves when everything accepted so far is on disk; the store takes nothing afterwards. */
  abstract close(): Promise<void>;
}
