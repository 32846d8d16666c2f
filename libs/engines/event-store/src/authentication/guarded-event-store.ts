import { type DomainEvent, type Pause, pause } from '#kernel';

import {
  type AppendOptions,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type ReadOptions,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
  StreamTombstoned,
  WrongExpectedRevision,
} from '../event-store.js';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import { type KnownEvent, missingIn, StreamEnds } from './stream-ends.js';
import { StreamRefused } from './stream-refused.js';

export interface GuardOptions {
  /** The streams that keep all their events for ever. */
  readonly guarded: ReadonlySet<StreamName>;
  /** Told of each refusal: an alarm. */
  readonly refused: (refusal: StreamRefused) => void;
  /** Waits so many milliseconds. Default: the system's timer. */
  readonly pause?: Pause;
}

/**
 * Refuses a guarded stream that has lost events. A chain of MACs does not show that events are missing at the end, nor that all are. So this store remembers the
 * newest event that the process has appended or read. Each read and each append first looks at both ends of the stream: the newest event must not lie before the
 * remembered one, that one must still be at its place, and the first event must have revision 0. The stream may be empty only while the process has seen none of
 * its events.
 *
 * Stands before the {@link AuthenticatedEventStore}, which checks each event. Reads and appends of guarded streams throw {@link StreamRefused}. All other streams are
 * passed on.
 */
export class GuardedEventStore extends ForwardingEventStore {
  readonly #guarded: ReadonlySet<StreamName>;
  readonly #ends: StreamEnds;

  constructor(
    store: EventStore,
    private readonly options: GuardOptions,
  ) {
    super(store);
    this.#guarded = options.guarded;
    this.#ends = new StreamEnds(store, options.pause ?? pause);
  }

  /** The loss of what this process knows was accepted: from now on the streams are as the store has them. */
  forgetEnds(): void {
    this.#ends.forget();
  }

  override read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    if (this.#guarded.has(stream)) return this.#read<Event>(stream, options ?? {});
    // Without options the store may return the list that it returned before.
    return options ? this.store.read<Event>(stream, options) : this.store.read<Event>(stream);
  }

  /** Of a guarded stream, only a read tells. */
  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.#guarded.has(stream) ? undefined : this.store.recent<Event>(stream);
  }

  override append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    if (!this.#guarded.has(stream)) return this.store.append(stream, expected, events, options);
    const taken = { stream, expected, events: structuredClone(events), ...(options?.ids && { ids: options.ids }) };
    return this.#appending([taken], () => this.store.append(stream, expected, taken.events, options).then((result) => [result])).then(
      ([result]) => result as AppendResult,
    );
  }

  override appendTogether(...[appends, unchanged]: Parameters<EventStore['appendTogether']>): Promise<readonly AppendResult[] | undefined> {
    if (!appends.some(({ stream }) => this.#guarded.has(stream))) return this.store.appendTogether(appends, unchanged);
    const taken = appends.map((append) => ({ ...append, events: structuredClone(append.events) }));
    return this.#appending(taken, () => this.store.appendTogether(taken, unchanged));
  }

  async #read<Event extends DomainEvent>(stream: StreamName, options: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    const newest = await this.#check(stream);
    const events = await this.store.read<Event>(stream, options);
    if (!newest) return events;
    const missing = missingIn(events, options, newest.revision);
    if (missing !== undefined) throw this.#refuse(stream, missing);
    // A page: what links it to the page before is in the event after it.
    const [first] = events;
    const isPage = first && options.direction === 'backwards' && first.revision < newest.revision;
    if (isPage && !(await this.#ends.isFollowed(stream, first))) throw this.#refuse(stream, first.revision);
    return events;
  }

  async #appending<Results extends readonly AppendResult[] | undefined>(
    appends: readonly StreamAppend[],
    append: () => Promise<Results>,
  ): Promise<Results> {
    const guarded = appends.filter(({ stream }) => this.#guarded.has(stream));
    const known = new Map<StreamName, number>();
    for (const { stream, expected, ids } of guarded) {
      const newest = await this.#check(stream);
      // Of this moment: while the append is under way, the process may learn of later events than those that the store compares it with.
      if (newest) known.set(stream, newest.revision);
      // A store that has lost the stream would begin it anew.
      if (newest && !ids && isBefore(expected, newest.revision)) throw new WrongExpectedRevision(stream, expected, newest.revision);
    }
    const results = await append().catch((error: unknown) => {
      throw this.#explained(error, known);
    });
    results?.forEach((result, index) => this.#appended(appends[index] as StreamAppend, result));
    return results;
  }

  #appended({ stream, expected, events, ids }: StreamAppend, { revision, ids: stored }: AppendResult): void {
    if (!this.#guarded.has(stream) || ids) return;
    const before = expected === NO_STREAM ? -1 : expected;
    // EventStoreDB goes on at the next revision after a deletion.
    if (revision !== before + events.length) throw this.#refuse(stream, before + 1);
    this.#ends.note(stream, { revision, id: stored.at(-1) ?? '' });
  }

  /** A conflict with an earlier revision than the one that was known before the append, or a tombstone, tells of a loss. */
  #explained(error: unknown, known: ReadonlyMap<StreamName, number>): unknown {
    if (error instanceof StreamTombstoned && this.#guarded.has(error.stream)) return this.#refuse(error.stream, known.get(error.stream) ?? 0);
    if (!(error instanceof WrongExpectedRevision)) return error;
    const revision = known.get(error.stream);
    return revision !== undefined && isBefore(error.actual, revision) ? this.#refuse(error.stream, revision) : error;
  }

  /** Answers the newest event; nothing when the stream has none. */
  async #check(stream: StreamName): Promise<KnownEvent | undefined> {
    const missing = await this.#ends.missing(stream);
    if (missing !== undefined) throw this.#refuse(stream, missing);
    return this.#ends.newest(stream);
  }

  #refuse(stream: StreamName, revision: number): StreamRefused {
    const refusal = new StreamRefused(stream, revision, 'missing');
    this.options.refused(refusal);
    return refusal;
  }
}

const isBefore = (revision: ExpectedRevision, other: number): boolean => revision === NO_STREAM || revision < other;
