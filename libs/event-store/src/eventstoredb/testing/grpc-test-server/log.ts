import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import { ANY, NO_STREAM, type Outcome, type ProposedEvent, STREAM_EXISTS, type StoredEvent, type StreamSelection } from './log-entries.js';
import { DELETED, readStreamMetadata, type StreamMetadata, withTruncateBefore } from './stream-metadata.js';

type Decision = { readonly decision: 'append'; readonly current: bigint; readonly softDeleted: boolean } | Exclude<Outcome, { result: 'never' }>;

interface Work {
  readonly run: () => Outcome;
  readonly answer: (outcome: Outcome) => void;
}

const metastreamOf = (stream: string): string => `$$${stream}`;
const isMetastream = (stream: string): boolean => stream.startsWith('$$');
const originalOf = (metastream: string): string => metastream.slice(2);

const EVENT = 'position, stream, revision, id, type, is_json AS isJson, data, custom_metadata AS customMetadata, at';

/**
 * The transaction log of the test server: what EventStoreDB's IndexWriter and StorageWriterService decide, over SQLite.
 * Writes of one turn of the event loop share one flush; they are answered when they are on disk.
 */
export class Log {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  readonly #listeners = new Set<() => void>();
  /** For expected version ANY only; a restart empties it. */
  readonly #committedIds = new Map<string, bigint>();
  #queue: Work[] = [];
  #position: bigint;
  #onDisk: bigint;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#database = new DatabaseSync(join(folder, 'grpc-test-server.sqlite'));
    this.#database.exec(`
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
        is_json INTEGER NOT NULL, data BLOB NOT NULL, custom_metadata BLOB NOT NULL, at INTEGER NOT NULL, UNIQUE (stream, revision)
      ) STRICT;`);
    this.#position = (this.#row('SELECT coalesce(max(position), 0) AS position FROM events')?.['position'] as bigint | undefined) ?? 0n;
    this.#onDisk = this.#position;
  }

  /** The position of the last event on disk; 0 when there is none. */
  get end(): bigint {
    return this.#onDisk;
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

  readStream({ stream, backwards, from, limit }: StreamSelection): readonly StoredEvent[] | 'stream-not-found' | 'stream-deleted' {
    const last = this.#lastOf(stream);
    const metadata = this.#metadataOf(stream);
    if (last === DELETED) return 'stream-deleted';
    if (last === NO_STREAM || metadata.truncateBefore === DELETED) return 'stream-not-found';
    const byCount = metadata.maxCount === null ? 0n : last - metadata.maxCount + 1n;
    const first = [byCount, metadata.truncateBefore ?? 0n, 0n].reduce((a, b) => (a > b ? a : b));
    const since = metadata.maxAge === null ? 0 : Date.now() - metadata.maxAge;
    const order = backwards ? 'AND revision <= ? ORDER BY revision DESC' : 'AND revision >= ? ORDER BY revision';
    return this.#events(`WHERE stream = ? AND revision >= ? AND at >= ? ${order} LIMIT ?`, stream, first, since, from, limit);
  }

  /** Everything, expired and deleted events too: they stay until a scavenge, which this server does not know. */
  readAll(backwards: boolean, from: bigint, limit: bigint): readonly StoredEvent[] {
    return backwards
      ? this.#events('WHERE position < ? ORDER BY position DESC LIMIT ?', from, limit)
      : this.#events('WHERE position > ? AND position <= ? ORDER BY position LIMIT ?', from, this.#onDisk, limit);
  }

  /** Calls back after each flush, until the returned function is called. */
  onFlush(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
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
    this.#database.exec('BEGIN IMMEDIATE');
    const outcomes = queue.map(({ run }) => run());
    this.#database.exec('COMMIT');
    this.#onDisk = this.#position;
    queue.forEach(({ answer }, index) => answer(outcomes[index]!));
    for (const listener of [...this.#listeners]) listener();
  }

  #append(stream: string, expected: bigint, events: readonly ProposedEvent[]): Outcome {
    const check = this.#check(stream, expected, events.map(({ id }) => id));
    if (!('decision' in check)) return check;
    const undeletesOriginal = isMetastream(stream) && this.#metadataOf(originalOf(stream)).truncateBefore === DELETED;
    let revision = check.current;
    for (const event of events) this.#write(stream, ++revision, event);
    const position = this.#position;
    if (check.softDeleted) this.#beginAgain(stream, check.current + 1n);
    if (undeletesOriginal) this.#beginAgain(originalOf(stream), this.#lastOf(originalOf(stream)) + 1n);
    return { result: 'success', revision, position };
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
      if (different < 0 && ids.length > 0) return this.#repeated(stream, expected + BigInt(ids.length));
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

  #repeated(stream: string, revision: bigint): Outcome {
    const position = this.#row('SELECT position FROM events WHERE stream = ? AND revision = ?', stream, revision)?.['position'] as bigint;
    return position > this.#onDisk ? { result: 'pending' } : { result: 'success', revision, position };
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
    this.#statement('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      this.#position, stream, revision, id, type, isJson ? 1 : 0, data, customMetadata, Date.now(),
    );
    this.#committedIds.set(`${stream} ${id}`, revision);
  }

  #lastOf(stream: string): bigint {
    if (isMetastream(stream) && this.#lastOf(originalOf(stream)) === DELETED) return DELETED;
    const row = this.#row('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1', stream);
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
    const rows = this.#statement(`SELECT ${EVENT} FROM events ${clause}`).all(...values) as unknown as (Omit<StoredEvent, 'at' | 'isJson'> & { at: bigint; isJson: bigint })[];
    return rows.map((row) => ({ ...row, at: Number(row.at), isJson: row.isJson === 1n }));
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

const systemEvent = (type: string, data: Uint8Array): ProposedEvent => ({ id: crypto.randomUUID(), type, isJson: true, data, customMetadata: Buffer.alloc(0) });
