import type { RecordedEvent, StreamName } from '../event-store.js';

export interface RecentEvent {
  readonly event: RecordedEvent;
  /** Epoch milliseconds, or Infinity. */
  readonly expiresAt: number;
  /** About what it takes in memory. */
  readonly size: number;
}

interface Entry {
  readonly events: readonly RecordedEvent[];
  /** When the first of the events expires: the entry is right until then. */
  readonly expiresAt: number;
  readonly size: number;
}

/** In characters. A bigger stream is read once or twice, not polled. */
const MAX_STREAM = 32_768;
const MAX_GENERATION = 16_777_216;

/**
 * The streams read or begun last, exactly as the store would read them: changed in the same commit as the stream,
 * and not given out any more when the first of their events expires.
 *
 * Two generations: what is used moves to the young one; when that is full it grows old, and what was old is forgotten.
 * To move an entry to the end of one big Map at every use would cost tens of microseconds: V8 builds its table anew.
 */
export class RecentStreams {
  #young = new Map<StreamName, Entry>();
  #old = new Map<StreamName, Entry>();
  /** Of the young generation. */
  #size = 0;

  get(stream: StreamName, now: number): readonly RecordedEvent[] | undefined {
    const entry = this.#entry(stream);
    if (!entry) return undefined;
    if (now >= entry.expiresAt) {
      this.forget(stream);
      return undefined;
    }
    return entry.events;
  }

  /** The stream holds these events and no other. Answers them as they will be given out. */
  put(stream: StreamName, events: readonly RecentEvent[]): readonly RecordedEvent[] {
    return this.#set(stream, joined(EMPTY, events));
  }

  /** The stream goes on with these events. */
  extend(stream: StreamName, events: readonly RecentEvent[]): void {
    const entry = this.#entry(stream);
    if (entry) this.#set(stream, joined(entry, events));
  }

  forget(stream: StreamName): void {
    this.#size -= this.#young.get(stream)?.size ?? 0;
    this.#young.delete(stream);
    this.#old.delete(stream);
  }

  #entry(stream: StreamName): Entry | undefined {
    const young = this.#young.get(stream);
    if (young) return young;
    const old = this.#old.get(stream);
    if (old) this.#set(stream, old);
    return old;
  }

  #set(stream: StreamName, entry: Entry): readonly RecordedEvent[] {
    this.forget(stream);
    if (entry.events.length === 0 || entry.size > MAX_STREAM) return entry.events;
    if (this.#size + entry.size > MAX_GENERATION) this.#growOld();
    this.#young.set(stream, entry);
    this.#size += entry.size;
    return entry.events;
  }

  #growOld(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
  }
}

const EMPTY: Entry = { events: [], expiresAt: Infinity, size: 0 };

const joined = (entry: Entry, more: readonly RecentEvent[]): Entry => ({
  events: Object.freeze([...entry.events, ...more.map(({ event }) => event)]),
  expiresAt: more.reduce((first, { expiresAt }) => Math.min(first, expiresAt), entry.expiresAt),
  size: more.reduce((sum, { size }) => sum + size, entry.size),
});
