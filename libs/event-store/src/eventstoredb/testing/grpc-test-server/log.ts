import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import {
  ANY,
  NO_STREAM,
  type Outcome,
  type ProposedEvent,
  STREAM_EXISTS,
  type StoredEvent,
  type StreamPage,
  type StreamSelection,
  type Writes,
} from './log-entries.js';
import { ReadLag } from './read-lag.js';
import { scavenge } from './scavenge.js';
import { DELETED, readStreamMetadata, type StreamMetadata, withTruncateBefore } from './stream-metadata.js';

type Decision = { readonly decision: 'append'; readonly current: bigint; readonly softDeleted: boolean } | Exclude<Outcome, { result: 'never' }>;

/** An event as the nodes of a cluster send it to each other: all columns of its row. */
export type LogRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>> & { readonly position: bigint; readonly epoch: bigint };

export interface LogEntry {
  readonly position: bigint;
  readonly epoch: bigint;
}

interface Waiting {
  readonly position: bigint;
  readonly outcome: Outcome;
  readonly answer: (outcome: Outcome) => void;
}

interface Work {
  readonly run: () => Outcome;
  readonly answer: (outcome: Outcome) => void;
}

const metastreamOf = (stream: string): string => `$$${stream}`;
const isMetastream = (stream: string): boolean => stream.startsWith('$$');
const originalOf = (metastream: string): string => metastream.slice(2);

const EVENT = 'position, stream, revision, id, type, is_json AS isJson, data, custom_metadata AS customMetadata, at';

/**
 * The transaction log of the test server: the decisions of EventStoreDB's IndexWriter and StorageWriterService, over SQLite.
 * Writes of one turn of the event loop share one flush; they are answered when they are on disk.
 */
export class Log implements Writes {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  readonly #listeners = new Set<() => void>();
  readonly #lag: ReadLag;
  /** For expected version ANY only; a restart empties it. */
  readonly #committedIds = new Map<string, bigint>();
  #queue: Work[] = [];
  #position: bigint;
  #onDisk: bigint;
  /** The position up to which nothing can be lost any more: in a cluster, most of the nodes have stored it. */
  #committed: bigint;
  #waiting: Waiting[] = [];
  /** Of the leader that writes; 0 for a node without a cluster. */
  #epoch = 0n;
  #inCluster = false;
  #leads = true;

  /** `readLag`: the milliseconds for which reads do not show the next append yet. */
  constructor(folder: string, readLag: () => number) {
    this.#lag = new ReadLag(readLag, () => this.#announce());
    mkdirSync(folder, { recursive: true });
    this.#database = new DatabaseSync(join(folder, 'grpc-test-server.sqlite'));
    this.#database.exec(`
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
        is_json INTEGER NOT NULL, data BLOB NOT NULL, custom_metadata BLOB NOT NULL, at INTEGER NOT NULL, epoch INTEGER NOT NULL,
        UNIQUE (stream, revision)
      ) STRICT;
      CREATE TABLE IF NOT EXISTS numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;`);
    this.#position = (this.#row('SELECT coalesce(max(position), 0) AS position FROM events')?.['position'] as bigint | undefined) ?? 0n;
    this.#onDisk = this.#position;
    this.#committed = this.#position;
  }

  /** The position up to which `$all` shows everything; 0 when it is empty. */
  get end(): bigint {
    const hidden = this.#lag.firstHiddenPosition();
    return hidden === undefined || hidden > this.#committed ? this.#committed : hidden - 1n;
  }

  /**
   * Whether `$all` can be read from the position: the begin, an event's, anything beyond the end, and anything up to the end of the
   * last scavenge, which has removed events.
   */
  knows(position: bigint): boolean {
    if (position === 0n || position > this.#onDisk || position <= this.#number('scavenged')) return true;
    return this.#row('SELECT 1 FROM events WHERE position = ?', position) !== undefined;
  }

  /** Answers the bytes that it has saved. */
  scavenge(): number {
    this.#flush();
    const end = this.#onDisk;
    const saved = scavenge(this.#database, Date.now());
    this.keepNumber('scavenged', end);
    return saved;
  }

  /** Resolves when `$all` shows everything that is on disk now. That includes all acknowledged events: a real server commits in order. */
  async shown(): Promise<void> {
    const written = this.#onDisk;
    while (this.end < written) {
      await new Promise<void>((resolve) => {
        const stop = this.onChange(() => (stop(), resolve()));
      });
    }
  }

  append(stream: string, expected: bigint, events: readonly ProposedEvent[], answer: (outcome: Outcome) => void): void {
    this.#enqueue({ run: () => this.#append(stream, expected, events), answer });
  }

  delete(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void {
    this.#enqueue({ run: () => this.#softDelete(stream, expected), answer });
  }

  tombstone(stream: string, expected: bigint, answer: (outcome: Outcome) => void): void {
    this.#enqueue({ run: () => this.#hardDelete(stream, expected), answer });
  }

  /** From now on nothing counts as stored until {@link commit} says so. */
  joinCluster(): void {
    this.#inCluster = true;
    this.#leads = false;
    this.#committed = 0n;
  }

  /** The node leads: its writes belong to the epoch. */
  lead(epoch: bigint): void {
    this.#epoch = epoch;
    this.#leads = true;
  }

  /** The node does not lead any more: it does not know the outcome of the waiting writes. */
  yieldLead(): void {
    this.#leads = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { answer } of waiting) answer({ result: 'not-leader' });
  }

  /** Enough nodes have stored everything up to the position. */
  commit(position: bigint): void {
    if (position <= this.#committed) return;
    this.#committed = position < this.#onDisk ? position : this.#onDisk;
    this.#acknowledge();
    this.#announce();
  }

  get committed(): bigint {
    return this.#committed;
  }

  lastEntry(): LogEntry {
    return this.#entry('ORDER BY position DESC LIMIT 1') ?? { position: 0n, epoch: 0n };
  }

  /** Whether the log holds the entry, or held it before a scavenge. */
  holds({ position, epoch }: LogEntry): boolean {
    if (position <= this.#number('scavenged')) return true;
    return this.#entry('WHERE position = ?', position)?.epoch === epoch;
  }

  /** The last entry before the position. */
  entryBefore(position: bigint): LogEntry {
    return this.#entry('WHERE position < ? ORDER BY position DESC LIMIT 1', position) ?? { position: 0n, epoch: 0n };
  }

  rowsAfter(position: bigint, limit: bigint): LogRow[] {
    return this.#statement('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?').all(position, limit) as unknown as LogRow[];
  }

  /** Takes over the leader's writes after the position, and replaces its own there. */
  replaceAfter(position: bigint, rows: readonly LogRow[]): void {
    if (rows.length === 0 && this.#position === position) return;
    this.#database.exec('BEGIN IMMEDIATE');
    this.#statement('DELETE FROM events WHERE position > ?').run(position);
    for (const row of rows) {
      const { stream, revision, id, type, is_json, data, custom_metadata, at, epoch } = row;
      const values = [row.position, stream, revision, id, type, is_json, data, custom_metadata, at, epoch] as SQLInputValue[];
      this.#statement('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...values);
    }
    this.#database.exec('COMMIT');
    this.#position = rows.at(-1)?.position ?? position;
    this.#onDisk = this.#position;
  }

  /** A number that outlives a restart: an epoch, a vote. */
  number(name: string): bigint {
    return this.#number(name);
  }

  keepNumber(name: string, value: bigint): void {
    this.#statement('INSERT OR REPLACE INTO numbers VALUES (?, ?)').run(name, value);
  }

  readStream({ stream, backwards, from, limit }: StreamSelection): StreamPage | 'stream-not-found' | 'stream-deleted' {
    const stored = this.#lastOf(stream, this.#committed);
    if (stored === DELETED) return 'stream-deleted';
    const hidden = this.#lag.firstHiddenRevision(stream);
    const last = hidden === undefined ? stored : hidden - 1n;
    const metadata = this.#metadataOf(stream);
    if (last === NO_STREAM || metadata.truncateBefore === DELETED) return 'stream-not-found';
    const byCount = metadata.maxCount === null ? 0n : last - metadata.maxCount + 1n;
    const first = [byCount, metadata.truncateBefore ?? 0n, 0n].reduce((a, b) => (a > b ? a : b));
    const since = metadata.maxAge === null ? 0 : Date.now() - metadata.maxAge;
    const order = backwards ? 'AND revision <= ? ORDER BY revision DESC' : 'AND revision >= ? ORDER BY revision';
    const where = `WHERE stream = ? AND revision >= ? AND revision <= ? AND at >= ? ${order} LIMIT ?`;
    return { events: this.#events(where, stream, first, last, since, from, limit), last };
  }

  /** Everything that no scavenge has removed, expired and deleted events too. */
  readAll(backwards: boolean, from: bigint, limit: bigint): readonly StoredEvent[] {
    return backwards
      ? this.#events('WHERE position < ? AND position <= ? ORDER BY position DESC LIMIT ?', from, this.end, limit)
      : this.#events('WHERE position > ? AND position <= ? ORDER BY position LIMIT ?', from, this.end, limit);
  }

  /** Calls back whenever there may be more to read, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#lag.stop();
    this.#flush();
    this.#database.close();
  }

  #enqueue(work: Work): void {
    if (this.#queue.push(work) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    if (queue.length === 0) return;
    if (!this.#leads) return queue.forEach(({ answer }) => answer({ result: 'not-leader' }));
    this.#database.exec('BEGIN IMMEDIATE');
    const outcomes = queue.map(({ run }) => run());
    this.#database.exec('COMMIT');
    this.#onDisk = this.#position;
    if (!this.#inCluster) this.#committed = this.#onDisk;
    queue.forEach(({ answer }, index) => {
      const outcome = outcomes[index]!;
      const position = outcome.result === 'success' ? outcome.position : undefined;
      if (position === undefined) answer(outcome);
      else this.#waiting.push({ position, outcome, answer });
    });
    this.#acknowledge();
    this.#announce();
  }

  #acknowledge(): void {
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ position }) => position > this.#committed);
    for (const { position, outcome, answer } of waiting) {
      if (position > this.#committed) continue;
      const stored = outcome.result === 'success' ? outcome.stored : undefined;
      if (stored) this.#lag.hold(stored, () => answer(outcome));
      else answer(outcome);
    }
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #append(stream: string, expected: bigint, events: readonly ProposedEvent[]): Outcome {
    const check = this.#check(
      stream,
      expected,
      events.map(({ id }) => id),
    );
    if (!('decision' in check)) return check;
    const undeletesOriginal = isMetastream(stream) && this.#metadataOf(originalOf(stream)).truncateBefore === DELETED;
    const before = this.#position;
    let revision = check.current;
    for (const event of events) this.#write(stream, ++revision, event);
    const position = this.#position;
    if (check.softDeleted) this.#beginAgain(stream, check.current + 1n);
    if (undeletesOriginal) this.#beginAgain(originalOf(stream), this.#lastOf(originalOf(stream)) + 1n);
    const stored = { stream, revision: check.current + 1n, position: before + 1n };
    return { result: 'success', revision, position, ...(events.length > 0 && { stored }) };
  }

  /** IndexWriter.CheckCommit, 23.10.7. */
  #check(stream: string, expected: bigint, ids: readonly string[]): Decision {
    const current = this.#lastOf(stream);
    if (current === DELETED) return { result: 'stream-deleted' };
    const softDeleted = this.#metadataOf(stream).truncateBefore === DELETED;
    if (expected === STREAM_EXISTS) {
      if (softDeleted) return { result: 'stream-deleted' };
      if (current < 0n && this.#lastOf(metastreamOf(stream)) < 0n) return { result: 'wrong-expected-version', current };
    }
    if (expected === ANY || expected === STREAM_EXISTS) return this.#checkAny(stream, ids, { decision: 'append', current, softDeleted });
    if (expected < current) {
      const different = ids.findIndex((id, index) => this.#idOf(stream, expected + 1n + BigInt(index)) !== id);
      if (different < 0 && ids.length > 0) return this.#repeated(stream, expected + BigInt(ids.length), softDeleted);
      if (different === 0 && expected === NO_STREAM && softDeleted) return { decision: 'append', current, softDeleted };
    }
    return expected === current ? { decision: 'append', current, softDeleted } : { result: 'wrong-expected-version', current };
  }

  #checkAny(stream: string, ids: readonly string[], append: Decision & { current: bigint }): Decision {
    const known = ids.map((id) => this.#committedIds.get(`${stream} ${id}`));
    if (known.length === 0 || known[0] === undefined) return append;
    const last = known.at(-1);
    if (known.includes(undefined) || last === undefined) return { result: 'wrong-expected-version', current: append.current };
    return this.#repeated(stream, last);
  }

  #repeated(stream: string, revision: bigint, softDeleted = false): Outcome {
    const position = this.#row('SELECT position FROM events WHERE stream = ? AND revision = ?', stream, revision)?.['position'] as bigint;
    const hidden = this.#lag.firstHiddenRevision(stream);
    const pending = position > this.#onDisk || (hidden !== undefined && revision >= hidden);
    return pending ? { result: 'pending' } : { result: 'success', revision, position: softDeleted ? undefined : position };
  }

  #softDelete(stream: string, expected: bigint): Outcome {
    const check = this.#check(stream, expected, ['']);
    if (!('decision' in check)) return check;
    const metastream = metastreamOf(stream);
    const revision = this.#lastOf(metastream);
    if (check.current < 0n && revision < 0n) return { result: 'wrong-expected-version', current: NO_STREAM };
    this.#write(metastream, revision + 1n, systemEvent('$metadata', Buffer.from(`{"$tb":${DELETED}}`)));
    return { result: 'success', revision: check.current, position: this.#position };
  }

  #hardDelete(stream: string, expected: bigint): Outcome {
    const check = this.#check(stream, expected, ['']);
    if (!('decision' in check)) return check;
    this.#write(stream, DELETED, { ...systemEvent('$streamDeleted', Buffer.alloc(0)), isJson: false });
    return { result: 'success', revision: check.current, position: this.#position };
  }

  /** StorageWriterService.SoftUndeleteStream. */
  #beginAgain(stream: string, from: bigint): void {
    const metastream = metastreamOf(stream);
    const data = withTruncateBefore(this.#lastData(metastream) ?? Buffer.from('{}'), from);
    this.#write(metastream, this.#lastOf(metastream) + 1n, systemEvent('$metadata', data));
  }

  #write(stream: string, revision: bigint, { id, type, isJson, data, customMetadata }: ProposedEvent): void {
    // As in the real log, positions have gaps: they are byte offsets.
    this.#position += BigInt(64 + stream.length + type.length + data.length + customMetadata.length);
    this.#statement('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      this.#position,
      stream,
      revision,
      id,
      type,
      isJson ? 1 : 0,
      data,
      customMetadata,
      Date.now(),
      this.#epoch,
    );
    this.#committedIds.set(`${stream} ${id}`, revision);
  }

  /** Up to a position: reads show committed events only, while appends are compared with all written ones. */
  #lastOf(stream: string, upTo = DELETED): bigint {
    if (isMetastream(stream) && this.#lastOf(originalOf(stream), upTo) === DELETED) return DELETED;
    const row = this.#row('SELECT revision FROM events WHERE stream = ? AND position <= ? ORDER BY revision DESC LIMIT 1', stream, upTo);
    return (row?.['revision'] as bigint | undefined) ?? NO_STREAM;
  }

  #lastData(stream: string): Uint8Array | undefined {
    return this.#row('SELECT data FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1', stream)?.['data'] as Uint8Array | undefined;
  }

  #metadataOf(stream: string): StreamMetadata {
    return isMetastream(stream) ? { ...readStreamMetadata(undefined), maxCount: 1n } : readStreamMetadata(this.#lastData(metastreamOf(stream)));
  }

  #idOf(stream: string, revision: bigint): unknown {
    return this.#row('SELECT id FROM events WHERE stream = ? AND revision = ?', stream, revision)?.['id'];
  }

  #events(clause: string, ...values: SQLInputValue[]): StoredEvent[] {
    const rows = this.#statement(`SELECT ${EVENT} FROM events ${clause}`).all(...values) as unknown as (Omit<StoredEvent, 'at' | 'isJson'> & {
      at: bigint;
      isJson: bigint;
    })[];
    return rows.map((row) => ({ ...row, at: Number(row.at), isJson: row.isJson === 1n }));
  }

  #entry(clause: string, ...values: SQLInputValue[]): LogEntry | undefined {
    return this.#row(`SELECT position, epoch FROM events ${clause}`, ...values) as LogEntry | undefined;
  }

  #number(name: string): bigint {
    return (this.#row('SELECT value FROM numbers WHERE name = ?', name)?.['value'] as bigint | undefined) ?? 0n;
  }

  #row(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #statement(sql: string): ReturnType<DatabaseSync['prepare']> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

const systemEvent = (type: string, data: Uint8Array): ProposedEvent => ({
  id: crypto.randomUUID(),
  type,
  isJson: true,
  data,
  customMetadata: Buffer.alloc(0),
});
