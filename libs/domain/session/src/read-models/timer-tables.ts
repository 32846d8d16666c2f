import { type Kysely, sql } from 'kysely';

import type { SessionId } from '#kernel';

import type { TimerKind } from '../domain/session-timer.js';

export interface TimerTables {
  /** One row for each session that is stored. */
  session_timers_v1: TimerRow;
}

/** The next timed work on a session. */
export interface TimerRow {
  readonly session_id: SessionId;
  /** Of the topic of session events. Its owner does the work. */
  readonly partition: number;
  readonly kind: TimerKind;
  /** See {@link SessionTimer}. */
  readonly at: number;
  /** Of the event of the stream that says so. */
  readonly revision: number;
}

/** Far below the number of parameters that a statement may have. */
const ROWS = 1_000;

/** The row of the latest revision of each session. */
export const latestOfEach = (rows: Iterable<TimerRow>): readonly TimerRow[] => {
  const latest = new Map<SessionId, TimerRow>();
  for (const row of rows) if ((latest.get(row.session_id)?.revision ?? -1) < row.revision) latest.set(row.session_id, row);
  return [...latest.values()];
};

/**
 * Stores the rows, each session once, unless a row of the same or a later revision is there. `renew`: a row of the same revision is replaced too, by a caller that has read the stream at
 * that revision.
 */
export const writeTimers = async (database: Kysely<TimerTables>, rows: readonly TimerRow[], { renew = false } = {}): Promise<void> => {
  for (let first = 0; first < rows.length; first += ROWS) {
    await database
      .insertInto('session_timers_v1')
      .values(rows.slice(first, first + ROWS))
      .onConflict((conflict) =>
        conflict
          .column('session_id')
          .doUpdateSet(({ ref }) => ({
            partition: ref('excluded.partition'),
            kind: ref('excluded.kind'),
            at: ref('excluded.at'),
            revision: ref('excluded.revision'),
          }))
          .whereRef('session_timers_v1.revision', renew ? '<=' : '<', 'excluded.revision'),
      )
      .execute();
  }
};

/** The first rows of each of the partitions, one or more, by their time. One statement, and of each partition one range of the index, however many rows there are. */
export const firstTimers = async (
  database: Kysely<TimerTables>,
  partitions: readonly number[],
  kind: TimerKind,
  limit: number,
): Promise<readonly TimerRow[]> => {
  const firstOf = (partition: number) => {
    const rows = database.selectFrom('session_timers_v1').selectAll().where('partition', '=', partition).where('kind', '=', kind);
    return database.selectFrom(rows.orderBy('at').limit(limit).as('first')).selectAll();
  };
  const [first = -1, ...others] = partitions;
  const rows = await others.reduce((all, partition) => all.unionAll(firstOf(partition)), firstOf(first)).execute();
  return rows.toSorted((one, other) => one.at - other.at);
};

export const removeTimers = async (database: Kysely<TimerTables>, sessions: readonly SessionId[]): Promise<void> => {
  for (let first = 0; first < sessions.length; first += ROWS) {
    await database
      .deleteFrom('session_timers_v1')
      .where('session_id', 'in', sessions.slice(first, first + ROWS))
      .execute();
  }
};

/** How many rows of the partitions had their time by `at`; counts to `most`. */
export const countTimers = async (
  database: Kysely<TimerTables>,
  { partitions, kind, at, most }: { readonly partitions: readonly number[]; readonly kind: TimerKind; readonly at: number; readonly most: number },
): Promise<number> => {
  const some = database
    .selectFrom('session_timers_v1')
    .select('session_id')
    .where('partition', 'in', partitions)
    .where('kind', '=', kind)
    .where('at', '<=', at)
    .limit(most);
  const { count } = await database
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Gives the rows of partitions that the topic has no longer to those that it has. */
export const adoptTimers = async (database: Kysely<TimerTables>, partitions: number): Promise<void> => {
  await database
    .updateTable('session_timers_v1')
    .set(({ ref }) => ({ partition: sql<number>`${ref('partition')} % ${sql.lit(partitions)}` }))
    .where('partition', '>=', partitions)
    .execute();
};
