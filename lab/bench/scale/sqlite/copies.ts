import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A new random id. */
const UUID =
  "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-A' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))";

/**
 * Copies all sessions of a directory that no process uses, so many times, under new ids: their events and their rows in the read models. SQLite does it by itself, so ten million
 * events take minutes and not an hour. The last event of the store is then one of a copy.
 * A copied event keeps the MAC of its original: nothing that is measured reads the stream of a copy.
 */
export const copySessions = (directory: string, times: number): void => {
  const database = new DatabaseSync(join(directory, 'countersign.sqlite'));
  database.exec(`
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -262144;
    ATTACH DATABASE '${join(directory, 'read-models.sqlite')}' AS models;
    CREATE TEMP TABLE original AS SELECT id, name, category, revision FROM streams WHERE category = 'session';
  `);
  const { stride, end } = database.prepare('SELECT (SELECT max(id) FROM streams) AS stride, (SELECT max(position) FROM events) AS end').get() as {
    readonly stride: number;
    readonly end: number;
  };
  for (let copy = 1; copy <= times; copy += 1) {
    const offset = copy * stride;
    database.exec(`
      BEGIN;
      INSERT INTO streams (id, name, category, revision) SELECT id + ${offset}, 'session-' || ${UUID}, category, revision FROM original;
      INSERT INTO events (stream, revision, at, id, type, metadata, data)
        SELECT stream + ${offset}, revision, at, ${UUID}, type, metadata, data FROM events
        WHERE position <= ${end} AND stream IN (SELECT id FROM original) ORDER BY position;
      CREATE TEMP TABLE pair AS SELECT substr(o.name, 9) AS old, substr(n.name, 9) AS new FROM original o JOIN streams n ON n.id = o.id + ${offset};
      INSERT INTO models.sessions_v1
        SELECT new, client_id, signature_type, status, reason, created_at, changed_at, revision FROM pair JOIN models.sessions_v1 ON session_id = old;
      INSERT INTO models.session_timers_v1 (session_id, "partition", kind, at, revision)
        SELECT new, "partition", kind, at, revision FROM pair JOIN models.session_timers_v1 ON session_id = old;
      INSERT INTO models.person_sessions_v1 (person, session_id, place)
        SELECT person, new, place + ${copy * end} FROM pair JOIN models.person_sessions_v1 ON session_id = old;
      DROP TABLE pair;
      COMMIT;
    `);
  }
  database.close();
};
