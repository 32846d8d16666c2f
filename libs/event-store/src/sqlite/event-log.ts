import { categoryOf, type RecordedEvent, type StreamName } from '../event-store.js';
import { Bell } from './bell.js';
import { recordedEvent } from './recorded-event.js';
import type { RecentEvent } from './recent-streams.js';
import type { Statements } from './statements.js';

/** Some events in order of position, and how far they reach: the next ones come after that. */
export interface Stretch {
  readonly events: readonly RecordedEvent[];
  readonly through: number;
}

interface Entry extends Pick<RecentEvent, 'event' | 'size'> {
  readonly position: number;
  readonly category: string;
}

/** How much one stretch holds at most, so that others have their turn. */
const MOST_POSITIONS = 500;
const MOST_CHARACTERS = 1_048_576;

/**
 * All events in order of position. The newest stay in memory, parsed once for all who follow: the ten subscriptions of one process would otherwise
 * read and parse each event again right after its commit. They are the same objects that reads give out.
 */
export class EventLog {
  readonly #bell = new Bell();
  #latest: Entry[] = [];
  /** Of the latest, in characters. */
  #size = 0;
  /** What comes after this position is among the latest. */
  #since: number;
  #last: number;

  constructor(
    private readonly statements: Statements,
    /** In characters. */
    private readonly room = 8_388_608,
  ) {
    this.#last = this.#since = statements.lastPosition();
  }

  /** Of the event committed last. */
  get last(): number {
    return this.#last;
  }

  /** They are committed, and nothing lies between them and what was added before. */
  add(stream: StreamName, events: readonly RecentEvent[]): void {
    const category = categoryOf(stream);
    for (const { event, size } of events) {
      this.#last = Number(event.position);
      this.#latest.push({ event, size, category, position: this.#last });
      this.#size += size;
    }
    if (this.#size > this.room) this.#dropHalf();
  }

  /** The stream, or what comes before that revision of it, was erased: it is handed over no more. */
  forget(stream: StreamName, before = Infinity): void {
    const stays = ({ event }: Entry): boolean => event.stream !== stream || event.revision >= before;
    if (!this.#latest.every(stays)) this.#keep(this.#latest.filter(stays));
  }

  /** Those of the categories that come next. May fail as the database does. */
  next(categories: readonly string[], after: number): Stretch {
    if (after < this.#since) return this.#fromFile(categories, after);
    const begin = this.#indexAfter(after);
    const stretch = this.#latest.slice(begin, begin + MOST_POSITIONS);
    const events = stretch.filter(({ category }) => categories.includes(category)).map(({ event }) => event);
    return { events, through: begin + stretch.length < this.#latest.length ? (stretch.at(-1)?.position ?? after) : this.#last };
  }

  /** Wakes all who wait. */
  ring(): void {
    this.#bell.ring();
  }

  /** Resolves at the next {@link ring}, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#bell.wait(signal);
  }

  #fromFile(categories: readonly string[], after: number): Stretch {
    const through = Math.min(this.#last, after + MOST_POSITIONS);
    const events: RecordedEvent[] = [];
    let characters = 0;
    for (const row of this.statements.category(categories, after, through)) {
      events.push(recordedEvent(row.name, row));
      characters += row.data.length;
      if (characters >= MOST_CHARACTERS) return { events, through: row.position };
    }
    return { events, through };
  }

  #indexAfter(position: number): number {
    let [low, high] = [0, this.#latest.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#latest[middle]?.position ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #dropHalf(): void {
    const dropped = this.#latest.slice(0, Math.ceil(this.#latest.length / 2));
    this.#since = dropped.at(-1)?.position ?? this.#since;
    this.#keep(this.#latest.slice(dropped.length));
  }

  #keep(latest: Entry[]): void {
    this.#latest = latest;
    this.#size = latest.reduce((sum, { size }) => sum + size, 0);
  }
}
