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
  WrongExpectedRevision,
} from '#engines/event-store';
import { type Clock, type DomainEvent, type EventId, RecentlyUsed, ServiceUnavailable } from '#kernel';
import { stepsOf } from '#domain/session';
import type { Metrics, Observe } from '#telemetry';

type Call = 'append' | 'read';
type Outcome = 'done' | 'conflict' | 'unavailable' | 'failed';

/** Appends to remember. A repetition follows within seconds. About 100 bytes each. */
const APPENDS = 10_000;

/** Measures how long appends and reads take and counts their outcomes. Counts the steps of sessions that were appended. */
export class MeasuredEventStore extends ForwardingEventStore {
  /** One observer for each kind of call and outcome, made at the first such call. */
  readonly #observers: Readonly<Record<Call, Partial<Record<Outcome, Observe>>>> = { append: {}, read: {} };
  /** The appends whose steps are counted, by the id of their first event. A repetition has the same id and stores nothing, so it is not counted. */
  readonly #counted = new RecentlyUsed<EventId, true>(APPENDS);

  constructor(
    store: EventStore,
    private readonly parts: { readonly clock: Clock; readonly metrics: Metrics },
  ) {
    super(store);
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[], options?: AppendOptions): Promise<AppendResult> {
    const result = await this.#measured('append', () => super.append(stream, expected, events, options));
    this.#countSteps(stream, events, result);
    return result;
  }

  override async appendTogether(
    appends: readonly StreamAppend[],
    unchanged?: readonly StreamRevision[],
  ): Promise<readonly AppendResult[] | undefined> {
    const results = await this.#measured('append', () => super.appendTogether(appends, unchanged));
    results?.forEach((result, index) => {
      const { stream, events } = appends[index] as StreamAppend;
      this.#countSteps(stream, events, result);
    });
    return results;
  }

  override read<Event extends DomainEvent = DomainEvent>(
    stream: StreamName,
    options?: Parameters<EventStore['read']>[1],
  ): Promise<readonly RecordedEvent<Event>[]> {
    return this.#measured('read', () => super.read<Event>(stream, options));
  }

  /** Is not measured: it calls nothing. */
  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.store.recent<Event>(stream);
  }

  #countSteps(stream: StreamName, events: readonly NewEvent[], { ids: [first] }: AppendResult): void {
    const steps = stepsOf(stream, events);
    if (steps.length === 0 || first === undefined || this.#counted.has(first)) return;
    this.#counted.set(first, true);
    for (const { kind, step } of steps) this.parts.metrics.sessionSteps.inc({ kind, step });
  }

  async #measured<Result>(call: Call, work: () => Promise<Result>): Promise<Result> {
    const begin = this.parts.clock.monotonic();
    try {
      const result = await work();
      this.#ended(call, 'done', begin);
      return result;
    } catch (error) {
      this.#ended(call, outcomeOf(error), begin);
      throw error;
    }
  }

  #ended(call: Call, outcome: Outcome, begin: number): void {
    const { clock, metrics } = this.parts;
    const observe = (this.#observers[call][outcome] ??= metrics.storeCalls.observer({ call, outcome }));
    observe((clock.monotonic() - begin) / 1_000);
  }
}

const outcomeOf = (error: unknown): Outcome => {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  return error instanceof ServiceUnavailable ? 'unavailable' : 'failed';
};
