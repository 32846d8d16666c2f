import type { Transaction } from 'kysely';

import type { RecordedEvent } from '#engines/event-store';
import type { Projection, ProjectionTables } from '#engines/read-model';

import { latestOfEach, type TimerRow, type TimerTables, writeTimers } from './timer-tables.js';
import { SESSIONS } from '../streams.js';

/** Sessions by deadline and by the date of their deletion: the part for a process that administers them. */
export const sessionTimers: ProjectionTables<TimerTables> = {
  name: 'session-timers',
  version: 1,
  tables: ['session_timers_v1'],
  progress: { category: SESSIONS.category, table: 'session_timers_v1', id: 'session_id' },

  async create({ schema }) {
    await schema
      .createTable('session_timers_v1')
      .addColumn('session_id', 'text', (column) => column.primaryKey())
      .addColumn('partition', 'integer', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('session_timers_v1_by_time').on('session_timers_v1').columns(['partition', 'kind', 'at']).execute();
  },
};

/** `rowAfter` answers the row that an event leads to; undefined where it leads to none. `completed` is told when this process has filled the tables. */
export const sessionTimersProjection = (
  rowAfter: (event: RecordedEvent) => Promise<TimerRow | undefined>,
  completed: () => void,
): Projection<TimerTables> => ({
  ...sessionTimers,
  completed,
  live: 'bus',
  categories: [SESSIONS.category],
  apply: (transaction, event) => applyAll(transaction, [event], rowAfter),
  applyAll: (transaction, events) => applyAll(transaction, events, rowAfter),
});

/** One statement for the batch. */
const applyAll = async (
  transaction: Transaction<TimerTables>,
  events: readonly RecordedEvent[],
  rowAfter: (event: RecordedEvent) => Promise<TimerRow | undefined>,
): Promise<void> => {
  const rows: TimerRow[] = [];
  for (const event of events) {
    const row = await rowAfter(event);
    if (row) rows.push(row);
  }
  if (rows.length > 0) await writeTimers(transaction, latestOfEach(rows));
};
