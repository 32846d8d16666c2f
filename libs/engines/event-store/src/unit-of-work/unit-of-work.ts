import { AsyncLocalStorage } from 'node:async_hooks';

import { type Clock, DomainError, type DomainEvent, ServiceUnavailable } from '#kernel';

import { type EventStore, type ExpectedRevision, type StreamName, StreamTombstoned, WrongExpectedRevision } from '../event-store.js';
import { DECISION_BUDGET } from '../decide-and-append.js';
import { BeginAgain } from './begin-again.js';
import { type Judge, Judges } from './judges.js';
import { LoadedStreams } from './loaded-streams.js';
import { queueOrder, type QueueOrder } from './queue-order.js';
import { QueueTurns } from './queue-turns.js';
import { SharedStreams } from './shared-streams.js';
import type { Source } from './stream-in-try.js';
import type { StreamLooks, Streams } from './streams.js';
import type { Loaded, StreamType } from './stream-type.js';
import { type TryParts, WorkTry } from './work-try.js';

/**
 * Every decision of the process on streams of a {@link StreamType}: loads, decides and commits, and does all of it again when another writer was first. One for
 * each process, or works would not wait for one another.
 *
 * A work decides first on the states that this process remembers. A refusal, no decision, or a conflict only shows that they may be old: then the work is run
 * again on states that are read. So a refusal is always decided on a read, and the commit at the exact revisions proves everything else.
 *
 * All decisions of a work are one commit where the store has transactions over streams ({@link EventStore.appendTogether}): with the revisions of all other
 * streams that the work has loaded. Elsewhere they are stored one after the other, in the order in which they were decided; a crash or a conflict leaves the first
 * ones stored, so each beginning of that order has to be safe by itself.
 *
 * A work may be run several times. What is bought or sent goes before or after it, never inside. A work that starts another one on a stream that it decides on itself
 * would wait for itself: the inner one throws an Error.
 */
export class UnitOfWork {
  readonly #shared: SharedStreams;
  readonly #loaded: LoadedStreams;
  /** The turns of the work that runs. */
  readonly #running = new AsyncLocalStorage<QueueTurns>();
  readonly #judges = new AsyncLocalStorage<Judges | undefined>();
  readonly #inOrder: QueueOrder;

  constructor(
    readonly store: EventStore,
    readonly clock: Clock,
    /** The categories whose queues a work takes first, in this order: those that most works meet. */
    first: readonly string[] = [],
  ) {
    this.#inOrder = queueOrder(first);
    this.#shared = new SharedStreams(store, clock);
    this.#loaded = new LoadedStreams(store, this.#shared);
  }

  /** From now on, tells of each append of a work, before the work is answered. */
  observe(stored: (stream: StreamName, revision: number) => void): void {
    this.#shared.observers.push(stored);
  }

  /**
   * Runs the work and answers its result once its decisions are stored. A work that records a refusal returns it, and the caller throws it.
   *
   * Throws what the work throws on states that were read, {@link NewerEventStored}, what {@link EventStore.append} throws, and
   * {@link ServiceUnavailable} when it is outrun five seconds after it was outrun for the first time.
   */
  async run<Result>(work: (streams: Streams) => Promise<Result>): Promise<Result> {
    // Only lost races count: a work may wait for its turn behind many others of this process.
    let giveUpAt: number | undefined;
    const turns = new QueueTurns(this.#shared.queue, this.#inOrder, this.#running.getStore());
    const aged = new Map<StreamName, ExpectedRevision>();
    let source: Source = 'remembered';
    try {
      for (;;) {
        const tried = await this.#running.run(turns, () => this.#try(work, { source, turns, aged }));
        if ('value' in tried) return tried.value;
        const { taking, conflict } = tried;
        if (conflict) {
          giveUpAt ??= this.clock.monotonic() + DECISION_BUDGET;
          if (this.clock.monotonic() >= giveUpAt) throw new ServiceUnavailable(`${conflict.stream} stayed contended`);
          aged.set(conflict.stream, conflict.actual);
        }
        if (taking === undefined) source = 'read';
        else await turns.beginAgain(taking);
      }
    } finally {
      turns.end();
    }
  }

  /**
   * Runs a request whose works are decided in the name of somebody: each of them asks the judge first, and the commit proves what the judge has looked at, as it does with all looks of the work. So a
   * right that was taken away between the check of the request and its append lets nothing be stored. Once a work of the request has itself changed a stream that the judge has looked at, the
   * judge is not asked again. `undefined`: the works of the service itself, within a request too.
   */
  under<Result>(judge: Judge | undefined, request: () => Result): Result {
    return this.#judges.run(judge && new Judges(judge), request);
  }

  /** The works of the present request that still come ask this judge too. Throws an Error outside of {@link under}: a mistake of the caller. */
  alsoUnder(judge: Judge): void {
    const judges = this.#judges.getStore();
    if (!judges) throw new Error('no request is judged here');
    judges.add(judge);
  }

  /** The stream, for reading alone. */
  read<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Promise<Loaded<State, Event>> {
    return this.#loaded.read(type, stream);
  }

  /** {@link StreamLooks} outside of any work: nothing proves them. */
  readonly looks: StreamLooks = { look: (type, stream) => this.read(type, stream) };

  /** The same without a promise, for a stream that the store has in memory ({@link EventStore.recent}) and that was read before. */
  recent<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Loaded<State, Event> | undefined {
    return this.#loaded.recent(type, stream);
  }

  /**
   * The stream as this process has read or written it within a minute, where the commit of a work that looks at it proves it. Undefined elsewhere. It is good enough to let a work begin, and for
   * nothing that no work follows.
   */
  remembered<State, Command, Event extends DomainEvent>(
    type: StreamType<State, Command, Event>,
    stream: StreamName,
  ): Loaded<State, Event> | undefined {
    return this.#loaded.provable(type, stream);
  }

  /** Reads the stream for a work that soon looks at it, where the commit of that work proves it. Elsewhere, and where the store has it in memory, nothing is read. */
  async prepare<State, Command, Event extends DomainEvent>(type: StreamType<State, Command, Event>, stream: StreamName): Promise<void> {
    if (this.#shared.proofs.isProving && !this.recent(type, stream)) await this.read(type, stream);
  }

  /** Drops what this process remembers of the stream, after a change that no work has made. */
  forget(stream: StreamName): void {
    this.#shared.memory.forget(stream);
    this.#shared.grown.forget(stream);
  }

  async #try<Result>(
    work: (streams: Streams) => Promise<Result>,
    { source, turns, aged }: Pick<TryParts, 'source' | 'turns' | 'aged'>,
  ): Promise<Tried<Result>> {
    const { observers } = this.#shared;
    const tried = new WorkTry({ store: this.store, clock: this.clock, loaded: this.#loaded, observers, turns, source, aged });
    const judges = this.#judges.getStore();
    try {
      if (judges) await judges.execute(tried);
      const value = await work(tried);
      if (!tried.hasDecided && tried.isOnRemembered) return {};
      await tried.commit();
      judges?.committed(tried.decided);
      return { value };
    } catch (error) {
      if (error instanceof BeginAgain) return error.taking === undefined ? {} : { taking: error.taking };
      if (error instanceof WrongExpectedRevision) return { conflict: error };
      if (source === 'remembered' && error instanceof StreamTombstoned) return {};
      if (tried.isOnRemembered && isRefusal(error)) return {};
      throw error;
    } finally {
      const ending = tried.end();
      if (ending) await ending;
    }
  }
}

/** A result, or why the work begins again: to take the queue of one more stream from the start, or on states that are read. */
type Tried<Result> = { readonly value: Result } | { readonly taking?: StreamName; readonly conflict?: WrongExpectedRevision };

/** Whether it may only come from a state that is not the present one any more. */
const isRefusal = (error: unknown): boolean => error instanceof DomainError && !(error instanceof ServiceUnavailable);
