import type { DomainEvent } from '#kernel';

import {
  type AppendOptions,
  type AppendResult,
  EventStore,
  type ExpectedRevision,
  type NewEvent,
  type Place,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
  type SubscribeOptions,
  type SubscriptionItem,
} from './event-store.js';

/**
 * Forwards each call to another store, but not {@link EventStore.recent}: a subclass that changes what is read must not be passed by. A subclass overrides the
 * methods to which it adds something.
 */
export abstract class ForwardingEventStore extends EventStore {
  constructor(protected readonly store: EventStore) {
    super();
  }

  override append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    return this.store.append(stream, expected, events, options);
  }

  override appendTogether(appends: readonly StreamAppend[], unchanged?: readonly StreamRevision[]): Promise<readonly AppendResult[] | undefined> {
    return this.store.appendTogether(appends, unchanged);
  }

  override read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    return this.store.read<Event>(stream, options);
  }

  override subscribe<Event extends DomainEvent = DomainEvent>(options: SubscribeOptions): AsyncIterable<SubscriptionItem<Event>> {
    return this.store.subscribe<Event>(options);
  }

  override marksUpTo(position: Position): readonly Place[] {
    return this.store.marksUpTo(position);
  }

  override get continuity(): number {
    return this.store.continuity;
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
