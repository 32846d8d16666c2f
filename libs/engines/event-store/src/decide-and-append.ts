import { type Clock, type DomainEvent, inSpan, retry, ServiceUnavailable, type Stored } from '#kernel';

import { appendSpan } from './append-span.js';
import { type EventStore, type ExpectedRevision, NO_STREAM, type RecordedEvent, type StreamName, WrongExpectedRevision } from './event-store.js';

/** How long a decision may go on losing races before it gives up, in milliseconds. */
export const DECISION_BUDGET = 5_000;

export interface StoreAndClock {
  readonly store: EventStore;
  readonly clock: Clock;
}

export interface LoneDecision<Loaded, Event extends DomainEvent> {
  /**
   * Reads what the decision needs, and the revision it was read at. Called again after each conflict, with that conflict.
   */
  readonly load: (conflict?: WrongExpectedRevision) => Loaded | Promise<Loaded>;
  /** The events to append; none when there is nothing to do. */
  readonly decide: (loaded: Loaded) => readonly Event[] | Promise<readonly Event[]>;
}

export interface Decided<Loaded, Event extends DomainEvent> {
  /** The state that the decision was taken on. */
  readonly loaded: Loaded;
  /** Empty when there was nothing to do. */
  readonly appended: readonly Stored<Event>[];
  /** Of the stream after the decision. */
  readonly revision: ExpectedRevision;
}

/**
 * Loads, decides and appends at the exact revision that was loaded; on a conflict does all of it again.
 *
 * Throws what `load`, `decide` and {@link EventStore.append} throw, and {@link ServiceUnavailable} when it has lost races
 * for five seconds.
 */
export const decideAndAppend = <Loaded extends { readonly revision: ExpectedRevision }, Event extends DomainEvent>(
  { store, clock }: StoreAndClock,
  stream: StreamName,
  { load, decide }: LoneDecision<Loaded, Event>,
): Promise<Decided<Loaded, Event>> => {
  let conflict: WrongExpectedRevision | undefined;
  const attempt = async (): Promise<Decided<Loaded, Event>> => {
    const loaded = await load(conflict);
    const events = await decide(loaded);
    if (events.length === 0) return { loaded, appended: [], revision: loaded.revision };
    const { revision, ids } = await inSpan(
      () => appendSpan([{ stream, events }]),
      () => store.append(stream, loaded.revision, events),
    );
    return { loaded, appended: events.map((event, index) => ({ ...event, id: ids[index] as string })), revision };
  };
  return retry(attempt, {
    waits: 0,
    when: (error) => error instanceof WrongExpectedRevision && error.stream === stream,
    until: { clock, time: clock.monotonic() + DECISION_BUDGET },
    exhausted: () => new ServiceUnavailable(`${stream} stayed contended`),
    onRetry: (error) => (conflict = error as WrongExpectedRevision),
  });
};

export interface LastEvent<Event extends DomainEvent> {
  /** Undefined when the stream shows no event. */
  readonly last: RecordedEvent<Event> | undefined;
  readonly revision: ExpectedRevision;
}

/**
 * The newest event of a stream: all that a record or a reservation needs to load. Where nothing is left to read, only a conflict tells at
 * which revision the stream is.
 */
export const readLast = async <Event extends DomainEvent>(
  store: EventStore,
  stream: StreamName,
  conflict?: WrongExpectedRevision,
): Promise<LastEvent<Event>> => {
  const [last] = await store.read<Event>(stream, { direction: 'backwards', limit: 1 });
  return { last, revision: last?.revision ?? conflict?.actual ?? NO_STREAM };
};
