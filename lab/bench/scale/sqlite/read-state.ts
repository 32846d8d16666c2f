import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { type RecordedEvent, type StoreAndClock } from '#engines/event-store';
import type { ClientId, IdentityId, SessionId } from '#kernel';
import { GroupOffset } from '#engines/message-bus';

/** Consumers that a standalone process runs, and the topic that they read. */
const TOPIC = 'sessions.events.v1';
const GROUPS = ['signing', 'webhooks', 'timers'];
/** Of a login that the generator stores: its last revision, the one of its completion, and the one of its scan. */
const REVISIONS = { last: 4, completed: 3, scanned: 1 } as const;
/** Rows in one transaction. */
const PART = 10_000;

export interface ReadSessions {
  readonly ids: readonly SessionId[];
  readonly clients: readonly ClientId[];
  readonly persons: readonly IdentityId[];
  /** When the first session was created, epoch milliseconds, and the time from one to the next. */
  readonly from: number;
  readonly every: number;
}

/**
 * Writes the rows of finished logins to the read models of a directory in which a process has run before: the rows that its projections would write. Reading ten million
 * events takes them half an hour, and this table measures what comes after that.
 */
export const writeRows = (directory: string, { ids, clients, persons, from, every }: ReadSessions): void => {
  const database = new DatabaseSync(join(directory, 'read-models.sqlite'));
  const sessions = database.prepare('INSERT INTO sessions_v1 VALUES (?, ?, ?, ?, NULL, ?, ?, ?)');
  const timers = database.prepare('INSERT INTO session_timers_v1 (session_id, "partition", kind, at, revision) VALUES (?, 0, ?, ?, ?)');
  const ofPersons = database.prepare('INSERT INTO person_sessions_v1 (person, session_id, place) VALUES (?, ?, ?)');
  for (let first = 0; first < ids.length; first += PART) {
    database.exec('BEGIN');
    for (const [offset, id] of ids.slice(first, first + PART).entries()) {
      const number = first + offset;
      const created = from + number * every;
      sessions.run(id, clients[number % clients.length]!, 'AUTHENTICATION', 'COMPLETED', created, created + 11_500, REVISIONS.completed);
      timers.run(id, 'deletion', created + 11_700, REVISIONS.last);
      // In place of the keyed hash of a person: as long as one.
      ofPersons.run(`${persons[number % persons.length]!}-hash`, id, number * (REVISIONS.last + 1) + REVISIONS.scanned);
    }
    database.exec('COMMIT');
  }
  database.close();
};

/** Sets every consumer group and every read model behind the event, as if it had read everything up to there. */
export const readUpTo = async (directory: string, parts: StoreAndClock, { position, id }: Pick<RecordedEvent, 'position' | 'id'>): Promise<void> => {
  for (const group of GROUPS) await (await GroupOffset.load(parts, { topic: TOPIC, group })).commit({ position, id });
  const database = new DatabaseSync(join(directory, 'read-models.sqlite'));
  database.prepare('UPDATE projections SET position = ?, event_id = ?').run(position, id);
  database.close();
};
