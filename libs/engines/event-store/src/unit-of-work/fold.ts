import { currentTraceparent, type DomainEvent, type Stored } from '#kernel';

import { type EventStore, type NewEvent, NO_STREAM, type RecordedEvent } from '../event-store.js';
import { isKnown } from '../newer-event.js';
import type { Loaded, StreamType } from './stream-type.js';

/** Of an event whose writer names no version. */
const DEFAULT_VERSION = 1;

/** The stream that ends with these events. Events that only a newer release knows are left out, and told to the store. */
export const folded = <State, Command, Event extends DomainEvent>(
  { decider, upcast }: StreamType<State, Command, Event>,
  recorded: readonly RecordedEvent[],
  store: EventStore,
): Loaded<State, Event> => {
  const unknown = recorded.filter((event) => !isKnown(decider.knows, event));
  for (const event of unknown) store.onNewerEvent(event);
  const known = unknown.length === 0 ? recorded : recorded.filter((event) => isKnown(decider.knows, event));
  const events = upcast ? known.map(upcast) : (known as readonly (RecordedEvent & Stored<Event>)[]);
  const last = recorded.at(-1);
  return {
    state: events.reduce((state, event) => decider.evolve(state, event), decider.initial),
    events,
    revision: last?.revision ?? NO_STREAM,
    ...(last && { last }),
    ...(unknown[0] && { newer: unknown[0] }),
  };
};

/** The stream after more events were read. Undefined where one of them is known to a newer release alone. */
export const foldedOn = <State, Command, Event extends DomainEvent>(
  { decider, upcast }: StreamType<State, Command, Event>,
  known: Loaded<State, Event>,
  later: readonly [RecordedEvent, ...RecordedEvent[]],
): Loaded<State, Event> | undefined => {
  if (!later.every((event) => isKnown(decider.knows, event))) return undefined;
  const events = upcast ? later.map(upcast) : (later as readonly RecordedEvent[] as readonly (RecordedEvent & Stored<Event>)[]);
  const last = later.at(-1) ?? later[0];
  return { state: events.reduce((state, event) => decider.evolve(state, event), known.state), events, revision: last.revision, last };
};

/** The stream after an append. */
export const extended = <State, Command, Event extends DomainEvent>(
  { decider, isLastEvent, grows }: StreamType<State, Command, Event>,
  loaded: Loaded<State, Event>,
  appended: readonly Stored<Event & NewEvent>[],
  revision: number,
): Loaded<State, Event> => {
  const last = appended.at(-1) ?? loaded.last;
  return {
    state: appended.reduce<State>((state, event) => decider.evolve(state, event), loaded.state),
    events: isLastEvent ? appended.slice(-1) : grows ? appended : [...loaded.events, ...appended],
    revision,
    ...(last && { last }),
  };
};

/** The events with their metadata. The state after an event may hold the event's id, which the store has not made yet; no metadata does. */
export const enveloped = <State, Command, Event extends DomainEvent>(
  { decider, metadataOf }: StreamType<State, Command, Event>,
  before: State,
  events: readonly Event[],
): readonly NewEvent<Event>[] => {
  const traceparent = currentTraceparent();
  const { version: v = traceparent && DEFAULT_VERSION } = decider.knows ?? {};
  const trace = traceparent && { traceparent };
  if (!metadataOf) return v ? events.map((event) => ({ ...event, metadata: { v, ...trace } })) : events;
  let state = before;
  return events.map((event) => {
    state = decider.evolve(state, { ...event, id: '' });
    return { ...event, metadata: { ...metadataOf(state), ...trace } };
  });
};
