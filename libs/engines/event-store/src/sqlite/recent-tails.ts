import { LRUCache } from 'lru-cache';

import type { ReadOptions, RecordedEvent, StreamName } from '../event-store.js';
import { excerpt } from './excerpt.js';
import type { RecentEvent } from './recent-event.js';

/** In characters, for all streams together. */
const MAX_SIZE = 16_777_216;
/** More events than the most that one read backwards takes of a long stream. */
const MOST_EVENTS = 8;

/**
 * The newest events of streams that are read from their end, such as a device's, which gets an event with each login and soon is too long to be kept whole.
 * Changed in the same commit as the stream.
 */
export class RecentTails {
  readonly #tails = new LRUCache<StreamName, readonly RecentEvent[]>({ maxSize: MAX_SIZE, maxEntrySize: MAX_SIZE });

  /** What the store would read; undefined when the events kept do not tell. */
  read(stream: StreamName, options: ReadOptions, now: number): readonly RecordedEvent[] | undefined {
    const { direction, from, limit = Infinity } = options;
    if (direction !== 'backwards') return undefined;
    const tail = this.#tails.get(stream);
    const [first, last] = [tail?.[0]?.event, tail?.at(-1)?.event];
    if (!tail || !first || !last) return undefined;
    if (tail.some(({ expiresAt }) => now >= expiresAt)) return this.#forgotten(stream);
    const newest = from ?? last.revision;
    if (newest > last.revision || newest - limit + 1 < first.revision) return undefined;
    return excerpt(
      tail.map(({ event }) => event),
      options,
    );
  }

  /** Keeps what a read backwards from the end of the stream has answered: the newest first. */
  put(stream: StreamName, newestFirst: readonly RecentEvent[], { direction, from }: ReadOptions): void {
    if (direction === 'backwards' && from === undefined) this.#set(stream, newestFirst.toReversed());
  }

  /** Adds events that were appended to the stream. */
  extend(stream: StreamName, events: readonly RecentEvent[]): void {
    const tail = this.#tails.get(stream);
    if (tail) this.#set(stream, [...tail, ...events]);
  }

  forget(stream: StreamName): void {
    this.#tails.delete(stream);
  }

  #set(stream: StreamName, events: readonly RecentEvent[]): void {
    const kept = events.slice(-MOST_EVENTS);
    const size = kept.reduce((sum, { size: each }) => sum + each, 0);
    if (size > 0) this.#tails.set(stream, kept, { size });
  }

  #forgotten(stream: StreamName): undefined {
    this.forget(stream);
  }
}
