import { categoryOf, type RecordedEvent, type StreamName } from '../event-store.js';
import { Notifier } from './notifier.js';
import { recordedEvent } from './recorded-event.js';
import type { RecentEvent } from './recent-streams.js';
import type { Statements } from './statements.js';

/** Some events in order of position, and the position up to which they are complete. */
export interface Stretch {
  readonly events: readonly RecordedEvent[];
  readonly through: number;
}

interface Entry extends Pick<RecentEvent, 'event' | 'size'> {
  readonly position: number;
  readonly category: string;
}

/** The largest stretch, so that other work has its turn. */
const MOST_POSITIONS = 500;
const MOST_CHARACTERS = 1_048_576;

/**
 * All events in order of position. The newest stay in memory, parsed once for all subscriptions: the ten of one process would
 * otherwise read and parse each event again right after its commit. They are the same objects that reads return.
 */
export class EventLog {
  readonly #commits = new Notifier();
  #latest: Entry[] = [];
  /** The size of the latest events, in characters. */
  #size = 0;
  /** All events after this position are among the latest. */
  #since: number;
  #last: number;

  constructor(
    private readonly statements: Statements,
    /** The limit of the latest events, in characters. */
    private readonly room = 8_388_608,
  ) {
    this.#last = this.#since = statements.lastPosition();
  }

  /** The position of the event committed last. */
  get last(): number {
    return this.#last;
  }

  /** Adds events that are committed, and that follow the ones added before without a gap. */
  add(stream: StreamName, events: readonly RecentEvent[]): void {
    const category = categoryOf(stream);
    for (const { event, size } of events) {
      this.#last = Number(event.position);
      this.#latest.push({ event, size, category, position: this.#last });
      this.#size += size;
    }
    if (this.#size > this.room) this.#dropHalf();
  }

  /** Drops the events of a stream that were erased: all, or those before that revision. */
  forget(stream: StreamName, before = Infinity): void {
    const stays = ({ event }: Entry): boolean => event.stream !== stream || event.revision >= before;
    if (!this.#latest.every(stays)) this.#keep(this.#latest.filter(stays));
  }

  /** The next events of the categories. Throws the database's errors. */
  next(categories: readonly string[], after: number): Stretch {
    if (after < this.#since) return this.#fromFile(categories, after);
    const begin = this.#indexAfter(after);
    const stretch = this.#latest.slice(begin, begin + MOST_POSITIONS);
    const events = stretch.filter(({ category }) => categories.includes(category)).map(({ event }) => event);
    return { events, through: begin + stretch.length < this.#latest.length ? (stretch.at(-1)?.position ?? after) : this.#last };
  }

  /** Ends every {@link wait}. */
  notify(): void {
    this.#commits.notify();
  }

  /** Resolves at the next {@link notify}, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#commits.wait(signal);
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
