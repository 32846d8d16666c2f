import type { DomainEvent } from '#kernel';

import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  type StreamName,
  WrongExpectedRevision,
} from '#engines/event-store';
import { ForwardingEventStore } from '#engines/event-store';

interface Lag {
  /** Of the last event that reads show. */
  readonly last: ExpectedRevision;
  /** Of the last event of the stream. */
  readonly actual: ExpectedRevision;
  /** How many reads still lag. */
  reads: number;
}

/**
 * A store whose reads lag behind its conflicts, as those of a bare EventStoreDB do: after a refused append, the next reads of that
 * stream end at the revision that the append expected. An append that succeeds ends the lag: reads then show its events.
 */
export class LaggingEventStore extends ForwardingEventStore {
  readonly #lags = new Map<StreamName, Lag>();

  constructor(
    store: EventStore,
    /** How many reads lag behind the same event. */
    private readonly reads: number,
  ) {
    super(store);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    try {
      const result = await super.append(stream, expected, events, options);
      this.#lags.delete(stream);
      return result;
    } catch (error) {
      if (error instanceof WrongExpectedRevision && this.#lags.get(stream)?.actual !== error.actual)
        this.#lags.set(stream, { last: expected, actual: error.actual, reads: this.reads });
      throw error;
    }
  }

  /** As those of EventStoreDB, its transactions concern one stream. */
  override async appendTogether(): Promise<undefined> {
    return undefined;
  }

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    const lag = this.#lags.get(stream);
    if (!lag || lag.reads === 0) return super.read<Event>(stream, options);
    lag.reads -= 1;
    const { limit, direction = 'forwards', from } = options ?? {};
    const last = lag.last === NO_STREAM ? -1 : lag.last;
    const visible = (await super.read<Event>(stream)).filter(({ revision }) => revision <= last);
    const ordered = direction === 'forwards' ? visible : visible.toReversed();
    const begun = ordered.filter(({ revision }) => from === undefined || (direction === 'forwards' ? revision >= from : revision <= from));
    return begun.slice(0, limit);
  }
}
