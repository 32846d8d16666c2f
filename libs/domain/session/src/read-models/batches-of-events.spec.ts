import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Transaction } from 'kysely';

import { type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { Secret, type SubjectId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { type Projection } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { PersonHashes } from '../domain/person-hashes.js';
import type { SessionEvent } from '../domain/session.events.js';
import { DAY, loginFunnelProjection } from './login-funnel-projection.js';
import { personSessionsProjection } from './person-sessions-projection.js';

type Recorded = RecordedEvent<SessionEvent>;

const CLIENTS = ['client-a', 'client-b'];
const STEPS = ['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'CodeRedeemed'] as const;

/** The events of logins of two clients, some at the turn of a day; each third is meant for a person. */
const events: readonly Recorded[] = Array.from({ length: 160 }, (_, number) => {
  const [session, type] = [Math.floor(number / STEPS.length), STEPS[number % STEPS.length]];
  const clientId = CLIENTS[session % 2];
  const data = { at: DAY - 80 + number, clientId, signatureType: 'AUTHENTICATION', identityId: `identity-${session % 7}` };
  return {
    stream: streamName('session', `s${session}`),
    revision: number % STEPS.length,
    position: BigInt(number + 1),
    type,
    data: { ...data, ...(session % 3 === 0 && { subjectId: `subject-${session}` as SubjectId }) },
    metadata: { v: 2, clientId, signatureType: 'AUTHENTICATION', status: 'PENDING' },
  } as unknown as Recorded;
});

const PROJECTIONS = {
  'login-funnel': { projection: loginFunnelProjection(30 * DAY), statements: { 'Insert login_funnel_v1': 1, 'Select login_funnel_v1': 1 } },
  'person-sessions': {
    projection: personSessionsProjection(new PersonHashes(new Secret(Buffer.alloc(32, 7)), { all: () => [] })),
    statements: { 'Insert person_sessions_v1': 1, 'Insert person_session_clients_v1': 1 },
  },
};

describe.each(Object.entries(PROJECTIONS))('the rows of %s', (_name, { projection, statements }) => {
  const any = projection as unknown as Projection<Record<string, object>, SessionEvent>;
  let store: SqliteEventStore;
  const open: (() => Promise<void>)[] = [];
  beforeEach(() => {
    store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((close) => close()));
    await store.close();
  });

  const table = () => {
    const counts = new Map<string, number>();
    const projections = projectionsInMemory(store, new FixedClock(), counts);
    open.push(() => projections.close());
    const model = projections.follow(any as never);
    const work = <Result>(run: (database: Transaction<Record<string, object>>) => Promise<Result>) =>
      model.read((database) => run(database as never));
    return {
      apply: (given: readonly Recorded[]) => work(async (database) => any.applyAll?.(database, given)),
      applyEach: (given: readonly Recorded[]) =>
        work(async (database) => {
          for (const event of given) await any.apply(database, event);
        }),
      rows: () =>
        work(async (database) => {
          const tables = await Promise.all(any.tables.map((name) => database.selectFrom(name).selectAll().execute()));
          return tables
            .flat()
            .map((row) => JSON.stringify(row))
            .toSorted();
        }),
      counts: () => Object.fromEntries([...counts].filter(([statement]) => Object.keys(statements).includes(statement))),
    };
  };

  it('cost the same statements for 160 events as for a few', async () => {
    const few = table();
    await few.apply(events.slice(0, 5));
    expect(few.counts()).toEqual(statements);
    const many = table();
    await many.apply(events);
    expect(many.counts()).toEqual(statements);
  });

  it('are the same however the events are divided, and when a part is applied again with what follows it', async () => {
    const [together, oneByOne] = [table(), table()];
    await oneByOne.applyEach(events);
    for (let first = 0, size = 1; first < events.length; first += size, size = (size * 5) % 23) {
      await together.apply(events.slice(first, first + size));
      await together.apply(events.slice(Math.max(0, first - 3), first + size));
    }
    const rows = await oneByOne.rows();
    expect(rows.length).toBeGreaterThan(2);
    expect(await together.rows()).toEqual(rows);
  });
});
