import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transaction } from 'kysely';

import { type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { type ClientId, type EventId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import type { SessionEvent } from '../domain/session.events.js';
import { sessionsProjection, type SessionTables } from './sessions-projection.js';

type Recorded = RecordedEvent<SessionEvent>;

const projection = sessionsProjection(30 * 86_400_000);
const CLIENT = 'c' as ClientId;

const happened = (session: string, revision: number, type: SessionEvent['type'], data: object = {}): Recorded =>
  ({
    stream: streamName('session', session),
    revision,
    position: 1n,
    id: `${session}/${revision}` as EventId,
    type,
    data: { at: revision, ...data },
  }) as Recorded;
const begun = (session: string, signatureType = 'AUTHENTICATION'): Recorded =>
  happened(session, 0, 'SessionCreated', { clientId: CLIENT, signatureType });
const cancelled = (session: string, revision: number): Recorded => happened(session, revision, 'SessionCancelled', { reason: 'DECLINED' });

/** A separate table, a function that applies events to it, and the number of statements that this took. */
const table = (store: SqliteEventStore) => {
  const statements = new Map<string, number>();
  const projections: Projections = projectionsInMemory(store, new FixedClock(), statements);
  const model = projections.follow(projection);
  return {
    statements: (kind: 'Insert' | 'Update') => statements.get(`${kind} sessions_v1`) ?? 0,
    apply: (events: readonly Recorded[]) =>
      model.read((database) => projection.applyAll?.(database as Transaction<SessionTables>, events) as Promise<void>),
    applyEach: (events: readonly Recorded[]) =>
      model.read(async (database) => {
        for (const event of events) await projection.apply(database as Transaction<SessionTables>, event);
      }),
    rows: () => model.read((database) => database.selectFrom('sessions_v1').selectAll().orderBy('session_id').execute()),
    close: () => projections.close(),
  };
};

describe('the rows of sessions', () => {
  let store: SqliteEventStore;
  let together: ReturnType<typeof table>;
  let oneByOne: ReturnType<typeof table>;
  beforeEach(() => {
    store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    [together, oneByOne] = [table(store), table(store)];
  });
  afterEach(async () => {
    await Promise.all([together.close(), oneByOne.close()]);
    await store.close();
  });

  it('of sessions that begin in one batch cost one statement, with all their later events', async () => {
    await together.apply([
      ...[begun('a'), begun('b', 'SIGNING'), begun('c', 'SIGNING'), happened('a', 1, 'SessionScanned'), happened('b', 1, 'SessionScanned')],
      ...[happened('a', 2, 'SessionConfirmed'), happened('b', 2, 'SessionConfirmed'), cancelled('c', 1)],
    ]);
    expect((await together.rows()).map(({ status, reason, revision, changed_at }) => [status, reason, revision, changed_at])).toEqual([
      ['CONFIRMED', null, 2, 2],
      ['SCANNED', null, 1, 1],
      ['CANCELLED', 'DECLINED', 1, 1],
    ]);
    expect([together.statements('Insert'), together.statements('Update')]).toEqual([1, 0]);
  });

  it('of an earlier session cost one statement for the last change, and one for a confirmation', async () => {
    await together.apply([begun('a'), begun('b', 'SIGNING')]);
    await together.apply([happened('a', 1, 'SessionScanned'), happened('a', 2, 'SessionConfirmed'), happened('a', 3, 'SessionCompleted')]);
    expect(together.statements('Update')).toBe(1);
    // Only the row shows that the session is no login, so the scan is applied too.
    await together.apply([happened('b', 1, 'SessionScanned'), happened('b', 2, 'SessionConfirmed')]);
    expect(together.statements('Update')).toBe(3);
    expect((await together.rows()).map(({ status }) => status)).toEqual(['COMPLETED', 'SCANNED']);
  });

  it.each([1, 2, 3, 4, 5])('are the same however the events are divided, and when they are applied again (seed %i)', async (seed) => {
    const random = chance(seed);
    const events = histories(random);
    await oneByOne.applyEach(events);
    for (let first = 0, size = 0; first < events.length; first += size) {
      size = 1 + Math.floor(random() * 12);
      const batch = events.slice(first, first + size);
      await together.apply(batch);
      await together.apply(batch);
    }
    const rows = await oneByOne.rows();
    expect(rows.length).toBeGreaterThan(5);
    expect(await together.rows()).toEqual(rows);
    await together.apply(events);
    expect(await together.rows()).toEqual(rows);
  });
});

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
const chance = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

/** The events of ten sessions, in the order in which they might be stored. */
const histories = (random: () => number): readonly Recorded[] => {
  const sessions = Array.from({ length: 10 }, (_, number) => {
    const id = `s${number}`;
    const steps: Recorded[] = [begun(id, random() < 0.5 ? 'SIGNING' : 'AUTHENTICATION')];
    for (const type of ['SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed'] as const) {
      if (random() < 0.2) break;
      steps.push(happened(id, steps.length, type));
    }
    if (random() < 0.4) steps.push(random() < 0.5 ? cancelled(id, steps.length) : happened(id, steps.length, 'SessionExpired'));
    return steps;
  });
  const mixed: Recorded[] = [];
  for (let left = sessions; left.length > 0; left = left.filter((steps) => steps.length > 0)) {
    const next = left[Math.floor(random() * left.length)]?.shift();
    if (next) mixed.push({ ...next, position: BigInt(mixed.length + 1) });
  }
  return mixed;
};
