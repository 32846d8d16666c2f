import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock, EventId, JsonObject } from '#kernel';

import {
  type AppendResult,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  NO_STREAM,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamName,
  StreamTombstoned,
  type SubscribeOptions,
  type SubscriptionItem,
  WrongExpectedRevision,
} from '../event-store.js';
import { type PreparedEvent, prepareAppend } from '../prepare-append.js';
import { Bell } from './bell.js';
import { compact } from './compact.js';
import { isSqliteError, openDatabase } from './database.js';
import { GroupCommit } from './group-commit.js';
import { RecentStreams } from './recent-streams.js';
import { type EventRow, prepareStatements, type Statements, type StreamRow } from './statements.js';

export interface SqliteEventStoreOptions {
  /** The database file; its folder is made when it is missing. `:memory:` for tests. */
  readonly path: string;
  readonly clock: Clock;
}

/** How often expired and erased bytes are cleared from the disk, in milliseconds. */
const SWEEP_EVERY = 60_000;
/** How much one step of a sweep, and of a subscription, works through before others have their turn. */
const SWEEP_STEP = 500;
const SUBSCRIPTION_STEP = 500;
const SUBSCRIPTION_STEP_CHARACTERS = 1_048_576;
/** About what an event takes in memory beside its data. */
const ROW_CHARACTERS = 512;

/**
 * The event store in one SQLite file, held by one process: ADR 0002. Writes wait for one another in a group commit;
 * reads are synchronous underneath and see every commit.
 */
export class SqliteEventStore extends EventStore {
  readonly #clock: Clock;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #commits: GroupCommit;
  readonly #bell = new Bell();
  readonly #recent = new RecentStreams();
  readonly #sweeper: NodeJS.Timeout;
  #last: number;
  /** Whether erased bytes may still lie in the write-ahead log. */
  #erased = false;
  #closing: Promise<void> | undefined;

  constructor({ path, clock }: SqliteEventStoreOptions) {
    super();
    this.#clock = clock;
    this.#database = openDatabase(path);
    compact(this.#database, clock.now());
    this.#statements = prepareStatements(this.#database);
    this.#last = this.#statements.lastPosition();
    this.#commits = new GroupCommit(this.#database, () => {
      this.#last = this.#statements.lastPosition();
      this.#bell.ring();
    });
    const sweep = (): void => void this.sweep().catch(() => undefined); // what fails now is swept next time
    this.#sweeper = setInterval(sweep, SWEEP_EVERY).unref();
    sweep();
  }

  override async append(stream: StreamName, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const prepared = prepareAppend(stream, events);
    return this.#commits.run(() => this.#append(stream, expected, prepared));
  }

  override async read(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent[]> {
    const now = this.#clock.now();
    if (options) return this.#query(stream, now, options).map(({ event }) => event);
    const known = this.#recent.get(stream, now);
    if (known) return known;
    const rows = this.#query(stream, now, {});
    return this.#recent.put(stream, rows);
  }

  override subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionItem> {
    return this.#follow(options, options.after === 'end' ? this.#last : Number(options.after ?? 0));
  }

  override async setRetention(stream: StreamName, retention: Retention): Promise<void> {
    const maxAge = wholeNumber(retention.maxAge, 'maxAge');
    const maxCount = wholeNumber(retention.maxCount, 'maxCount');
    return this.#commits.run(() => {
      const row = this.#writable(stream) ?? this.#statements.createStream(stream);
      this.#statements.setRetention({ id: row.id, maxAge: maxAge === null ? null : maxAge * 1000, maxCount });
      this.#statements.noteExpiry(row.id);
      if (maxCount !== null) this.#eraseBefore(row, row.revision - maxCount + 1);
      this.#recent.forget(stream);
    });
  }

  override async delete(stream: StreamName): Promise<void> {
    return this.#commits.run(() => {
      const row = this.#statements.stream(stream);
      if (row) this.#eraseAll(row, stream);
    });
  }

  override async tombstone(stream: StreamName): Promise<void> {
    return this.#commits.run(() => {
      const row = this.#statements.stream(stream) ?? this.#statements.createStream(stream);
      this.#statements.tombstone(row.id);
      this.#eraseAll(row, stream);
    });
  }

  override async check(): Promise<void> {
    return this.#commits.run(() => this.#statements.noteHealth(this.#clock.now()));
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Clears expired events from the disk, and whatever was erased since the last time from the write-ahead log. */
  async sweep(): Promise<void> {
    while (await this.#commits.run(() => this.#sweepStep(this.#clock.now())));
    if (!this.#erased || this.#closing) return;
    this.#erased = false;
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #append(stream: StreamName, expected: ExpectedRevision, events: readonly PreparedEvent[]): AppendResult {
    const row = this.#writable(stream);
    const current = row?.revision ?? -1;
    const wanted = expected === NO_STREAM ? -1 : expected;
    if (!row || wanted !== current) {
      const repeated = row && wanted < current ? this.#countRepeated(row, wanted, events) : 0;
      if (repeated === events.length) return { revision: wanted + repeated };
      const begins = expected === NO_STREAM && repeated === 0 && (!row || isDeleted(row));
      if (!begins) throw new WrongExpectedRevision(stream, expected, current < 0 ? NO_STREAM : current);
    }
    return this.#insert(row ?? this.#statements.createStream(stream), stream, events);
  }

  #insert(row: StreamRow, stream: StreamName, events: readonly PreparedEvent[]): AppendResult {
    const at = this.#clock.now();
    let revision = row.revision;
    for (const { id, type, data } of events) this.#statements.insert({ stream: row.id, revision: ++revision, id, at, type, data });
    this.#statements.advance({ id: row.id, revision, at });
    if (row.maxCount !== null) this.#eraseBefore(row, revision - row.maxCount + 1);
    this.#recent.forget(stream);
    return { revision };
  }

  /** How many of the events, from the first one on, already stand where this append would have put them. */
  #countRepeated(row: StreamRow, after: number, events: readonly PreparedEvent[]): number {
    const different = events.findIndex(({ id }, index) => this.#statements.eventId(row.id, after + 1 + index) !== id);
    return different < 0 ? events.length : different;
  }

  #writable(stream: StreamName): StreamRow | undefined {
    const row = this.#statements.stream(stream);
    if (row?.tombstoned) throw new StreamTombstoned(stream);
    return row;
  }

  #eraseAll(row: StreamRow, stream: StreamName): void {
    this.#eraseBefore(row, row.revision + 1);
    this.#statements.noteExpiry(row.id);
    this.#recent.forget(stream);
  }

  #eraseBefore(row: StreamRow, first: number): void {
    if (first <= row.first) return;
    this.#statements.eraseBefore(row.id, first);
    this.#erased = true;
  }

  /** Whether something is left to sweep. */
  #sweepStep(now: number): boolean {
    const expiring = this.#statements.expiring(now, SWEEP_STEP);
    for (const { id, name, maxAge } of expiring) {
      this.#statements.eraseUpTo(id, now - maxAge);
      this.#statements.noteExpiry(id);
      this.#recent.forget(name);
      this.#erased = true;
    }
    return expiring.length === SWEEP_STEP;
  }

  #query(stream: StreamName, now: number, { direction = 'forwards', from, limit = -1 }: ReadOptions): QueriedEvent[] {
    const rows = this.#whileOpen(() =>
      direction === 'forwards'
        ? this.#statements.readForwards({ stream, now, from: from ?? 0, limit })
        : this.#statements.readBackwards({ stream, now, from: from ?? null, limit }),
    );
    return rows.map((row) => ({
      event: recorded(stream, row),
      expiresAt: row.maxAge === null ? Infinity : row.at + row.maxAge,
      size: ROW_CHARACTERS + row.data.length,
    }));
  }

  async *#follow({ categories, signal }: SubscribeOptions, after: number): AsyncGenerator<SubscriptionItem, void, void> {
    let caughtUp = false;
    while (!signal.aborted) {
      if (after >= this.#last) {
        if (!caughtUp) yield 'caught-up';
        caughtUp = true;
        // Something may have been stored while the consumer was busy with the note.
        if (after >= this.#last) await this.#bell.wait(signal);
        if (this.#closing && !signal.aborted) throw closed();
        continue;
      }
      const { events, through } = this.#whileOpen(() => this.#step(categories, after));
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
      }
      after = through;
      await nextTurn();
    }
  }

  #step(categories: readonly string[], after: number): { events: RecordedEvent[]; through: number } {
    const through = Math.min(this.#last, after + SUBSCRIPTION_STEP);
    const events: RecordedEvent[] = [];
    let characters = 0;
    for (const row of this.#statements.category(categories, after, through)) {
      events.push(recorded(row.name, row));
      characters += row.data.length;
      if (characters >= SUBSCRIPTION_STEP_CHARACTERS) return { events, through: row.position };
    }
    return { events, through };
  }

  #whileOpen<Result>(work: () => Result): Result {
    if (this.#closing) throw closed();
    try {
      return work();
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      throw new EventStoreUnavailable(`the event store cannot read: ${error.message}`);
    }
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#commits.close();
    this.#bell.ring();
    this.#database.close();
  }
}

interface QueriedEvent {
  readonly event: RecordedEvent;
  readonly expiresAt: number;
  readonly size: number;
}

const recorded = (stream: StreamName, row: EventRow): RecordedEvent =>
  Object.freeze({
    stream,
    revision: row.revision,
    position: BigInt(row.position) as Position,
    id: row.id as EventId,
    type: row.type,
    data: frozen(JSON.parse(row.data) as JsonObject),
  });

// Recent events are shared between callers.
const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

const isDeleted = (row: StreamRow): boolean => row.first > row.revision;

const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');

const wholeNumber = (value: number | undefined, name: string): number | null => {
  if (value === undefined) return null;
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name} is a whole number from 1 on, not ${value}`);
  return value;
};
