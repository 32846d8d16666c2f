import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import { CheckpointFiles } from './checkpoint-files.js';
import { NO_STREAM, type ProposedEvent, type StoredEvent } from './log-entries.js';
import { scavenge } from './scavenge.js';
import { DELETED, readStreamMetadata, type StreamMetadata } from './stream-metadata.js';

/** An event as the nodes of a cluster send it to each other: all columns of its row. */
export type LogRow = Readonly<Record<string, string | number | bigint | Uint8Array | null>> & { readonly position: bigint; readonly epoch: bigint };

export interface LogEntry {
  readonly position: bigint;
  readonly epoch: bigint;
}

export const metastreamOf = (stream: string): string => `$$${stream}`;
export const isMetastream = (stream: string): boolean => stream.startsWith('$$');
export const originalOf = (metastream: string): string => metastream.slice(2);

const EVENT = 'position, stream, revision, id, type, is_json AS isJson, data, custom_metadata AS customMetadata, at';

/** The rows of the log in SQLite, and the numbers that outlive a restart. */
export class LogRows {
  /** Whether the log was truncated to an older copy at its opening. */
  readonly isTruncated: boolean;
  readonly #database: DatabaseSync;
  readonly #checkpoints: CheckpointFiles;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  /** For expected version ANY only; a restart empties it. */
  readonly #writtenIds = new Map<string, bigint>();
  #position: bigint;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#checkpoints = new CheckpointFiles(folder);
    this.#database = new DatabaseSync(join(folder, 'grpc-test-server.sqlite'));
    this.#database.exec(`
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
      CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
        is_json INTEGER NOT NULL, data BLOB NOT NULL, custom_metadata BLOB NOT NULL, at INTEGER NOT NULL, epoch INTEGER NOT NULL,
        UNIQUE (stream, revision)
      ) STRICT;
      CREATE TABLE IF NOT EXISTS numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;`);
    this.isTruncated = this.#truncate();
    this.#position = (this.#row('SELECT coalesce(max(position), 0) AS position FROM events')?.['position'] as bigint | undefined) ?? 0n;
  }

  /** Of the last written event, which may not be on disk yet. */
  get position(): bigint {
    return this.#position;
  }

  /** Does the work in one transaction: its writes are on disk afterwards. */
  transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    const result = work();
    this.#database.exec('COMMIT');
    this.#checkpoints.store(this.#position);
    return result;
  }

  /** `epoch`: of the leader that writes; 0 for a node without a cluster. */
  write(stream: string, revision: bigint, { id, type, isJson, data, customMetadata }: ProposedEvent, epoch: bigint): void {
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
      epoch,
    );
    this.#writtenIds.set(`${stream} ${id}`, revision);
  }

  /** The revision at which the event was written since the process started. */
  revisionOf(stream: string, id: string): bigint | undefined {
    return this.#writtenIds.get(`${stream} ${id}`);
  }

  rowsAfter(position: bigint, limit: bigint): LogRow[] {
    return this.#statement('SELECT * FROM events WHERE position > ? ORDER BY position LIMIT ?').all(position, limit) as unknown as LogRow[];
  }

  /** Takes over the leader's rows after the position, and drops its own there. */
  replaceAfter(position: bigint, rows: readonly LogRow[]): void {
    this.transaction(() => {
      this.#statement('DELETE FROM events WHERE position > ?').run(position);
      for (const row of rows) {
        const { stream, revision, id, type, is_json, data, custom_metadata, at, epoch } = row;
        const values = [row.position, stream, revision, id, type, is_json, data, custom_metadata, at, epoch] as SQLInputValue[];
        this.#statement('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...values);
      }
      this.#position = rows.at(-1)?.position ?? position;
    });
  }

  /** Up to a position: reads show committed events only, while appends are compared with all written ones. */
  lastOf(stream: string, upTo = DELETED): bigint {
    if (isMetastream(stream) && this.lastOf(originalOf(stream), upTo) === DELETED) return DELETED;
    const row = this.#row('SELECT revision FROM events WHERE stream = ? AND position <= ? ORDER BY revision DESC LIMIT 1', stream, upTo);
    return (row?.['revision'] as bigint | undefined) ?? NO_STREAM;
  }

  lastData(stream: string): Uint8Array | undefined {
    return this.#row('SELECT data FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1', stream)?.['data'] as Uint8Array | undefined;
  }

  metadataOf(stream: string): StreamMetadata {
    return isMetastream(stream) ? { ...readStreamMetadata(undefined), maxCount: 1n } : readStreamMetadata(this.lastData(metastreamOf(stream)));
  }

  idOf(stream: string, revision: bigint): unknown {
    return this.#row('SELECT id FROM events WHERE stream = ? AND revision = ?', stream, revision)?.['id'];
  }

  positionOf(stream: string, revision: bigint): bigint | undefined {
    return this.#row('SELECT position FROM events WHERE stream = ? AND revision = ?', stream, revision)?.['position'] as bigint | undefined;
  }

  /** Whether an event stands at exactly this position. */
  has(position: bigint): boolean {
    return this.#row('SELECT 1 FROM events WHERE position = ?', position) !== undefined;
  }

  events(clause: string, ...values: SQLInputValue[]): StoredEvent[] {
    const rows = this.#statement(`SELECT ${EVENT} FROM events ${clause}`).all(...values) as unknown as (Omit<StoredEvent, 'at' | 'isJson'> & {
      at: bigint;
      isJson: bigint;
    })[];
    return rows.map((row) => ({ ...row, at: Number(row.at), isJson: row.isJson === 1n }));
  }

  entry(clause: string, ...values: SQLInputValue[]): LogEntry | undefined {
    return this.#row(`SELECT position, epoch FROM events ${clause}`, ...values) as LogEntry | undefined;
  }

  /** A number that outlives a restart: an epoch, a vote. */
  number(name: string): bigint {
    return (this.#row('SELECT value FROM numbers WHERE name = ?', name)?.['value'] as bigint | undefined) ?? 0n;
  }

  keepNumber(name: string, value: bigint): void {
    this.#statement('INSERT OR REPLACE INTO numbers VALUES (?, ?)').run(name, value);
  }

  /** Answers the bytes that it has saved. */
  scavenge(): number {
    return scavenge(this.#database, Date.now());
  }

  close(): void {
    this.#database.close();
    this.#checkpoints.close();
  }

  /** Removes what was written after the end of a copy that was put back. Answers whether one was. */
  #truncate(): boolean {
    const end = this.#checkpoints.truncation();
    if (end === undefined) return false;
    this.#statement('DELETE FROM events WHERE position > ?').run(end);
    this.#checkpoints.truncated();
    return true;
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
