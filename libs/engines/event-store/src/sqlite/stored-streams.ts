import type { Clock, EventId, JsonObject } from '#kernel';
import { eachRowOf } from '#engines/sqlite';

import { categoryOf, type EventMetadata, type Retention, type StreamName } from '../event-store.js';
import { openEventDatabase } from './database.js';

export interface StoredStream {
  readonly name: StreamName;
  /** The last one given. -1: only its retention was set. */
  readonly revision: number;
  /** The events before it are erased or have expired. Beyond {@link revision} when none is left. */
  readonly first: number;
  readonly tombstoned: boolean;
  readonly retention: Retention | undefined;
}

export interface StoredEvent {
  readonly stream: StoredStream;
  readonly revision: number;
  readonly id: EventId;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  /** Bytes of the data. */
  readonly size: number;
}

/** The whole content of a file of {@link SqliteEventStore}, which no process may hold: every stream, and the events that reads still show, in order of position. */
export class StoredStreams implements Disposable {
  readonly #database;
  readonly #streams = new Map<number, StoredStream>();

  /** Streams of the left out categories count as not there. Throws EventStoreUnavailable when a process holds the file. */
  constructor(path: string, clock: Clock, leftOut: readonly string[]) {
    this.#database = openEventDatabase(path);
    const firstAfter = this.#database.prepare('SELECT revision FROM events WHERE stream = ? AND revision >= ? AND at > ? ORDER BY revision LIMIT 1');
    for (const row of eachRowOf<StreamRow>(this.#database.prepare('SELECT * FROM streams').iterate())) {
      const { id, revision, tombstoned, max_age: maxAge, max_count: maxCount } = row;
      const name = row.name as StreamName;
      if (leftOut.includes(categoryOf(name))) continue;
      const alive = firstAfter.get(id, row.first, maxAge === null ? -1 : clock.now() - maxAge)?.['revision'];
      this.#streams.set(id, {
        name,
        revision,
        first: tombstoned === 1 ? revision + 1 : Number(alive ?? revision + 1),
        tombstoned: tombstoned === 1,
        retention: retentionOf(maxAge, maxCount),
      });
    }
  }

  get streams(): Iterable<StoredStream> {
    return this.#streams.values();
  }

  *events(): Generator<StoredEvent> {
    const rows = this.#database.prepare('SELECT stream, revision, id, type, metadata, data FROM events WHERE erased = 0 ORDER BY position');
    for (const { stream: id, metadata, data, ...event } of eachRowOf<EventRow>(rows.iterate())) {
      const stream = this.#streams.get(id);
      if (!stream || event.revision < stream.first) continue;
      const size = Buffer.byteLength(data);
      yield {
        ...event,
        stream,
        data: JSON.parse(data) as JsonObject,
        metadata: JSON.parse(metadata) as EventMetadata,
        size,
      };
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

interface StreamRow {
  readonly id: number;
  readonly name: string;
  readonly revision: number;
  readonly first: number;
  readonly tombstoned: number;
  readonly max_age: number | null;
  readonly max_count: number | null;
}

interface EventRow {
  readonly stream: number;
  readonly revision: number;
  readonly id: EventId;
  readonly type: string;
  readonly metadata: string;
  readonly data: string;
}

const retentionOf = (maxAge: number | null, maxCount: number | null): Retention | undefined =>
  maxAge === null && maxCount === null ? undefined : { ...(maxAge !== null && { maxAge: maxAge / 1000 }), ...(maxCount !== null && { maxCount }) };
