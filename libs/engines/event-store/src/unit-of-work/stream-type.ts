import type { Decider, DomainEvent, Stored } from '#kernel';

import { categoryOf, type EventMetadata, type EventStore, type ExpectedRevision, type RecordedEvent, type StreamName } from '../event-store.js';

/** A stream as it was read, or as this process has left it. */
export interface Loaded<State, Event extends DomainEvent> {
  readonly state: State;
  readonly events: readonly Stored<Event>[];
  readonly revision: ExpectedRevision;
  /** The first event that only a newer release knows. It is in neither state nor events: show them, and decide nothing on them. */
  readonly newer?: RecordedEvent;
  /** The last event of the stream. */
  readonly last?: Pick<RecordedEvent, 'metadata'> & { readonly id?: string };
}

/** A commit of a work has appended to the stream. */
export interface Committed<State, Event extends DomainEvent> {
  readonly before: State;
  readonly after: Loaded<State, Event>;
}

/** The declaration of the streams of one category: all that a {@link UnitOfWork} has to know of them. */
export interface StreamType<State, Command, Event extends DomainEvent> {
  /** The part of the names before the id. */
  readonly category: string;
  readonly decider: Decider<State, Command, Event>;
  /** Brings a stored event of an older version into today's shape, before it is folded. The version is `metadata.v`. Default: it has that shape. */
  readonly upcast?: (recorded: RecordedEvent) => Stored<Event>;
  /** The metadata of an event. `state` is the aggregate's after it. Default: the decider's version and nothing else. */
  readonly metadataOf?: (state: State) => EventMetadata;
  /** Whether a decision without a trace continues the trace of the stream's last event. For streams that live for minutes. Default: false. */
  readonly followsTrace?: boolean;
  /** The events that the state is folded from, which end the stream. Default: all of them. */
  readonly read?: (store: EventStore, stream: StreamName) => Promise<readonly RecordedEvent<Event>[]>;
  /** Whether the last event is the whole state, so that no other one is kept in memory. Default: false. */
  readonly isLastEvent?: boolean;
  /**
   * Whether a stream grows with use for ever. A read then goes on from the state that this process has read last, and costs the events that were stored since, however long the stream
   * is. Only the events of that read are shown beside the state. Default: false.
   */
  readonly grows?: boolean;
  /** Whether a stream may lose all its events by age. Where nothing is left to read, a conflict then tells its revision. Default: false. */
  readonly isAged?: boolean;
  /** The command that time alone has decided by `now`, epoch milliseconds. It is stored by itself before anything else is decided on the stream. */
  readonly due?: (state: State, now: number) => Command | undefined;
  /** Told of each commit, before the work is answered, and while no other work of this process has the stream. */
  readonly committed?: (stream: StreamName, change: Committed<State, Event>) => Promise<void> | void;
}

/** Throws an Error for a stream of another category: a mistake of the caller. */
export const assertOfType = ({ category }: { readonly category: string }, stream: StreamName): void => {
  if (categoryOf(stream) !== category) throw new Error(`a stream of ${categoryOf(stream)} is none of ${category}`);
};
