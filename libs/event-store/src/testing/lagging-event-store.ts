import type { DomainEvent } from '#kernel';

import {
  type AppendOptions,
  type AppendResult,
  EventStore,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamName,
  type SubscribeOptions,
  type SubscriptionItem,
  WrongExpectedRevision,
} from '../event-store.js';

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
export class LaggingEventStore extends EventStore {
  readonly #lags = new Map<StreamName, Lag>();

  constructor(
    private readonly store: EventStore,
    /** How many reads lag behind the same event. */
    private readonly reads: number,
  ) {
    super();
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    try {
      const result = await this.store.append(stream, expected, events, options);
      this.#lags.delete(stream);
      return result;
    } catch (error) {
      if (error instanceof WrongExpectedRevision && this.#lags.get(stream)?.actual !== error.actual)
        this.#lags.set(stream, { last: expected, actual: error.actual, reads: this.reads });
      throw error;
    }
  }

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    const lag = this.#lags.get(stream);
    if (!lag || lag.reads === 0) return this.store.read<Event>(stream, options);
    lag.reads -= 1;
    const { limit, direction = 'forwards', from } = options ?? {};
    const last = lag.last === NO_STREAM ? -1 : lag.last;
    const visible = (await this.store.read<Event>(stream)).filter(({ revision }) => revision <= last);
    const ordered = direction === 'forwards' ? visible : visible.toReversed();
    const begun = ordered.filter(({ revision }) => from === undefined || (direction === 'forwards' ? revision >= from : revision <= from));
    return begun.slice(0, limit);
  }

  override subscribe<Event extends DomainEvent = DomainEvent>(options: SubscribeOptions): AsyncIterable<SubscriptionItem<Event>> {
    return this.store.subscribe<Event>(options);
  }

  override setRetention(stream: StreamName, retention: Retention): Promise<void> {
    return this.store.setRetention(stream, retention);
  }

  override truncateBefore(stream: StreamName, revision: number): Promise<void> {
    return this.store.truncateBefore(stream, revision);
  }

  override exists(stream: StreamName): Promise<boolean> {
    return this.store.exists(stream);
  }

  override tombstone(stream: StreamName): Promise<void> {
    return this.store.tombstone(stream);
  }

  override check(): Promise<void> {
    return this.store.check();
  }

  override close(): Promise<void> {
    return this.store.close();
  }
}
