import { LRUCache } from 'lru-cache';

import { withNotes } from '#kernel';

import type { ReadOptions, RecordedEvent, StreamName } from '../event-store.js';
import { excerpt } from './excerpt.js';
import type { RecentEvent } from './recent-event.js';
import { RecentTails } from './recent-tails.js';

interface Entry {
  readonly events: readonly RecordedEvent[];
  /** When the first of the events expires: the entry is valid until then. */
  readonly expiresAt: number;
  readonly size: number;
}

/** In characters. Bigger streams are not polled, so they are not kept. */
const MAX_STREAM = 32_768;
/** In characters, for all streams together. */
const MAX_SIZE = 33_554_432;
/** The least that a stream counts, in characters: there are never more than 65,536 streams. */
const MIN_STREAM = 512;

/**
 * The streams read or begun last, exactly as the store would read them: changed in the same commit as the stream,
 * and not given out any more when the first of their events expires.
 */
export class RecentStreams {
  readonly #entries = new LRUCache<StreamName, Entry>({ maxSize: MAX_SIZE, maxEntrySize: MAX_STREAM });
  readonly #tails = new RecentTails();

  get(stream: StreamName, now: number): readonly RecordedEvent[] | undefined {
    const entry = this.#entries.get(stream);
    if (!entry) return undefined;
    if (now >= entry.expiresAt) {
      this.#entries.delete(stream);
      return undefined;
    }
    return entry.events;
  }

  /** The part of the stream that a read with these options would answer. Undefined when the events in memory do not tell. */
  part(stream: StreamName, options: ReadOptions, now: number): readonly RecordedEvent[] | undefined {
    const events = this.get(stream, now);
    return events ? excerpt(events, options) : this.#tails.read(stream, options, now);
  }

  /** Keeps what the store has read with these options, as far as a later read may want it. */
  putPart(stream: StreamName, events: readonly RecentEvent[], options: ReadOptions): void {
    this.#tails.put(stream, events, options);
  }

  /** Keeps the whole stream, which holds exactly these events. Returns the list that {@link get} will return. */
  put(stream: StreamName, events: readonly RecentEvent[]): readonly RecordedEvent[] {
    return this.#set(stream, joined(EMPTY, events));
  }

  /** Adds events that were appended to the stream. */
  extend(stream: StreamName, events: readonly RecentEvent[]): void {
    const entry = this.#entries.get(stream);
    if (entry) this.#set(stream, joined(entry, events));
    this.#tails.extend(stream, events);
  }

  forget(stream: StreamName): void {
    this.#entries.delete(stream);
    this.#tails.forget(stream);
  }

  /** An empty stream is not kept, and neither is one that is too big. */
  #set(stream: StreamName, entry: Entry): readonly RecordedEvent[] {
    if (entry.events.length === 0) this.#entries.delete(stream);
    else this.#entries.set(stream, entry, { size: Math.max(entry.size, MIN_STREAM) });
    return entry.events;
  }
}

const EMPTY: Entry = { events: [], expiresAt: Infinity, size: 0 };

const joined = (entry: Entry, more: readonly RecentEvent[]): Entry => ({
  events: Object.freeze(withNotes([...entry.events, ...more.map(({ event }) => event)])),
  expiresAt: more.reduce((first, { expiresAt }) => Math.min(first, expiresAt), entry.expiresAt),
  size: more.reduce((sum, { size }) => sum + size, entry.size),
});
