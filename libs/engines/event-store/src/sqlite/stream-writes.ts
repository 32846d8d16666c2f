import type { EventId } from '#kernel';
import type { AfterCommit } from '#engines/sqlite';

import {
  type AppendOptions,
  type AppendResult,
  type ExpectedRevision,
  NO_STREAM,
  type Retention,
  type StreamName,
  type StreamRevision,
  StreamTombstoned,
  WrongExpectedRevision,
} from '../event-store.js';
import type { PreparedEvent } from '../prepare-append.js';
import type { Eraser } from './eraser.js';
import type { EventLog } from './event-log.js';
import { recentEvent } from './recorded-event.js';
import type { RecentStreams } from './recent-streams.js';
import type { EventRow, EventStatements, StreamRow } from './statements.js';

export interface Append {
  readonly stream: StreamName;
  readonly expected: ExpectedRevision;
  readonly prepared: readonly PreparedEvent[];
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kept?: AppendOptions['kept'];
}

/**
 * Every change of a stream: its rows, the bytes that the change erases and, after the commit, the events in memory. All methods but {@link forget} run
 * inside a transaction of the store, and refuse before they have written.
 */
export class StreamWrites {
  constructor(
    private readonly statements: EventStatements,
    private readonly eraser: Eraser,
    private readonly recent: RecentStreams,
    private readonly log: EventLog,
  ) {}

  /** A repetition of a stored append writes nothing and answers the result again. Throws {@link WrongExpectedRevision}, {@link StreamTombstoned}. */
  append(append: Append, afterCommit: AfterCommit): AppendResult {
    const { stream, expected } = append;
    const row = this.#writable(stream);
    const current = row?.revision ?? -1;
    const wanted = expected === NO_STREAM ? -1 : expected;
    if (wanted !== current) {
      const repeated = this.#repeated(append);
      if (repeated) return repeated;
      throw new WrongExpectedRevision(stream, expected, current < 0 ? NO_STREAM : current);
    }
    return this.#insert(row ?? this.statements.createStream(stream), append, afterCommit);
  }

  /**
   * All of the appends, which concern different streams, if those of `unchanged` are as they were. A repetition of stored ones writes nothing and answers their results again, also
   * when `unchanged` has changed since. Throws {@link WrongExpectedRevision}, {@link StreamTombstoned}.
   */
  appendTogether(appends: readonly Append[], unchanged: readonly StreamRevision[], afterCommit: AfterCommit): AppendResult[] {
    const rows = this.#rowsOf(appends, unchanged);
    if ('repeated' in rows) return rows.repeated;
    return appends.map((append, index) => this.#insert(rows.accepted[index] ?? this.statements.createStream(append.stream), append, afterCommit));
  }

  /** Throws {@link StreamTombstoned}. */
  setRetention(stream: StreamName, retention: Retention, afterCommit: AfterCommit): void {
    const { maxAge = null, maxCount = null } = retention;
    const row = this.#writable(stream) ?? this.statements.createStream(stream);
    this.statements.setRetention({ id: row.id, maxAge: maxAge === null ? null : maxAge * 1000, maxCount });
    this.statements.noteExpiry(row.id);
    if (maxCount !== null) this.eraser.before(row, row.revision - maxCount + 1);
    afterCommit(() => this.recent.forget(stream));
  }

  /** Throws {@link StreamTombstoned}. */
  truncateBefore(stream: StreamName, revision: number, afterCommit: AfterCommit): void {
    const row = this.#writable(stream);
    if (!row || row.revision < 0) return;
    const before = Math.min(revision, row.revision);
    this.eraser.before(row, before);
    this.statements.noteExpiry(row.id);
    afterCommit(() => this.forget(stream, before));
  }

  tombstone(stream: StreamName, afterCommit: AfterCommit): void {
    const row = this.statements.stream(stream) ?? this.statements.createStream(stream);
    this.statements.tombstone(row.id);
    this.eraser.all(row);
    afterCommit(() => this.forget(stream));
  }

  /** Erases some of the events that have expired. Returns whether more are left. */
  eraseExpired(now: number, afterCommit: AfterCommit): boolean {
    return this.eraser.expired(now, (stream, before) => this.forget(stream, before), afterCommit);
  }

  /** Removes from memory the events of lower revisions than `before`, or all of the stream. */
  forget(stream: StreamName, before?: number): void {
    this.recent.forget(stream);
    this.log.forget(stream, before);
  }

  #insert(row: StreamRow, { stream, prepared, at, kept }: Append, afterCommit: AfterCommit): AppendResult {
    let revision = row.revision;
    const rows = prepared.map((event): EventRow => {
      const position = this.statements.insert({ ...event, stream: row.id, revision: ++revision, at });
      return { ...event, position, revision, at, maxAge: row.maxAge };
    });
    this.statements.advance({ id: row.id, revision, at });
    if (row.maxCount !== null) this.eraser.before(row, revision - row.maxCount + 1);
    const inserted = rows.map((each) => recentEvent(stream, each));
    afterCommit(() => {
      kept?.(inserted.map(({ event }) => event));
      this.log.add(stream, inserted);
      if (row.maxCount !== null) this.recent.forget(stream);
      else if (row.revision < 0) this.recent.put(stream, inserted);
      else this.recent.extend(stream, inserted);
    });
    return { revision, ids: idsOf(prepared) };
  }

  /** The rows of the streams to append to, or the results of the call that this one repeats. */
  #rowsOf(
    appends: readonly Append[],
    unchanged: readonly StreamRevision[],
  ): { readonly accepted: readonly (StreamRow | undefined)[] } | { readonly repeated: AppendResult[] } {
    try {
      for (const one of unchanged) this.#assertUnchanged(one);
      return { accepted: appends.map(({ stream, expected }) => this.#rowAt(stream, expected)) };
    } catch (conflict) {
      const repeated = conflict instanceof WrongExpectedRevision ? appends.flatMap((append) => this.#repeated(append) ?? []) : [];
      if (appends.length === 0 || repeated.length < appends.length) throw conflict;
      return { repeated };
    }
  }

  /** The result of an append that is stored already, all of it. Throws {@link StreamTombstoned}. */
  #repeated({ stream, expected, prepared }: Append): AppendResult | undefined {
    const row = this.#writable(stream);
    const wanted = expected === NO_STREAM ? -1 : expected;
    if (!row || wanted >= row.revision) return undefined;
    const count = this.#countRepeated(row, wanted, prepared);
    return count === prepared.length ? { revision: wanted + count, ids: idsOf(prepared) } : undefined;
  }

  /** How many of the events, from the first one on, are already stored at the revisions that this append would give them. */
  #countRepeated(row: StreamRow, after: number, events: readonly PreparedEvent[]): number {
    const different = events.findIndex(({ id }, index) => this.statements.eventId(row.id, after + 1 + index) !== id);
    return different < 0 ? events.length : different;
  }

  /** Throws {@link WrongExpectedRevision} unless the stream is at that revision. */
  #rowAt(stream: StreamName, expected: ExpectedRevision): StreamRow | undefined {
    const row = this.#writable(stream);
    const current = row === undefined || row.revision < 0 ? NO_STREAM : row.revision;
    if (current !== expected) throw new WrongExpectedRevision(stream, expected, current);
    return row;
  }

  /** A tombstoned stream is as it is read: empty. Throws {@link WrongExpectedRevision}. */
  #assertUnchanged({ stream, expected }: StreamRevision): void {
    const row = this.statements.stream(stream);
    const current = row === undefined || row.revision < 0 || row.tombstoned ? NO_STREAM : row.revision;
    if (current !== expected) throw new WrongExpectedRevision(stream, expected, current);
  }

  #writable(stream: StreamName): StreamRow | undefined {
    const row = this.statements.stream(stream);
    if (row?.tombstoned) throw new StreamTombstoned(stream);
    return row;
  }
}

const idsOf = (prepared: readonly PreparedEvent[]): EventId[] => prepared.map(({ id }) => id);
