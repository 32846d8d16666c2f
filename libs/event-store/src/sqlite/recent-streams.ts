import type { RecordedEvent, StreamName } from '../event-store.js';

interface Entry {
  readonly events: readonly RecordedEvent[];
  /** When the first of the events expires: the entry is right until then. */
  readonly expiresAt: number;
  readonly size: number;
}

/** In characters of JSON. A bigger stream is read once or twice, not polled. */
const MAX_STREAM = 32_768;
const MAX_TOTAL = 33_554_432;

/**
 * The streams read last, exactly as the store would read them: forgotten in the same commit that changes them,
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

  put(stream: StreamName, rows: readonly { event: RecordedEvent; expiresAt: number; size: number }[]): readonly RecordedEvent[] {
    const events = Object.freeze(rows.map(({ event }) => event));
    const size = rows.reduce((sum, row) => sum + row.size, 0);
    if (events.length === 0 || size > MAX_STREAM) return events;
    this.forget(stream);
    this.#entries.set(stream, { events, expiresAt: Math.min(...rows.map(({ expiresAt }) => expiresAt)), size });
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= MAX_TOTAL) break;
      this.forget(oldest);
    }
    return events;
  }

  forget(stream: StreamName): void {
    this.#total -= this.#entries.get(stream)?.size ?? 0;
    this.#entries.delete(stream);
  }
}
