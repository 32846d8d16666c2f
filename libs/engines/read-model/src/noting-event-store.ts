import type { DomainEvent } from '#kernel';
import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  ForwardingEventStore,
  type NewEvent,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
} from '#engines/event-store';

/** A store that tells of each append that succeeded. */
export class NotingEventStore extends ForwardingEventStore {
  constructor(
    store: EventStore,
    private readonly note: (stream: StreamName, revision: number) => void,
  ) {
    super(store);
  }

  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.store.recent<Event>(stream);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    const result = await super.append(stream, expected, events, options);
    this.note(stream, result.revision);
    return result;
  }

  override async appendTogether(
    appends: readonly StreamAppend[],
    unchanged?: readonly StreamRevision[],
  ): Promise<readonly AppendResult[] | undefined> {
    const results = await super.appendTogether(appends, unchanged);
    results?.forEach(({ revision }, index) => {
      const append = appends[index];
      if (append) this.note(append.stream, revision);
    });
    return results;
  }
}
