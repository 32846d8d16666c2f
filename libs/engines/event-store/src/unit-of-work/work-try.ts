import type { Clock, DomainEvent } from '#kernel';

import { type EventStore, type ExpectedRevision, NO_STREAM, type StreamName } from '../event-store.js';
import { BeginAgain } from './begin-again.js';
import { Commit, type Decision, type CommittedStream } from './commit.js';
import type { LoadedStreams } from './loaded-streams.js';
import type { QueueTurns } from './queue-turns.js';
import { type AnyStreamInTry, type Source, StreamInTry } from './stream-in-try.js';
import type { StreamInWork, Streams } from './streams.js';
import { assertOfType, type Loaded, type StreamType } from './stream-type.js';

/** The parts of a try. */
export interface TryParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly loaded: LoadedStreams;
  readonly observers: readonly ((stream: StreamName, revision: number) => void)[];
  readonly turns: QueueTurns;
  /** Of the states: `remembered` where this process knows them. */
  readonly source: Source;
  /** The revisions that conflicts of earlier tries have told. */
  readonly aged: ReadonlyMap<StreamName, ExpectedRevision>;
}

interface Known<State, Event extends DomainEvent> {
  readonly loaded: Loaded<State, Event>;
  readonly source: Source;
}

type MaybeKnown<State, Event extends DomainEvent> = Known<State, Event> | undefined;

/** One try of a work: its streams, and what it has decided. */
export class WorkTry implements Streams {
  readonly #streams = new Map<StreamName, Promise<AnyStreamInTry>>();
  readonly #loaded: AnyStreamInTry[] = [];
  /** The streams that the work may decide on. */
  readonly #taken = new Set<StreamName>();
  readonly #decisions: Decision[] = [];
  #isOver = false;

  constructor(private readonly parts: TryParts) {}

  load<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Promise<StreamInWork<State, Command, Event>> {
    return this.#take(type, stream, () => this.#known(type, stream));
  }

  begin<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Promise<StreamInWork<State, Command, Event>> {
    const nothing: Known<State, Event> = { loaded: { state: type.decider.initial, events: [], revision: NO_STREAM }, source: 'remembered' };
    return this.#take(type, stream, () => this.#known(type, stream) ?? (this.parts.source === 'remembered' ? nothing : undefined));
  }

  async look<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Promise<Loaded<State, Event>> {
    const one = await this.#enter(type, stream, () => this.#looked(type, stream));
    one.needsProof = true;
    return one.loaded;
  }

  async recall<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Promise<Loaded<State, Event>> {
    const isNew = !this.#streams.has(stream);
    const one = await this.#enter(type, stream, () => this.#known(type, stream));
    if (isNew) one.needsProof = false;
    return one.loaded;
  }

  onReads(): void {
    if (this.isOnRemembered) throw new BeginAgain();
  }

  /** Whether a state of this try is only remembered, so that its refusal does not count. */
  get isOnRemembered(): boolean {
    return this.#loaded.some(({ source }) => source === 'remembered');
  }

  get hasDecided(): boolean {
    return this.#decisions.length > 0;
  }

  /** The streams on which it has decided something. */
  get decided(): readonly StreamName[] {
    return this.#decisions.filter(({ events }) => events.length > 0).map(({ stream }) => stream.stream);
  }

  /** The work can ask for nothing more. Resolves when all that it has asked for has ended; undefined where it has, as most works have waited for everything. */
  end(): Promise<unknown> | undefined {
    this.#isOver = true;
    return this.#loaded.length < this.#streams.size ? Promise.allSettled(this.#streams.values()) : undefined;
  }

  /** Stores the decisions. Throws what {@link Commit.execute} throws. */
  commit(): Promise<void> {
    this.#isOver = true;
    return this.#store(this.#decisions, this.#loaded);
  }

  #take<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
    known: () => Known<State, Event> | undefined,
  ): Promise<StreamInTry<State, Command, Event>> {
    const { turns } = this.parts;
    // It was looked at, and not in the turn of this work.
    if (this.#streams.has(stream) && !turns.has(stream) && !this.#taken.has(stream)) throw new BeginAgain(stream);
    this.#taken.add(stream);
    return this.#enter(type, stream, () => {
      const taking = turns.take(stream);
      return taking ? taking.then(known) : known();
    });
  }

  /** The stream of this try, which is loaded once. Where it is not known, it is read. */
  #enter<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
    known: () => MaybeKnown<State, Event> | Promise<MaybeKnown<State, Event>>,
  ): Promise<StreamInTry<State, Command, Event>> {
    assertOfType(type, stream);
    if (this.#isOver) throw new Error(`${stream} is asked for after the end of its unit of work`);
    const entered = this.#streams.get(stream);
    if (entered) return entered as unknown as Promise<StreamInTry<State, Command, Event>>;
    const entering = this.#find(type, stream, known);
    this.#streams.set(stream, entering as unknown as Promise<AnyStreamInTry>);
    return entering;
  }

  async #find<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
    known: () => MaybeKnown<State, Event> | Promise<MaybeKnown<State, Event>>,
  ): Promise<StreamInTry<State, Command, Event>> {
    const { clock, loaded } = this.parts;
    const knowing = known();
    // A promise costs something, and most streams are known at once.
    const found =
      (knowing instanceof Promise ? await knowing : knowing) ??
      ({ loaded: this.#aged(type, stream, await loaded.read(type, stream)), source: 'read' } as const);
    const one = new StreamInTry({ ...found, type, stream, clock, decided: (events) => this.#decided(one as unknown as AnyStreamInTry, events) });
    const due = found.loaded.newer ? undefined : type.due?.(one.state, clock.now());
    if (due !== undefined) await this.#storeDue(one, due);
    this.#loaded.push(one as unknown as AnyStreamInTry);
    return one;
  }

  /** A stream that has lost all its events by age goes on. Any other that shows none to a conflicting writer is not begun a second time. */
  #aged<State, Command, Event extends DomainEvent>(
    { isAged }: StreamType<State, Command, Event>,
    stream: StreamName,
    loaded: Loaded<State, Event>,
  ): Loaded<State, Event> {
    const revision = isAged ? this.parts.aged.get(stream) : undefined;
    return loaded.revision === NO_STREAM && revision !== undefined ? { ...loaded, revision } : loaded;
  }

  /** What time has decided is stored before anything else. */
  async #storeDue<State, Command, Event extends DomainEvent>(one: StreamInTry<State, Command, Event>, command: Command): Promise<void> {
    const stream = one as unknown as AnyStreamInTry;
    await this.#store([{ stream, events: [...one.type.decider.decide(command, one.state)] }], [stream]);
  }

  #decided(stream: AnyStreamInTry, events: readonly DomainEvent[]): void {
    if (this.#isOver) throw new Error(`a decision on ${stream.stream} comes after the end of its unit of work`);
    const last = this.#decisions.at(-1);
    if (last?.stream === stream) last.events.push(...events);
    else this.#decisions.push({ stream, events: [...events] });
  }

  #known<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Known<State, Event> | undefined {
    if (this.parts.source === 'read') return undefined;
    const { loaded } = this.parts;
    const recent = loaded.recent(type, stream);
    if (recent) return { loaded: recent, source: 'read' };
    const remembered = loaded.memory.get(type, stream);
    return remembered && { loaded: remembered, source: 'remembered' };
  }

  #looked<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Known<State, Event> | undefined {
    const { loaded, source } = this.parts;
    const recent = loaded.recent(type, stream);
    if (recent) return { loaded: recent, source: 'read' };
    const provable = source === 'remembered' ? loaded.provable(type, stream) : undefined;
    return provable && { loaded: provable, source };
  }

  async #store(decisions: readonly Decision[], streams: readonly AnyStreamInTry[]): Promise<void> {
    const { store, loaded, observers } = this.parts;
    const stored: CommittedStream[] = [];
    const commit = new Commit(
      store,
      (one) => {
        loaded.memory.set(one.stream.type, one.stream.stream, one.after);
        for (const observe of observers) observe(one.stream.stream, Number(one.after.revision));
        stored.push(one);
      },
      loaded.proofs,
    );
    try {
      await commit.execute(decisions, streams);
    } catch (error) {
      for (const { stream } of streams) if (!stored.some((one) => one.stream.stream === stream)) loaded.memory.forget(stream);
      throw error;
    } finally {
      for (const { stream, before, after } of stored) {
        const telling = stream.type.committed?.(stream.stream, { before, after });
        if (telling) await telling;
      }
    }
  }
}
