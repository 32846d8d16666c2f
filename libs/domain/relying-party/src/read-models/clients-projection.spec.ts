import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Kysely } from 'kysely';

import { SqliteEventStore } from '#engines/event-store';
import { FixedClock, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { openSqliteReadModels, Projections } from '#engines/read-model';
import { Metrics, SilentLog } from '#telemetry';

import { clientsProjection } from './clients-projection.js';

/** The tables of the release before version 2, and the row that names them. */
interface Before {
  projections: { name: string; version: number; complete: number; epoch: number; beat: number; tables: string };
}

const FORMER = ['clients_v1', 'client_endpoints_v1'];

let store: SqliteEventStore;
let projections: Projections;
const readModels = openSqliteReadModels(':memory:');
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
});
afterEach(async () => {
  await projections.close();
  await store.close();
});

const tables = async (): Promise<readonly string[]> =>
  (await readModels.query<object, { name: string }[]>((database) => database.introspection.getTables())).map(({ name }) => name);

it('removes the table of endpoints, which nothing reads any more, from a database of the release before', async () => {
  await readModels.migrate();
  await readModels.query(async (database: Kysely<Before>) => {
    for (const table of FORMER) await database.schema.createTable(table).addColumn('id', 'text').execute();
    await database
      .insertInto('projections')
      .values({ name: 'clients', version: 1, complete: 1, epoch: 1, beat: 1, tables: JSON.stringify(FORMER) })
      .execute();
  });
  expect(await tables()).toEqual(expect.arrayContaining(FORMER));

  projections = new Projections({
    readModels,
    eventStore: store,
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    log: new SilentLog(),
    metrics: new Metrics(),
    times: { beat: 10 },
  });
  projections.follow(clientsProjection);
  await eventually(async () => !(await tables()).some((table) => FORMER.includes(table)), { what: 'the former tables are gone' });
  expect(await tables()).toContain('clients_v3');
});
