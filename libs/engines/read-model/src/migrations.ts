import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The tables of the bookkeeping. Those of a projection are made with it: see {@link Projection.create}. */
export interface BookkeepingTables {
  projections: ProjectionRow;
}

export interface ProjectionRow {
  readonly name: string;
  readonly version: number;
  /** Of the last event that the tables hold, or of a later one of other categories; null before the first one. Below 2^53. */
  readonly position: number | null;
  /** Of the event at the position. */
  readonly event_id: string | null;
  /** JSON: the store's marks up to the position, `[[position, id], …]`; null before the first one. */
  readonly marks: string | null;
  /** The history of the store from which the tables are built; null before the first build. */
  readonly history: string | null;
  /** 1: the tables have once held the whole history. 0: they are being built. */
  readonly complete: number;
  /** Grows with each change of the writer and with each rebuild. A write with another epoch changes nothing. */
  readonly epoch: number;
  /** The process that writes; null when none does. */
  readonly holder: string | null;
  /** A counter that the holder increases while it runs. */
  readonly beat: number;
}

/** By name, in order. A released migration never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_projections': {
    up: async (database: Kysely<unknown>) => {
      await database.schema
        .createTable('projections')
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('position', 'bigint')
        .addColumn('event_id', 'text')
        .addColumn('marks', 'text')
        .addColumn('history', 'text')
        .addColumn('complete', 'integer', (column) => column.notNull())
        .addColumn('epoch', 'bigint', (column) => column.notNull())
        .addColumn('holder', 'text')
        .addColumn('beat', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('projections_key', ['name', 'version'])
        .execute();
    },
  },
};
