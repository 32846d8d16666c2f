import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The tables of the bookkeeping: their rows tell of positions and processes. */
const BOOKKEEPING = /^(projections|kysely_migration|kysely_migration_lock)$/u;

/** Every table of the read models. A deployment with logins, signatures, webhooks and an erasure fills all of them. */
export const READ_MODEL_TABLES = [
  'certificates_v3',
  'clients_v3',
  'deliveries_v1',
  'delivery_attempts_v1',
  'delivery_logs_v1',
  'devices_v3',
  'erasures_v3',
  'identities_v3',
  'login_funnel_v1',
  'person_session_clients_v1',
  'person_sessions_v1',
  'revoked_devices_v1',
  'session_timers_v1',
  'sessions_v1',
  'subjects_v3',
];

/** The rows of each table, by name, in an order of their own. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** Whether the table holds rows of a read model. */
export const isOfReadModel = (table: string): boolean => !BOOKKEEPING.test(table);

/** Rows as JSON, sorted. */
export const sortedRows = (rows: readonly object[]): readonly string[] => rows.map((row) => JSON.stringify(row)).toSorted();

/** All tables of the read models in a data directory. Reads a copy: the file itself is held by the service. */
export const sqliteTables = (dataDirectory: string): Tables => {
  const copy = mkdtempSync(join(tmpdir(), 'read-models-'));
  try {
    for (const name of ['read-models.sqlite', 'read-models.sqlite-wal']) {
      const path = join(dataDirectory, name);
      if (existsSync(path)) cpSync(path, join(copy, name));
    }
    using database = new DatabaseSync(join(copy, 'read-models.sqlite'));
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").all();
    const tables = names.map(({ name }) => String(name)).filter(isOfReadModel);
    return Object.fromEntries(tables.map((table) => [table, sortedRows(database.prepare(`SELECT * FROM ${table}`).all())]));
  } finally {
    rmSync(copy, { recursive: true });
  }
};

/** The names of the tables that have rows: a test can thus notice that it compares empty tables. */
export const filled = (tables: Tables): readonly string[] =>
  Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([name]) => name);
