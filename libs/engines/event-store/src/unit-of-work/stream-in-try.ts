import type { Clock, DomainEvent } from '#kernel';

import type { StreamName } from '../event-store.js';
import { NewerEventStored } from '../newer-event.js';
import { BeginAgain } from './begin-again.js';
import type { StreamInWork } from './streams.js';
import type { Loaded, StreamType } from './stream-type.js';

/** Where the state of a stream comes from. A remembered one counts only once an append, or a commit of the store, has proved it. */
export type Source = 'read' | 'remembered';

interface Parts<State, Command, Event extends DomainEvent> {
  readonly type: StreamType<State, Command, Event>;
  readonly stream: StreamName;
  readonly loaded: Loaded<State, Event>;
  readonly source: Source;
  readonly clock: Clock;
  /** Told of each decision that has events. */
  readonly decided: (events: readonly Event[]) => void;
}

/** A stream of one try of a work. */
export class StreamInTry<State, Command, Event extends DomainEvent> implements StreamInWork<State, Command, Event> {
  readonly type: StreamType<State, Command, Event>;
  readonly stream: StreamName;
  source: Source;
  /** Whether the work counts on the state also where no commit can prove it. */
  needsProof = true;
  #loaded: Loaded<State, Event>;
  #state: State;

  constructor(private readonly parts: Parts<State, Command, Event>) {
    ({ type: this.type, stream: this.stream, source: this.source, loaded: this.#loaded } = parts);
    this.#state = this.#loaded.state;
  }

  get state(): State {
    return this.#state;
  }

  get loaded(): Loaded<State, Event> {
    return this.#loaded;
  }

  decide(command: Command): readonly Event[] {
    const { decider, due } = this.type;
    if (this.#loaded.newer) throw new NewerEventStored(this.#loaded.newer);
    // Time has passed since the stream was loaded: what it has decided is stored first.
    if (due?.(this.#state, this.parts.clock.now()) !== undefined) throw new BeginAgain();
    const events = decider.decide(command, this.#state);
    if (events.length === 0) return events;
    this.#state = events.reduce<State>((state, event) => decider.evolve(state, { ...event, id: '' }), this.#state);
    this.parts.decided(events);
    return events;
  }

  /** The decisions are stored, which proves the state: takes over what the store has made of them. */
  settle(after: Loaded<State, Event>): void {
    this.source = 'read';
    this.#loaded = after;
    this.#state = after.state;
  }
}

/** A stream whose types do not matter. */
export type AnyStreamInTry = StreamInTry<unknown, unknown, DomainEvent>;
