import type { DomainEvent } from '#kernel';

import type { EventStore, RecordedEvent, StreamName } from '../event-store.js';
import { folded, foldedOn } from './fold.js';
import { type LookProofs, YOUNG } from './look-proofs.js';
import type { SharedStreams } from './shared-streams.js';
import type { StreamMemory } from './stream-memory.js';
import { assertOfType, type Loaded, type StreamType } from './stream-type.js';

/** Reads streams and folds them, and remembers them for the works of the process. */
export class LoadedStreams {
  constructor(
    private readonly store: EventStore,
    private readonly shared: SharedStreams,
  ) {}

  /** The states that this process has read or written last. */
  get memory(): StreamMemory {
    return this.shared.memory;
  }

  /** Whether commits prove looks. */
  get proofs(): LookProofs {
    return this.shared.proofs;
  }

  /** Where a commit proves it, the state that this process has read or written at most a minute ago. */
  provable<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Loaded<State, Event> | undefined {
    return this.shared.proofs.isProving ? this.memory.young(type, stream, YOUNG) : undefined;
  }

  async read<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Promise<Loaded<State, Event>> {
    assertOfType(type, stream);
    const goneOn = type.grows ? await this.#readOn(type, stream) : undefined;
    if (goneOn) return this.#remembered(type, stream, goneOn);
    const recorded = await (type.read ? type.read(this.store, stream) : this.store.read<Event>(stream));
    const loaded = this.#known(type, recorded) ?? folded(type, recorded, this.store);
    // A list that the type has made itself does not come again.
    if (!type.read) this.shared.folded.set(recorded, { decider: type.decider, loaded });
    return this.#remembered(type, stream, loaded);
  }

  #remembered<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
    loaded: Loaded<State, Event>,
  ): Loaded<State, Event> {
    this.memory.set(type, stream, loaded);
    if (type.grows) this.shared.grown.set(type, stream, loaded.events.length === 0 ? loaded : { ...loaded, events: [] });
    return loaded;
  }

  /**
   * The stream from the state on that this process has read last. The read begins with the event that made that state: if it is not there any more, or another one is, the
   * store has lost events. Undefined where the stream has to be read from its start, and where the store has it in memory, since it answers the same list until it changes.
   */
  async #readOn<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Promise<Loaded<State, Event> | undefined> {
    const { grown } = this.shared;
    const known = grown.get(type, stream);
    if (typeof known?.revision !== 'number' || this.store.recent(stream)) return undefined;
    const [same, next, ...later] = await this.store.read<Event>(stream, { from: known.revision });
    if (same?.revision !== known.revision || same.id !== known.last?.id) {
      grown.forget(stream);
      return undefined;
    }
    return next ? foldedOn(type, known, [next, ...later]) : known;
  }

  /** The same without a promise, for a stream that the store has in memory ({@link EventStore.recent}) and that was read before. */
  recent<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Loaded<State, Event> | undefined {
    const recorded = this.store.recent(stream);
    return recorded && this.#known(type, recorded);
  }

  #known<State, Command, Event extends DomainEvent>(
    { decider }: StreamType<State, Command, Event>,
    recorded: readonly RecordedEvent[],
  ): Loaded<State, Event> | undefined {
    const known = this.shared.folded.get(recorded);
    return known?.decider === decider ? (known.loaded as Loaded<State, Event>) : undefined;
  }
}
