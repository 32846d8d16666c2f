/**
 * The three parts of an aggregate (the "decider" pattern): a state that holds only what a decision
 * needs, `evolve` (event into state) and `decide` (command and state into events). All of it is pure
 * and synchronous: the time, ids and digests come in with the command.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  /** The stored events that `evolve` knows; it is called with no other. Default: every event of the stream. */
  readonly knows?: KnownEvents;
  /** The events that the command causes; `[]` when there is nothing to do. Throws a {@link DomainError} to refuse. */
  decide(command: Command, state: State): readonly Event[];
  /** Never throws on a known event. `id` is the id under which the store holds the event. */
  evolve(state: State, event: Stored<Event>): State;
}

/** The types and the newest version of the events of an aggregate. A newer release may have stored others. */
export interface KnownEvents<Type extends string = string> {
  readonly types: ReadonlySet<Type>;
  /** The number of the newest golden fixture. Stored with each event. */
  readonly version: number;
}

/** The types of a union of events; a missing one does not compile. */
export const knownEvents = <Event extends DomainEvent>(
  version: number,
  types: Readonly<Record<Event['type'], true>>,
): KnownEvents<Event['type']> => ({
  version,
  types: new Set(Object.keys(types) as Event['type'][]),
});

/** An event of the domain, named in the past tense. Its data is JSON by type: no Date, no Map, no bigint. */
export interface DomainEvent<Type extends string = string, Data extends JsonObject = JsonObject> {
  readonly type: Type;
  readonly data: Data;
}

/** An event together with the id it is stored under. */
export type Stored<Event extends DomainEvent> = Event & { readonly id: string };

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}
