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
const MAX_TOTAL = 33_554_432;

/**
 * The streams read or begun last, exactly as the store would read them: changed in the same commit as the stream,
 * and not given out any more when the first of their events expires.
 */
export class RecentStreams {
  /** In order of use: a Map keeps the order of insertion. */
  readonly #entries = new Map<StreamName, Entry>();
  #total = 0;

  get(stream: StreamName, now: number): readonly RecordedEvent[] | undefined {
    const entry = this.#entries.get(stream);
    if (!entry) return undefined;
    if (now >= entry.expiresAt) {
      this.forget(stream);
      return undefined;
    }
    this.#entries.delete(stream);
    this.#entries.set(stream, entry);
    return entry.events;
  }

  /** The stream holds these events and no other. Answers them as they will be given out. */
  put(stream: StreamName, events: readonly RecentEvent[]): readonly RecordedEvent[] {
    return this.#set(stream, joined(EMPTY, events));
  }

  /** The stream goes on with these events. */
  extend(stream: StreamName, events: readonly RecentEvent[]): void {
    const entry = this.#entries.get(stream);
    if (entry) this.#set(stream, joined(entry, events));
  }

  forget(stream: StreamName): void {
    this.#total -= this.#entries.get(stream)?.size ?? 0;
    this.#entries.delete(stream);
  }

  #set(stream: StreamName, entry: Entry): readonly RecordedEvent[] {
    this.forget(stream);
    if (entry.events.length === 0 || entry.size > MAX_STREAM) return entry.events;
    this.#entries.set(stream, entry);
    this.#total += entry.size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= MAX_TOTAL) break;
      this.forget(oldest);
    }
    return entry.events;
  }
}

const EMPTY: Entry = { events: [], expiresAt: Infinity, size: 0 };

const joined = (entry: Entry, more: readonly RecentEvent[]): Entry => ({
  events: Object.freeze([...entry.events, ...more.map(({ event }) => event)]),
  expiresAt: more.reduce((first, { expiresAt }) => Math.min(first, expiresAt), entry.expiresAt),
  size: more.reduce((sum, { size }) => sum + size, entry.size),
});
