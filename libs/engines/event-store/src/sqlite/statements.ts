import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { EventId } from '#kernel';
import { eachRowOf, rowOf, rowsOf } from '#engines/sqlite';

import { categoryOf, type Place, type StreamName } from '../event-store.js';

export interface StreamRow {
  readonly id: number;
  readonly revision: number;
  readonly first: number;
  readonly tombstoned: number;
  /** Milliseconds. */
  readonly maxAge: number | null;
  readonly maxCount: number | null;
}

export interface EventRow {
  readonly position: number;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** JSON text. */
  readonly metadata: string;
  readonly data: string;
  readonly at: number;
  readonly maxAge: number | null;
}

interface Selection {
  readonly stream: StreamName;
  readonly now: number;
  readonly from: number | null;
  readonly limit: number;
}

export type EventStatements = ReturnType<typeof prepareStatements>;

const STREAM = 'id, revision, first, tombstoned, max_age AS maxAge, max_count AS maxCount';
const EVENT = 'e.position, e.revision, e.id, e.type, e.metadata, e.data, e.at, s.max_age AS maxAge';
const VISIBLE = `
  SELECT ${EVENT} FROM streams s CROSS JOIN events e ON e.stream = s.id
  WHERE s.name = :stream AND e.revision >= s.first AND e.erased = 0 AND (s.max_age IS NULL OR e.at > :now - s.max_age)`;

/** A LIMIT that is a bare parameter lets SQLite plan by its value, so that it would compile the statement anew each time (3.53). */
const LIMIT = 'LIMIT :limit + 0';

/** Every statement of the store, prepared once. */
export const prepareStatements = (database: DatabaseSync) => {
  const stream = database.prepare(`SELECT ${STREAM} FROM streams WHERE name = ?`);
  const createStream = database.prepare(`INSERT INTO streams (name, category) VALUES (?, ?) RETURNING ${STREAM}`);
  const advance = database.prepare('UPDATE streams SET revision = :revision, next_expiry = coalesce(next_expiry, :at + max_age) WHERE id = :id');
  const insert = database.prepare(
    'INSERT INTO events (stream, revision, id, at, type, metadata, data) VALUES (:stream, :revision, :id, :at, :type, :metadata, :data)',
  );
  const eventId = database.prepare('SELECT id FROM events WHERE stream = ? AND revision = ?');
  const readForwards = database.prepare(`${VISIBLE} AND e.revision >= :from ORDER BY e.revision ${LIMIT}`);
  const readBackwards = database.prepare(
    `${VISIBLE} AND e.revision <= coalesce(:from, s.revision) AND coalesce(:from, 0) <= s.revision
     ORDER BY e.revision DESC ${LIMIT}`,
  );
  const category = database.prepare(
    `SELECT s.name, ${EVENT} FROM events e JOIN streams s ON s.id = e.stream
     WHERE e.position > :after AND e.position <= :through AND e.erased = 0
     AND s.category IN (SELECT value FROM json_each(:categories)) ORDER BY e.position`,
  );
  const lastUpTo = database.prepare('SELECT position, id FROM events WHERE position <= ? ORDER BY position DESC LIMIT 1');
  const setRetention = database.prepare('UPDATE streams SET max_age = :maxAge, max_count = :maxCount WHERE id = :id');
  const noteExpiry = database.prepare(
    `UPDATE streams SET next_expiry = max_age +
     (SELECT at FROM events WHERE stream = streams.id AND revision >= first AND erased = 0 ORDER BY revision LIMIT 1) WHERE id = ?`,
  );
  const tombstone = database.prepare('UPDATE streams SET tombstoned = 1 WHERE id = ?');
  const first = database.prepare('UPDATE streams SET first = ? WHERE id = ?');
  const erase = database.prepare(
    `UPDATE events SET erased = 1, data = printf('%.*c', octet_length(data), ' '),
       metadata = printf('%.*c', octet_length(metadata), ' ')
     WHERE stream = ? AND revision >= ? AND revision < ? AND erased = 0`,
  );
  const expiring = database.prepare(`SELECT name, ${STREAM} FROM streams WHERE next_expiry <= ? ORDER BY next_expiry LIMIT ?`);
  const firstAfter = database.prepare('SELECT revision FROM events WHERE stream = ? AND revision >= ? AND at > ? ORDER BY revision LIMIT 1');
  const lastPosition = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  const noteHealth = database.prepare('UPDATE state SET checked_at = ?');

  return {
    stream: (name: StreamName) => one<StreamRow>(stream, name),
    createStream: (name: StreamName) => one<StreamRow>(createStream, name, categoryOf(name)) as StreamRow,
    /** After an insert: the revision counts on, and the stream may have something to expire. */
    advance: (values: { id: number; revision: number; at: number }) => void advance.run(values),
    /** Answers the position. */
    insert: (values: { stream: number; revision: number; id: string; at: number; type: string; data: string }) =>
      Number(insert.run(values).lastInsertRowid),
    /** Also of an erased event, while its id is kept. */
    eventId: (id: number, revision: number) => one<{ id: string }>(eventId, id, revision)?.id,
    readForwards: (selection: Selection) => rowsOf<EventRow>(readForwards.all({ ...selection })),
    readBackwards: (selection: Selection) => rowsOf<EventRow>(readBackwards.all({ ...selection })),
    category: (categories: readonly string[], after: number, through: number) =>
      eachRowOf<EventRow & { name: StreamName }>(category.iterate({ categories: JSON.stringify(categories), after, through })),
    lastUpTo: (position: number): Place | undefined => {
      const found = one<{ position: number; id: EventId }>(lastUpTo, position);
      return found && { position: BigInt(found.position), id: found.id };
    },
    setRetention: (values: { id: number; maxAge: number | null; maxCount: number | null }) => void setRetention.run(values),
    noteExpiry: (id: number) => void noteExpiry.run(id),
    tombstone: (id: number) => void tombstone.run(id),
    erase: (id: number, from: number, before: number) => void erase.run(id, from, before),
    setFirst: (id: number, revision: number) => void first.run(revision, id),
    expiring: (now: number, limit: number) => rowsOf<StreamRow & { name: StreamName; maxAge: number }>(expiring.all(now, limit)),
    /** The first revision, from that one on, that was stored after that time. */
    firstAfter: (id: number, from: number, at: number) => one<{ revision: number }>(firstAfter, id, from, at)?.revision,
    lastPosition: () => one<{ seq: number }>(lastPosition)?.seq ?? 0,
    noteHealth: (at: number) => void noteHealth.run(at),
  };
};

const one = <Row>(statement: StatementSync, ...values: (string | number)[]): Row | undefined => rowOf<Row>(statement.get(...values));
