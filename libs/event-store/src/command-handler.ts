import { type Clock, currentTraceparent, type Decider, DomainError, type DomainEvent, inSpanAfter, KeyedQueue, Note, type Stored } from '#kernel';

import { streamAttributes } from './append-span.js';
import { decideAndAppend } from './decide-and-append.js';
import {
  categoryOf,
  type EventMetadata,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
} from './event-store.js';
import { isKnown, NewerEventStored } from './newer-event.js';

export interface Loaded<State, Event extends DomainEvent> {
  readonly state: State;
  readonly events: readonly Stored<Event>[];
  readonly revision: ExpectedRevision;
  /** The first event that only a newer release knows. It is in neither state nor events: show them, and decide nothing on them. */
  readonly newer?: RecordedEvent;
  /** The last event of the stream. */
  readonly last?: Pick<RecordedEvent, 'metadata'>;
}

/** The state that a command is decided on first. */
type FirstState<State, Event extends DomainEvent> = {
  readonly [Source in 'remembered' | 'read']?: Loaded<State, Event>;
};

export interface EventFormat<State, Event extends DomainEvent> {
  /** Brings a stored event of an older version into today's shape. Default: it has that shape. */
  readonly upcast?: (recorded: RecordedEvent) => Stored<Event>;
  /** The metadata of an event. `state` is the aggregate's after it. Default: the decider's version and nothing else. */
  readonly metadataOf?: (state: State) => EventMetadata;
  /** Whether a command without a trace continues the trace of the stream's last event. For streams that live for minutes. Default: false. */
  readonly followsTrace?: boolean;
}

/** Runs the work in the trace of the stream's last event, unless the caller has given a trace. */
export const inTraceOf = <Result>(stream: StreamName, last: Pick<RecordedEvent, 'metadata'> | undefined, work: () => Result): Result =>
  inSpanAfter(
    last?.metadata?.traceparent,
    () => ({ name: `decide ${categoryOf(stream)}`, kind: 'internal', attributes: streamAttributes(stream) }),
    work,
  );

/**
 * Loads, decides and appends at the exact revision; on a conflict does all of it again, until the time is up. Inside one
 * process the commands of one stream wait for one another, so that they do not compete. The stream must have no maximum age: nothing
 * begins it a second time.
 */
export class CommandHandler<State, Command, Event extends DomainEvent> {
  readonly #queue = new KeyedQueue();
  /** The store returns the same list while a stream has not changed: then it is not folded again. */
  readonly #folded = new Note<readonly RecordedEvent[], Loaded<State, Event>>();

  constructor(
    private readonly store: EventStore,
    private readonly decider: Decider<State, Command, Event>,
    private readonly clock: Clock,
    private readonly format: EventFormat<State, Event> = {},
  ) {}

  async load(stream: StreamName): Promise<Loaded<State, Event>> {
    const recorded = await this.store.read<Event>(stream);
    const known = this.#folded.get(recorded);
    if (known) return known;
    const loaded = this.folded(recorded);
    this.#folded.set(recorded, loaded);
    return loaded;
  }

  /** The same without a promise, for a stream that the store has in memory ({@link EventStore.recent}) and that was loaded before. */
  recent(stream: StreamName): Loaded<State, Event> | undefined {
    const recorded = this.store.recent(stream);
    return recorded && this.#folded.get(recorded);
  }

  /** The state after these events, which end the stream. Events that only a newer release knows are left out. */
  protected folded(recorded: readonly RecordedEvent[]): Loaded<State, Event> {
    const { upcast = asStored } = this.format;
    const { knows } = this.decider;
    const unknown = recorded.filter((event) => !isKnown(knows, event));
    for (const event of unknown) this.store.onNewerEvent(event);
    const known = unknown.length === 0 ? recorded : recorded.filter((event) => isKnown(knows, event));
    const events = known.map((event) => upcast(event) as Stored<Event>);
    const last = recorded.at(-1);
    return {
      state: this.#fold(this.decider.initial, events),
      events,
      revision: last?.revision ?? NO_STREAM,
      ...(last && { last }),
      ...(unknown[0] && { newer: unknown[0] }),
    };
  }

  /**
   * Runs one command, which is made anew from the state for each decision, and returns the state after it.
   * Throws the decider's refusals, {@link NewerEventStored}, and {@link ServiceUnavailable} when it lost races for five seconds.
   *
   * @param remembered the stream as the caller knows it already. The append at its revision proves that it is current; all that would refuse the command,
   * or append nothing, is decided again on a read.
   */
  handle(
    stream: StreamName,
    command: (state: State) => Command | Promise<Command>,
    remembered?: Loaded<State, Event>,
  ): Promise<Loaded<State, Event>> {
    // A command that is under way will change the stream.
    const first = remembered && this.#queue.isFree(stream) ? { remembered } : undefined;
    return this.#queue.run(stream, async () => {
      const on: FirstState<State, Event> = first ?? { read: await this.load(stream) };
      const run = () => this.#run(stream, command, on);
      return this.format.followsTrace ? inTraceOf(stream, (on.remembered ?? on.read)?.last, run) : run();
    });
  }

  /**
   * The append that the command leads to on the remembered stream, for {@link EventStore.appendTogether}, which proves that the stream is current. Undefined
   * where {@link handle} has to decide: the command is refused or appends nothing, another one is under way, or a newer release has written.
   */
  propose(stream: StreamName, command: (state: State) => Command, remembered: Loaded<State, Event>): StreamAppend | undefined {
    const { state, revision, newer } = remembered;
    if (newer || !this.#queue.isFree(stream)) return undefined;
    try {
      const events = this.#enveloped(state, this.decider.decide(command(state), state));
      return events.length === 0 ? undefined : { stream, expected: revision, events };
    } catch (refusal) {
      if (refusal instanceof DomainError) return undefined;
      throw refusal;
    }
  }

  /** The same for a stream with a new id: it is read only when the append finds that it has begun. */
  begin(stream: StreamName, command: (state: State) => Command | Promise<Command>): Promise<Loaded<State, Event>> {
    const nothing = { state: this.decider.initial, events: [], revision: NO_STREAM } as const;
    return this.#queue.run(stream, () => this.#run(stream, command, { read: nothing }));
  }

  async #run(
    stream: StreamName,
    command: (state: State) => Command | Promise<Command>,
    first: FirstState<State, Event>,
  ): Promise<Loaded<State, Event>> {
    const { store, clock } = this;
    const decide = async ({ state, newer }: Loaded<State, Event>): Promise<readonly NewEvent<Event>[]> => {
      if (newer) throw new NewerEventStored(newer);
      return this.#enveloped(state, this.decider.decide(await command(state), state));
    };
    let decided = first.remembered && { on: first.remembered, events: await decide(first.remembered).catch(() => []) };
    if (decided?.events.length === 0) decided = undefined;
    const { loaded, appended, revision } = await decideAndAppend<Loaded<State, Event>, NewEvent<Event>>({ store, clock }, stream, {
      load: (conflict) => (conflict ? this.load(stream) : (decided?.on ?? first.read ?? this.load(stream))),
      decide: (on) => (on === decided?.on ? decided.events : decide(on)),
    });
    const last = appended.at(-1) ?? loaded.last;
    return { state: this.#fold(loaded.state, appended), events: [...loaded.events, ...appended], revision, ...(last && { last }) };
  }

  /** The events with their metadata. The state after an event may hold the event's id, which the store has not made yet; no metadata does. */
  #enveloped(before: State, events: readonly Event[]): readonly NewEvent<Event>[] {
    const { metadataOf } = this.format;
    const traceparent = currentTraceparent();
    const { version: v = traceparent && DEFAULT_VERSION } = this.decider.knows ?? {};
    const trace = traceparent && { traceparent };
    if (!metadataOf) return v ? events.map((event) => ({ ...event, metadata: { v, ...trace } })) : events;
    let state = before;
    return events.map((event) => {
      state = this.decider.evolve(state, { ...event, id: '' });
      return { ...event, metadata: { ...metadataOf(state), ...trace } };
    });
  }

  #fold(from: State, events: readonly Stored<Event>[]): State {
    return events.reduce<State>((state, event) => this.decider.evolve(state, event), from);
  }
}

/** Of an event whose writer names no version. */
const DEFAULT_VERSION = 1;

const asStored = (recorded: RecordedEvent) => recorded;
