import type { DomainEvent } from '#kernel';

import type { StreamName } from '../event-store.js';
import type { Loaded, StreamType } from './stream-type.js';

/** A stream within a work that may decide on it. */
export interface StreamInWork<State, Command, Event extends DomainEvent> {
  /** After the decisions of this work so far. An event that is not stored yet has the empty id. Once the work is answered: as it is stored. */
  readonly state: State;
  /** The stream as it was loaded, and once the work is answered: as it is stored. */
  readonly loaded: Loaded<State, Event>;
  /**
   * Decides a command on the state, and answers its events. Nothing is stored yet. Throws the decider's refusals, and {@link NewerEventStored} for a stream
   * with an event of a newer release.
   */
  decide(command: Command): readonly Event[];
}

/** The part of a work that may only look. */
export type StreamLooks = Pick<Streams, 'look'>;

/** The streams of one work. Each is loaded once, however many parts of the work use it. */
export interface Streams {
  /** The stream, to decide on it. Works of this process that want the same stream wait for one another. */
  load<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Promise<StreamInWork<State, Command, Event>>;

  /** The same for a stream with a new id: it is read only when the commit finds that it has begun. */
  begin<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Promise<StreamInWork<State, Command, Event>>;

  /**
   * The stream as it is read, on which this work decides nothing. Where the store has transactions over streams, nothing is committed unless it is still the
   * same then; there a state that this process has read or written within a minute will do to begin with.
   */
  look<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Promise<Loaded<State, Event>>;

  /**
   * The stream as this process has last read or written it, on which this work decides nothing; a stream that it does not know is read. Where the store has transactions over streams,
   * nothing is committed unless it is still the same then. Elsewhere nothing proves it, so the request must have read it before this work, or the specification says how old it may be.
   */
  recall<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Promise<Loaded<State, Event>>;

  /** Goes on only on states that were read, and otherwise begins the work again on those: for a decision that costs the person something, a wrong PIN for instance. */
  onReads(): void;
}
