import { categoryOf, type EventStore, ForwardingEventStore, type ReadOptions, type RecordedEvent, type StreamName } from '#engines/event-store';
import { type DomainEvent, Note } from '#kernel';

import type { HistoryGuard } from './history-guard.js';

/** Checks each read of a guarded stream against the leaves outside of the store. Reads throw StreamRefused where a guarded event is missing. All other streams are passed on. */
export class AnchoredEventStore extends ForwardingEventStore {
  /** Lists that were compared with all leaves: a store may return the same one again. */
  readonly #checked = new Note<readonly RecordedEvent[], true>();

  constructor(
    store: EventStore,
    private readonly guard: Pick<HistoryGuard, 'checked'>,
    /** Categories with guarded events. */
    private readonly categories: ReadonlySet<string>,
  ) {
    super(store);
  }

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    // Without options the store may return the list that it returned before.
    const read = (): Promise<readonly RecordedEvent<Event>[]> => (options ? this.store.read<Event>(stream, options) : this.store.read<Event>(stream));
    if (!this.categories.has(categoryOf(stream))) return read();
    const { events, isCompared } = await this.guard.checked(stream, options ?? {}, read);
    if (!options && isCompared) this.#checked.set(events, true);
    return events;
  }

  /** Of a guarded stream only a list that {@link read} has compared before. */
  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    const events = this.store.recent<Event>(stream);
    return !events || !this.categories.has(categoryOf(stream)) || this.#checked.get(events) ? events : undefined;
  }
}
