import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transaction } from 'kysely';

import { type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { type EventId, type SessionId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { sessionTimersProjection } from './session-timers-projection.js';
import type { TimerTables } from './timer-tables.js';

/** Each event leads to a row, but the last one of a session. */
const projection = sessionTimersProjection(
  async ({ stream, revision }) =>
    revision === 3 ? undefined : { session_id: stream as string as SessionId, partition: 0, kind: 'deadline', at: revision, revision },
  () => undefined,
);

const happened = (session: string, revision: number): RecordedEvent => ({
  ...{ stream: streamName('session', session), revision, position: 1n },
  ...{ id: `${session}/${revision}` as EventId, type: 'SessionScanned', data: {} },
});
const EVENTS = [happened('a', 0), happened('b', 0), happened('a', 1), happened('b', 1), happened('b', 2), happened('a', 2), happened('a', 3)];

describe('the timers of the sessions in one transaction', () => {
  let store: SqliteEventStore;
  let projections: Projections;
  let statements: Map<string, number>;
  beforeEach(() => {
    store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    statements = new Map();
    projections = projectionsInMemory(store, new FixedClock(), statements);
  });
  afterEach(async () => {
    await projections.close();
    await store.close();
  });

  const apply = (...batches: (readonly RecordedEvent[])[]) =>
    projections.follow(projection).read(async (database) => {
      for (const batch of batches) await projection.applyAll!(database as Transaction<TimerTables>, batch);
    });
  const revisions = async () =>
    (
      await projections.follow(projection).read((database) => database.selectFrom('session_timers_v1').selectAll().orderBy('session_id').execute())
    ).map(({ session_id, at, revision }) => [session_id, at, revision]);
  const LAST = [
    ['session-a', 2, 2],
    ['session-b', 2, 2],
  ];

  it('cost one statement, and are those of the last events', async () => {
    await apply(EVENTS);
    expect(await revisions()).toEqual(LAST);
    expect(statements.get('Insert session_timers_v1')).toBe(1);
  });

  it('cost none where no event leads to a row', async () => {
    await apply([happened('a', 3)]);
    expect(statements.get('Insert session_timers_v1')).toBeUndefined();
  });

  it('stay as they are when the events come again, in other transactions', async () => {
    await apply(EVENTS, EVENTS.slice(0, 3), EVENTS, EVENTS.slice(2, 5));
    expect(await revisions()).toEqual(LAST);
  });
});
