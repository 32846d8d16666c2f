import type { DomainEvent } from '#kernel';

import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  ForwardingEventStore,
  type NewEvent,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
} from '#engines/event-store';

/** The streams that a call depends on, and those that it changes. */
export interface Uses {
  readonly reads: readonly StreamName[];
  readonly writes: readonly StreamName[];
}

/** Lets a call of a store wait for its turn, and makes it then. */
export type Turn = <Answer>(uses: Uses, what: string, call: () => Promise<Answer>) => Promise<Answer>;

const reading = (...reads: readonly StreamName[]): Uses => ({ reads, writes: [] });
const writing = (...writes: readonly StreamName[]): Uses => ({ reads: [], writes });

/** The store of one process, each of whose calls waits for a turn. */
export class InterleavedStore extends ForwardingEventStore {
  constructor(
    store: EventStore,
    private readonly turn: Turn,
  ) {
    super(store);
  }

  override append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    return this.turn(writing(stream), `append ${stream}`, () => super.append(stream, expected, events, options));
  }

  override appendTogether(appends: readonly StreamAppend[], unchanged: readonly StreamRevision[] = []): Promise<readonly AppendResult[] | undefined> {
    const uses: Uses = { reads: unchanged.map(({ stream }) => stream), writes: appends.map(({ stream }) => stream) };
    return this.turn(uses, `append ${uses.writes.join(' ')}`, () => super.appendTogether(appends, unchanged));
  }

  override read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    return this.turn(reading(stream), `read ${stream}`, () => super.read<Event>(stream, options));
  }

  override setRetention(stream: StreamName, retention: Retention): Promise<void> {
    return this.turn(writing(stream), `retain ${stream}`, () => super.setRetention(stream, retention));
  }

  override truncateBefore(stream: StreamName, revision: number): Promise<void> {
    return this.turn(writing(stream), `truncate ${stream}`, () => super.truncateBefore(stream, revision));
  }

  override exists(stream: StreamName): Promise<boolean> {
    return this.turn(reading(stream), `exists ${stream}`, () => super.exists(stream));
  }

  override tombstone(stream: StreamName): Promise<void> {
    return this.turn(writing(stream), `tombstone ${stream}`, () => super.tombstone(stream));
  }
}

/** A store whose transactions prove nothing of the streams that a work has only looked at. */
export class StoreWithoutProofs extends ForwardingEventStore {
  override appendTogether(appends: readonly StreamAppend[]): Promise<readonly AppendResult[] | undefined> {
    return this.store.appendTogether(appends);
  }
}
