import type { KnownEvents } from '#kernel';

import type { Shortening } from './authentication/event-chain.js';
import { categoryOf, type EventStore, type StreamName, streamName } from './event-store.js';
import { noteLoss } from './note-loss.js';

/** How the streams of a category lose events. `Facts`: what the age of one stream is reckoned from. */
interface RetentionRule<Type extends string, Facts> {
  /** Whole seconds after which an event is not read any more. */
  readonly maxAge?: number | ((facts: Facts) => number);
  /** Only the newest so many events are read. */
  readonly maxCount?: number;
  /** The events before the newest one of these types may be erased. */
  readonly truncatedBefore?: readonly Type[];
  /** When the whole stream is tombstoned, in words for `docs/events.md`. Absent: never. */
  readonly tombstoned?: string;
}

interface StreamTerms<Type extends string, Facts> {
  /** One word without `-`, for ever. */
  readonly category: string;
  /** The folder of the only code that appends to these streams. */
  readonly owner: string;
  /** The part of the names after the category: each id where all are known, otherwise a placeholder such as `<sessionId>`. */
  readonly ids: readonly string[];
  /** Their types and newest version. */
  readonly events: KnownEvents<Type>;
  /** The members of the metadata of their events beside the version and the trace context. The MAC covers them by these names, which never change. */
  readonly metadata?: readonly string[];
  /** Whether services of every `ENVIRONMENT` read these streams: their MACs leave it out. Default: no. */
  readonly acrossEnvironments?: boolean;
  /** Whether processes only note their progress here, so that no mark of the store is written for these events alone. Default: no. */
  readonly unmarked?: boolean;
  /** The place of their queues in the order in which a work takes them, from 1 on. Absent: after those that have one. */
  readonly queue?: number;
  /** Whether a move to another store leaves these streams behind: they hold positions of this one, or belong to the bus inside a process. Default: they move, too. */
  readonly staysBehind?: boolean;
  /** Default: a stream keeps all its events for ever. */
  readonly retention?: RetentionRule<Type, Facts>;
  /** Whether an event may hold a value that is encrypted with a data key. */
  readonly sealed: boolean;
  /** The events of which no loss may go unnoticed: those that give or take a right, and those that record what was done. */
  readonly guarded: readonly Type[];
  /** Whether a process refuses a stream of these ids once it has lost an event that the process knows. It then loses none, not even by age. */
  readonly watched?: boolean;
}

/**
 * The one declaration of the streams of a category. Names of streams are made by it, and a stream loses events only through it. Each method throws an Error for a stream
 * of another category, and for a loss that is not declared: mistakes of the caller.
 */
export class DeclaredStreams<Type extends string = string, Facts = void> {
  readonly category: string;

  constructor(readonly terms: StreamTerms<Type, Facts>) {
    this.category = terms.category;
  }

  /** The name of the stream of that id. */
  of(id: string): StreamName {
    return streamName(this.category, id);
  }

  /** Sets the declared age and number of the events: {@link EventStore.setRetention}. */
  async retain(store: EventStore, stream: StreamName, facts: Facts): Promise<void> {
    const { maxAge, maxCount } = this.#ruleFor(stream);
    const age = typeof maxAge === 'function' ? maxAge(facts) : maxAge;
    if (age === undefined && maxCount === undefined) throw this.#undeclared('age or number');
    await store.setRetention(stream, { ...(age !== undefined && { maxAge: age }), ...(maxCount !== undefined && { maxCount }) });
  }

  /** {@link EventStore.truncateBefore}. */
  async truncateBefore(store: EventStore, stream: StreamName, revision: number): Promise<void> {
    if (!this.#ruleFor(stream).truncatedBefore) throw this.#undeclared('truncation');
    await store.truncateBefore(stream, revision);
  }

  /** Erases the events before the newest one of the type. Does nothing when the stream shows none. */
  async truncateBeforeNewest(store: EventStore, stream: StreamName, type: Type): Promise<void> {
    const events = await store.read(stream);
    const newest = events.findLast((event) => event.type === type);
    if (newest && newest !== events[0]) await this.truncateBefore(store, stream, newest.revision);
  }

  /** {@link EventStore.tombstone}. Where events of these streams are guarded, the loss is noted first. */
  async tombstone(store: EventStore, stream: StreamName): Promise<void> {
    if (this.#ruleFor(stream).tombstoned === undefined) throw this.#undeclared('tombstone');
    if (this.terms.guarded.length > 0) await noteLoss(store, stream);
    await store.tombstone(stream);
  }

  /** How these streams lose their first events. Undefined: they are complete until they are tombstoned. */
  get shortening(): Shortening | undefined {
    const { maxAge, maxCount, truncatedBefore } = this.terms.retention ?? {};
    if (maxAge !== undefined) return 'aged';
    return maxCount !== undefined || truncatedBefore ? 'truncated' : undefined;
  }

  #ruleFor(stream: StreamName): RetentionRule<Type, Facts> {
    if (categoryOf(stream) !== this.category) throw new Error(`${stream} is no stream of ${this.category}`);
    return this.terms.retention ?? {};
  }

  #undeclared(loss: string): Error {
    return new Error(`no ${loss} is declared for the streams of ${this.category}`);
  }
}

/** The streams of any category. */
export type AnyStreams = DeclaredStreams<string, never>;
