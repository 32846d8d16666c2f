import { type Clock, type Decider, type DomainEvent, type Randomness, ServiceUnavailable, type Stored } from '#kernel';

import { EventIds } from './event-ids.js';
import { type EventStore, type ExpectedRevision, NO_STREAM, type RecordedEvent, type StreamName, WrongExpectedRevision } from './event-store.js';
import { KeyedQueue } from './keyed-queue.js';

export interface Loaded<State, Event extends DomainEvent> {
  readonly state: State;
  readonly events: readonly Stored<Event>[];
  readonly revision: ExpectedRevision;
}

/** How long a command may go on losing races before it gives up, in milliseconds. */
const BUDGET = 5_000;

/**
 * Load, decide, append at the exact revision; on a conflict all over again, until the time is up. Inside one
 * process the commands of one stream queue up, so that they do not compete.
 */
export class CommandHandler<State, Command, Event extends DomainEvent> {
  readonly #queue = new KeyedQueue();
  /** A store that answers the same list for a stream that has not changed saves folding it again. */
  readonly #folded = new WeakMap<readonly RecordedEvent[], Loaded<State, Event>>();

  constructor(
    private readonly store: EventStore,
    private readonly decider: Decider<State, Command, Event>,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    /** Brings a stored event of an older version into today's shape. */
    private readonly upcast: (recorded: RecordedEvent) => Stored<Event> = asStored,
  ) {}

  async load(stream: StreamName): Promise<Loaded<State, Event>> {
    const recorded = await this.store.read(stream);
    const known = this.#folded.get(recorded);
    if (known) return known;
    const events = recorded.map(this.upcast);
    const loaded: Loaded<State, Event> = { state: this.#fold(this.decider.initial, events), events, revision: recorded.at(-1)?.revision ?? NO_STREAM };
    this.#folded.set(recorded, loaded);
    return loaded;
  }

  /**
   * Runs one command, made anew from the state each time it is decided, and answers the state after it.
   * Throws what the decider throws, and {@link ServiceUnavailable} when it lost races for five seconds.
   */
  handle(stream: StreamName, command: (state: State) => Command | Promise<Command>): Promise<Loaded<State, Event>> {
    return this.#queue.run(stream, async () => this.#run(stream, command, await this.load(stream)));
  }

  /** The same for a stream that nobody can have begun, its id being new: it is not read unless the append says otherwise. */
  begin(stream: StreamName, command: (state: State) => Command | Promise<Command>): Promise<Loaded<State, Event>> {
    const nothing = { state: this.decider.initial, events: [], revision: NO_STREAM } as const;
    return this.#queue.run(stream, () => this.#run(stream, command, nothing));
  }

  async #run(stream: StreamName, command: (state: State) => Command | Promise<Command>, first: Loaded<State, Event>): Promise<Loaded<State, Event>> {
    const ids = new EventIds(this.randomness);
    const giveUpAt = this.clock.monotonic() + BUDGET;
    // Where a stream stands of which nothing is left to read: only a conflict tells.
    let unseen: ExpectedRevision = NO_STREAM;
    for (let loaded = first; ; loaded = await this.load(stream)) {
      const decided = this.decider.decide(await command(loaded.state), loaded.state);
      if (decided.length === 0) return loaded;
      const events = decided.map((event) => ({ ...event, id: ids.next(stream) }));
      try {
        const expected = loaded.revision === NO_STREAM ? unseen : loaded.revision;
        const { revision } = await this.store.append(stream, expected, events);
        return { state: this.#fold(loaded.state, events), events: [...loaded.events, ...events], revision };
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
        unseen = error.actual;
        if (this.clock.monotonic() >= giveUpAt) throw new ServiceUnavailable(`${stream} stayed contended`);
      }
    }
  }

  #fold(from: State, events: readonly Stored<Event>[]): State {
    return events.reduce<State>((state, event) => this.decider.evolve(state, event), from);
  }
}

const asStored = <Event extends DomainEvent>(recorded: RecordedEvent): Stored<Event> => recorded as unknown as Stored<Event>;
