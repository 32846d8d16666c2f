import { categoryOf, type Place, type RecordedEvent, type StreamName } from '../event-store.js';
import { Notifier, type Waiter } from './notifier.js';
import { recordedEvent } from './recorded-event.js';
import type { RecentEvent } from './recent-event.js';
import type { EventStatements } from './statements.js';

/** Some events in order of position, and the position up to which they are complete. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  readonly through: number;
}

interface Entry {
  /** Undefined once it was erased. */
  event: RecordedEvent | undefined;
  readonly size: number;
  readonly position: number;
  readonly category: string;
}

/** The largest batch, so that other work is not held up. */
const MOST_POSITIONS = 500;
/** Events of other categories are passed over quickly: a read model of few events comes through a long log in few batches. */
const MOST_POSITIONS_IN_FILE = 5_000;
const MOST_CHARACTERS = 1_048_576;

/**
 * All events in order of position. The newest stay in memory, parsed once for all subscriptions: the ten of one process would
 * otherwise read and parse each event again right after its commit. They are the same objects that reads return.
 */
export class EventLog {
  readonly #commits = new Notifier();
  #latest: Entry[] = [];
  /** The same entries by stream: an erasure does not look at those of other streams. */
  #ofStream = new Map<StreamName, Entry[]>();
  /** The size of the latest events, in characters. */
  #size = 0;
  /** All events after this position are among the latest. */
  #since: number;
  #last: number;
  readonly #begin: number;
  /** By category, the position of its last event since this log began. */
  readonly #lastOf = new Map<string, number>();
  /** The categories of the events that were added since the last {@link notify}. */
  #added = new Set<string>();
  /** The position of which every subscription was told. */
  #allTold: number;

  constructor(
    private readonly statements: EventStatements,
    /** The limit of the latest events, in characters. */
    private readonly room = 8_388_608,
  ) {
    this.#last = this.#since = this.#begin = this.#allTold = statements.lastPosition();
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
      this.#push({ event, size, category, position: this.#last }, stream);
    }
    this.#lastOf.set(category, this.#last);
    this.#added.add(category);
    if (this.#size > this.room) this.#dropHalf();
  }

  /** Whether there are events of the categories after the position, as far as this log knows: it may say so of the ones before its start. */
  has(categories: readonly string[], after: number): boolean {
    return after < this.#begin || categories.some((category) => (this.#lastOf.get(category) ?? 0) > after);
  }

  /** Drops the events of a stream that were erased: all, or those before that revision. */
  forget(stream: StreamName, before = Infinity): void {
    const entries = this.#ofStream.get(stream) ?? [];
    for (const entry of entries) if (entry.event && entry.event.revision < before) entry.event = undefined;
    const left = entries.filter(({ event }) => event !== undefined);
    if (left.length > 0) this.#ofStream.set(stream, left);
    else this.#ofStream.delete(stream);
  }

  /** The next events of the categories. Throws the database's errors. */
  next(categories: readonly string[], after: number): EventBatch {
    if (!this.has(categories, after)) return { events: [], through: this.#last };
    if (after < this.#since) return this.#fromFile(categories, after);
    const begin = this.#indexAfter(after);
    const end = Math.min(begin + MOST_POSITIONS, this.#latest.length);
    const events: RecordedEvent[] = [];
    for (let index = begin; index < end; index += 1) {
      const { category, event } = this.#latest[index] as Entry;
      if (event && categories.includes(category)) events.push(event);
    }
    return { events, through: end < this.#latest.length ? (this.#latest[end - 1]?.position ?? after) : this.#last };
  }

  /** The last event up to the position, also an erased one; nothing when there is none. Throws the database's errors. */
  lastUpTo(position: number): Place | undefined {
    return this.statements.lastUpTo(position);
  }

  /** Ends each wait for the categories of the events that were added, and now and then all of them, so that none falls far behind. */
  notify(): void {
    const added = this.#added;
    this.#added = new Set();
    if (this.#last >= this.#allTold + MOST_POSITIONS) {
      this.#allTold = this.#last;
      this.#commits.notify();
    } else if (added.size > 0) this.#commits.notify(added);
  }

  /** Ends every wait. */
  close(): void {
    this.#commits.notify();
  }

  /** Waits for events of the categories until it leaves, or the signal aborts. */
  waiter(categories: readonly string[], signal: AbortSignal): Waiter {
    return this.#commits.join(categories, signal);
  }

  #fromFile(categories: readonly string[], after: number): EventBatch {
    const through = Math.min(this.#last, after + MOST_POSITIONS_IN_FILE);
    const events: RecordedEvent[] = [];
    let characters = 0;
    for (const row of this.statements.category(categories, after, through)) {
      events.push(recordedEvent(row.name, row));
      characters += row.data.length;
      if (characters >= MOST_CHARACTERS || events.length >= MOST_POSITIONS) return { events, through: row.position };
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
    const latest = this.#latest;
    const dropped = Math.ceil(latest.length / 2);
    this.#since = latest[dropped - 1]?.position ?? this.#since;
    this.#latest = [];
    this.#ofStream = new Map();
    this.#size = 0;
    for (const entry of latest.slice(dropped)) this.#push(entry, entry.event?.stream);
  }

  #push(entry: Entry, stream: StreamName | undefined): void {
    this.#latest.push(entry);
    this.#size += entry.size;
    if (stream === undefined) return;
    const others = this.#ofStream.get(stream);
    if (others) others.push(entry);
    else this.#ofStream.set(stream, [entry]);
  }
}
