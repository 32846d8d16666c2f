import type { DatabaseSync } from 'node:sqlite';

import { type Clock, type DomainEvent, type Randomness, Recurrence, SystemRandomness } from '#kernel';
import { backUpDatabase, DatabaseFiles, GroupCommit, isSqliteError } from '#engines/sqlite';

import { checkRetention, checkRevision } from '../check-retention.js';
import {
  type AppendOptions,
  type AppendResult,
  EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  type Place,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type Retention,
  type StreamAppend,
  type StreamName,
  type StreamRevision,
  type SubscribeOptions,
  type SubscriptionItem,
} from '../event-store.js';
import { MARK_STREAM } from '../marks/streams.js';
import { assertNamedOnce, prepareAppend } from '../prepare-append.js';
import { Refusals } from '../refusals.js';
import { compactIfWorthwhile } from './compact.js';
import { openEventDatabase, OWNER } from './database.js';
import { Eraser } from './eraser.js';
import { EventLog } from './event-log.js';
import { LogMarks } from './log-marks.js';
import { LogSubscription, type LogSubscriptionParts } from './log-subscription.js';
import { RecentStreams } from './recent-streams.js';
import { prepareStatements, type EventStatements } from './statements.js';
import { StreamReads } from './stream-reads.js';
import { StreamWrites } from './stream-writes.js';

export interface SqliteEventStoreOptions {
  /** The database file; its folder is made when it is missing. `:memory:` for tests. */
  readonly path: string;
  readonly clock: Clock;
  /** Makes the ids of events. Default: the operating system's. */
  readonly randomness?: Randomness;
  /** Called after each commit with the number of writes in it. */
  readonly committed?: (writes: number) => void;
  /** Called with a line for the log when an operator has to act on a subscription; the line says how. */
  readonly alarm?: (trouble: string) => void;
  /** Called with a line for the log when a subscription goes on after a mark. */
  readonly report?: (trouble: string) => void;
  /** Called when the file turned out to be an older copy, with the last place that is known to be in the copy. Several subscriptions may call it. */
  readonly restored?: (last: Place | undefined) => void;
  /** Awaited before the file is closed: for what still reads it, a backup for instance. */
  readonly beforeClose?: () => Promise<void>;
  /** Makes what flushes and closes the open file. Default: {@link DatabaseFiles}. */
  readonly files?: (database: DatabaseSync) => DatabaseFiles;
}

/** How often expired and erased bytes are cleared from the disk, in milliseconds. */
const SWEEP_INTERVAL = 60_000;

/**
 * The event store in one SQLite file, held by one process: ADR 0002. Writes wait for one another in a group commit;
 * reads are synchronous underneath and see every commit that is on disk: one that would see another commit waits for its flush.
 */
export class SqliteEventStore extends EventStore {
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  readonly #database: DatabaseSync;
  readonly #beforeClose: (() => Promise<void>) | undefined;
  readonly #statements: EventStatements;
  readonly #files: DatabaseFiles;
  readonly #commits: GroupCommit;
  readonly #recent = new RecentStreams();
  readonly #log: EventLog;
  readonly #eraser: Eraser;
  readonly #writes: StreamWrites;
  readonly #reads: StreamReads;
  readonly #sweeps: Recurrence;
  readonly #subscriptions: LogSubscriptionParts;
  readonly #marks = new LogMarks(
    (revision) => this.#reads.read(MARK_STREAM, { direction: 'backwards', limit: 1, ...(revision !== undefined && { from: revision }) })[0],
  );
  #closing: Promise<void> | undefined;
  /** One after the other. */
  #backups: Promise<void> = Promise.resolve();

  constructor(options: SqliteEventStoreOptions) {
    super();
    const { path, clock, randomness = new SystemRandomness(), committed, alarm = () => undefined, report = () => undefined } = options;
    const { restored = () => undefined, beforeClose, files = (database) => new DatabaseFiles(database) } = options;
    this.#beforeClose = beforeClose;
    this.#clock = clock;
    this.#randomness = randomness;
    this.#database = openEventDatabase(path);
    compactIfWorthwhile(this.#database, clock.now());
    this.#statements = prepareStatements(this.#database);
    this.#log = new EventLog(this.#statements);
    const onCommit = (writes: number): void => {
      this.#log.notify();
      committed?.(writes);
    };
    this.#files = files(this.#database);
    this.#commits = new GroupCommit(this.#database, OWNER, onCommit, this.#files);
    const whileOpen = <Result>(query: () => Result): Result => this.#whileOpen(query);
    this.#subscriptions = { log: this.#log, whileOpen, refusals: new Refusals(alarm), alarm, report, restored };
    this.#reads = new StreamReads({ statements: this.#statements, recent: this.#recent, commits: this.#commits, clock });
    this.#eraser = new Eraser(this.#database, this.#statements);
    this.#writes = new StreamWrites(this.#statements, this.#eraser, this.#recent, this.#log);
    this.#sweeps = new Recurrence({ clock, interval: SWEEP_INTERVAL, work: () => this.sweep() });
  }

  override async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    options: AppendOptions = {},
  ): Promise<AppendResult> {
    const prepared = prepareAppend(this.#randomness, { ...options, stream, expected, events });
    const { kept } = options;
    return this.#commits.run((afterCommit) => this.#writes.append({ stream, expected, prepared, at: this.#clock.now(), kept }, afterCommit));
  }

  override async appendTogether(appends: readonly StreamAppend[], unchanged: readonly StreamRevision[] = []): Promise<readonly AppendResult[]> {
    assertNamedOnce(appends, unchanged);
    const prepared = appends.map((append) => ({ ...append, prepared: prepareAppend(this.#randomness, append) }));
    return this.#commits.run((afterCommit) => {
      const at = this.#clock.now();
      return this.#writes.appendTogether(
        prepared.map((append) => ({ ...append, at })),
        unchanged,
        afterCommit,
      );
    });
  }

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    const recent = this.#whileOpen(() => this.#reads.recent(stream, options));
    if (!recent) await this.#reads.flushed();
    return (recent ?? this.#whileOpen(() => this.#reads.read(stream, options))) as readonly RecordedEvent<Event>[];
  }

  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.#closing ? undefined : (this.#recent.get(stream, this.#clock.now()) as readonly RecordedEvent<Event>[] | undefined);
  }

  override subscribe<Event extends DomainEvent = DomainEvent>(options: SubscribeOptions): AsyncIterable<SubscriptionItem<Event>> {
    return new LogSubscription(this.#subscriptions, options) as AsyncIterable<SubscriptionItem<Event>>;
  }

  override marksUpTo(position: Position): readonly Place[] {
    return this.#whileOpen(() => this.#marks.upTo(position));
  }

  override async setRetention(stream: StreamName, retention: Retention): Promise<void> {
    checkRetention(retention);
    return this.#commits.run((afterCommit) => this.#writes.setRetention(stream, retention, afterCommit));
  }

  override async truncateBefore(stream: StreamName, revision: number): Promise<void> {
    checkRevision(revision);
    return this.#commits.run((afterCommit) => this.#writes.truncateBefore(stream, revision, afterCommit));
  }

  override async exists(stream: StreamName): Promise<boolean> {
    await this.#reads.flushed();
    return this.#whileOpen(() => {
      const row = this.#statements.stream(stream);
      return row !== undefined && (row.revision >= 0 || row.tombstoned === 1);
    });
  }

  override async tombstone(stream: StreamName): Promise<void> {
    return this.#commits.run((afterCommit) => this.#writes.tombstone(stream, afterCommit));
  }

  override async check(): Promise<void> {
    this.#subscriptions.refusals.check();
    return this.#commits.run(() => this.#statements.noteHealth(this.#clock.now()));
  }

  /**
   * Copies the store into a file while it is used: every append that was answered before the call is in it, and of each transaction all or nothing. Throws
   * {@link EventStoreUnavailable}.
   */
  backUp(path: string): Promise<void> {
    const done = this.#backups.then(() => this.#backUp(path));
    this.#backups = done.catch(() => undefined);
    return done;
  }

  override async close(): Promise<void> {
    await this.#beforeClose?.();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Clears expired events from the disk, and everything that was erased since the last sweep from the write-ahead log. */
  async sweep(): Promise<void> {
    while (await this.#commits.run((afterCommit) => this.#writes.eraseExpired(this.#clock.now(), afterCommit)));
    if (this.#closing || !this.#eraser.isInLog) return;
    await this.#commits.moveLog();
    this.#eraser.clearLog();
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

  async #backUp(path: string): Promise<void> {
    if (this.#closing) throw closed();
    try {
      await backUpDatabase(this.#database, path, this.#commits);
    } catch (error) {
      throw new EventStoreUnavailable(`the event store cannot be copied: ${(error as Error).message}`);
    }
  }

  async #close(): Promise<void> {
    void this.#sweeps.end();
    await this.#backups;
    await this.#commits.close();
    this.#log.close();
    await this.#files.close();
  }
}

const closed = (): EventStoreUnavailable => new EventStoreUnavailable('the event store is closed');
