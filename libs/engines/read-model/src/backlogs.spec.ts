import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import type { Projection } from './projection.js';
import { Projections } from './projections.js';
import { openSqliteReadModels } from './sqlite/sqlite-read-models.js';

/** Takes the events of things but those that are of no concern. It has no table. */
const things = (name: string, more: Partial<Projection> = {}): Projection => ({
  name,
  version: 1,
  tables: [],
  categories: ['thing'],
  concerns: ({ type }) => type !== 'ThingSeen',
  create: async () => undefined,
  apply: async () => undefined,
  ...more,
});

let store: SqliteEventStore;
let projections: Projections;
/** Lets the projections be written. */
let begin: () => void;
beforeEach(() => {
  const clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  const { promise, resolve } = Promise.withResolvers<void>();
  begin = resolve;
  const parts = { clock, randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
  projections = new Projections({ readModels: openSqliteReadModels(':memory:'), eventStore: store, begin: promise, ...parts });
});
afterEach(async () => {
  begin();
  await projections.close();
  await store.close();
});

/** As soon as the tables are there. */
const backlogs = async () => {
  await eventually(
    () =>
      projections.list().then(
        () => true,
        () => false,
      ),
    { what: 'the projections are prepared' },
  );
  return projections.backlogs();
};

const append = (id: string, ...types: readonly string[]) =>
  store.append(
    streamName('thing', id),
    NO_STREAM,
    types.map((type) => ({ type, data: {} })),
  );

describe('the backlog of a projection', () => {
  it('is the number of events that concern it and that it does not show yet', async () => {
    projections.follow(things('things'));
    await append('one', 'ThingMade', 'ThingSeen', 'ThingMade');
    expect(await backlogs()).toEqual([{ name: 'things', complete: false, waiting: 2 }]);
    begin();
    await eventually(async () => (await backlogs())[0]?.waiting === 0, { what: 'the projection has caught up' });
    expect(await backlogs()).toEqual([{ name: 'things', complete: true, waiting: 0 }]);
  });

  it('is counted to a thousand', async () => {
    projections.follow(things('things'));
    await append('one', ...Array.from({ length: 1_001 }, () => 'ThingMade'));
    expect((await backlogs())[0]?.waiting).toBe(1_000);
  });

  it('is not counted where consumers of the bus fill it, or where this process only administers it', async () => {
    projections.follow(things('from-the-bus', { live: 'bus' }));
    projections.administer(things('of-another-process'));
    await append('one', 'ThingMade');
    expect(await backlogs()).toEqual([
      { name: 'from-the-bus', complete: false },
      { name: 'of-another-process', complete: false },
    ]);
  });
});
