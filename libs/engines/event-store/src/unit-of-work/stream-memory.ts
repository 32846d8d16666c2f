import { type Clock, type Decider, type DomainEvent, RecentlyUsed } from '#kernel';

import { type EventStore, NO_STREAM, type StreamName } from '../event-store.js';
import type { Loaded, StreamType } from './stream-type.js';

/** The streams of about a minute at thirty logins a second. Some kilobytes each. */
const REMEMBERED = 5_000;

interface Entry {
  readonly decider: Decider<unknown, unknown, DomainEvent>;
  readonly loaded: Loaded<unknown, DomainEvent>;
  /** When it was read or written, milliseconds of the monotonic clock. */
  readonly at: number;
}

/**
 * The streams as this process has last read or written them. Another process may have written since: only an append at the revision proves a state
 * current. After an interruption of the connection not even that does: in a store that was restored from an older copy, the revision may be another event's. All is forgotten then.
 */
export class StreamMemory {
  readonly #entries = new RecentlyUsed<StreamName, Entry>(REMEMBERED);
  #continuity: number;

  constructor(
    private readonly store: Pick<EventStore, 'continuity'>,
    private readonly clock: Clock,
  ) {
    this.#continuity = store.continuity;
  }

  /** The same, unless it is older than so many milliseconds. */
  young<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
    oldest: number,
  ): Loaded<State, Event> | undefined {
    const at = this.#current.get(stream)?.at;
    return at !== undefined && this.clock.monotonic() - at <= oldest ? this.get(type, stream) : undefined;
  }

  get<State, Command, Event extends DomainEvent>(
    { decider }: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Loaded<State, Event> | undefined {
    const entry = this.#current.get(stream);
    return entry && (entry.decider as unknown) === decider ? (entry.loaded as Loaded<State, Event>) : undefined;
  }

  /** A state of a lower revision than the one remembered replaces nothing: it was read before. */
  set<State, Command, Event extends DomainEvent>(
    { decider }: StreamType<State, Command, Event>,
    stream: StreamName,
    loaded: Loaded<State, Event>,
  ): void {
    const { revision, newer } = loaded;
    if (newer || revision === NO_STREAM) return this.forget(stream);
    const entries = this.#current;
    const known = entries.get(stream)?.loaded.revision;
    if (typeof known === 'number' && known > revision) return;
    entries.set(stream, { decider: decider as Entry['decider'], loaded: loaded as Entry['loaded'], at: this.clock.monotonic() });
  }

  forget(stream: StreamName): void {
    this.#entries.delete(stream);
  }

  get #current(): RecentlyUsed<StreamName, Entry> {
    const { continuity } = this.store;
    if (continuity !== this.#continuity) this.#entries.clear();
    this.#continuity = continuity;
    return this.#entries;
  }
}
