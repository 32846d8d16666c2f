import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';

import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '../projections.js';
import { readModelsContract } from '#testkit/read-model/read-models.contract';
import { ReadModelsUnavailable } from '../read-models.js';
import { CountedReadModels } from '#testkit/read-model/counted-read-models';
import { postgresUrl } from '#testkit/read-model/settings';
import { TemporaryDatabase } from '#testkit/read-model/temporary-database';
import { thingsProjection } from '#testkit/read-model/things';
import { openPostgresqlReadModels } from './postgresql-read-models.js';

const url = postgresUrl();

/** Milliseconds: longer than a test. A frozen process gives no sign of life. */
const NEVER = 3_600_000;
const EVENTS = 30;

(url === undefined ? describe.skip : describe)('read models in PostgreSQL', () => {
  let database: TemporaryDatabase;

  const subject = {
    make: async () => {
      database = await TemporaryDatabase.create(url!, 'read_models');
    },
    open: () => openPostgresqlReadModels({ url: database.url, report: () => undefined }),
    remove: () => database.remove(),
  };

  // The contract tests no time limits, and a connection may take seconds on a busy machine.
  describe('by the contract', () =>
    readModelsContract({
      ...subject,
      open: () => openPostgresqlReadModels({ url: database.url, report: () => undefined, transactionLimit: 60_000 }),
    }));

  describe('that several processes share', () => {
    let store: SqliteEventStore;
    let opened: Projections[];
    /** The statements of all processes. */
    const statements = new Map<string, number>();

    beforeEach(async () => {
      store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
      opened = [];
      statements.clear();
      await subject.make();
    });
    afterEach(async () => {
      await Promise.all(opened.map((projections) => projections.close()));
      await store.close();
      await subject.remove();
    });

    const replica = (applied: string[] = [], before: (word: string) => Promise<void> = async () => undefined, times = {}) => {
      const parts = { eventStore: store, clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
      const readModels = new CountedReadModels(subject.open(), statements);
      const projections = new Projections({
        readModels,
        ...parts,
        times: { beat: 50, takeOver: 500, watch: 20, retry: 20, ...times },
      });
      opened.push(projections);
      return { projections, things: projections.follow(thingsProjection({ beforeEach: noting(applied, before) })) };
    };

    const noting = (applied: string[], before: (word: string) => Promise<void>) => async (word: string) => {
      await before(word);
      applied.push(word);
    };

    const say = async (thing: string): Promise<void> => {
      await store.append(streamName('thing', thing), NO_STREAM, [{ type: 'Said', data: { word: thing } }]);
    };

    const connections = async (): Promise<void> =>
      database.asOwner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}' AND pid <> pg_backend_pid()`);

    it('are written by one of them, and read by all', async () => {
      const [one, other]: [string[], string[]] = [[], []];
      const replicas = [replica(one), replica(other)];
      for (let number = 0; number < 50; number++) await say(`${number}`);
      for (const { things } of replicas) {
        await things.reaches(streamName('thing', '49'), 0);
        expect(await things.read((database) => database.selectFrom('things_v1').select('id').execute())).toHaveLength(50);
      }
      expect([one.length, other.length].sort((a, b) => a - b)).toEqual([0, 50]);
    });

    it.each([1, 2, 8])('cost two statements for each event, with %i processes', async (processes) => {
      const applied: string[] = [];
      const of = { length: processes };
      const replicas = Array.from(of, () => replica(applied, undefined, { beat: NEVER, takeOver: NEVER }));
      await say('first');
      for (const { things } of replicas) await things.reaches(streamName('thing', 'first'), 0);
      statements.clear();
      for (let number = 1; number <= EVENTS; number++) {
        await say(`${number}`);
        await eventually(async () => applied.length === 1 + number, { what: `event ${number} is applied` });
      }
      // One for each row, one for the progress of each batch, and one for the end of the history. Waiting processes read one row at regular intervals.
      expect(statements.get('Insert things_v1')).toBe(EVENTS);
      expect(statements.get('Update projections')).toBeLessThanOrEqual(EVENTS + 1);
      expect([...statements.keys()].filter((statement) => statement !== 'Select projections').toSorted()).toEqual([
        'Insert things_v1',
        'Update projections',
      ]);
    });

    it('are written by another one at once when the writer stops', async () => {
      const first = replica();
      await say('a');
      await first.things.reaches(streamName('thing', 'a'), 0);
      const second = replica();
      await first.projections.close();
      await say('b');
      await second.things.reaches(streamName('thing', 'b'), 0);
    });

    it('are written by another one when the writer gives no sign of life any more', async () => {
      const writer = replica();
      await say('a');
      await writer.things.reaches(streamName('thing', 'a'), 0);
      // As a killed process leaves it: a holder who does not answer.
      await writer.projections.close();
      const leftBehind = openPostgresqlReadModels({ url: database.url, report: () => undefined });
      await leftBehind.query<{ projections: { holder: string } }, unknown>((database) =>
        database.updateTable('projections').set({ holder: 'killed' }).execute(),
      );
      await leftBehind.close();
      const second = replica();
      await say('b');
      await second.things.reaches(streamName('thing', 'b'), 0);
    });

    it('are not written by a process that is frozen in a transaction and goes on after another one has taken over', async () => {
      const [frozen, thaw] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const applied: string[] = [];
      // Its transaction has changed the row of the projection and holds its lock, until PostgreSQL ends it.
      const freeze = async (word: string): Promise<void> => {
        if (word !== 'b') return;
        frozen.resolve();
        await thaw.promise;
      };
      const writer = replica(applied, freeze, { beat: NEVER });
      await say('a');
      await writer.things.reaches(streamName('thing', 'a'), 0);
      await say('b');
      await frozen.promise;
      const taker = replica();
      await say('c');
      // PostgreSQL's limit of five seconds for an idle transaction, and the time after which a silent writer is replaced.
      await eventually(
        async () =>
          taker.things.reaches(streamName('thing', 'c'), 0).then(
            () => true,
            () => false,
          ),
        { what: 'another process has taken over', within: 30_000 },
      );
      const rows = () => taker.things.read((database) => database.selectFrom('things_v1').selectAll().orderBy('place').execute());
      const before = await rows();
      expect(before.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
      thaw.resolve();
      await eventually(async () => applied.includes('b'), { what: 'the frozen process goes on', within: 60_000 });
      await say('d');
      await taker.things.reaches(streamName('thing', 'd'), 0);
      expect((await rows()).slice(0, 3)).toEqual(before);
      expect(applied).toEqual(['a', 'b']);
    });

    it('go on after all connections were lost, and after every table was dropped', async () => {
      const { projections, things } = replica();
      for (let number = 0; number < 20; number++) await say(`${number}`);
      await things.reaches(streamName('thing', '19'), 0);
      await connections();
      await say('20');
      const shown = async (count: number): Promise<void> => {
        const shows = async (): Promise<boolean> => {
          try {
            return (await things.read((database) => database.selectFrom('things_v1').selectAll().execute())).length === count;
          } catch (error) {
            expect(error).toBeInstanceOf(ReadModelsUnavailable);
            return false;
          }
        };
        await eventually(shows, { what: 'the projection shows all things again', within: 60_000 });
      };
      await shown(21);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await client.end();
      await shown(21);
      expect(await projections.list()).toMatchObject([{ name: 'things', complete: true }]);
    });

    it('refuse reads in a bounded time where nothing listens', async () => {
      const nowhere = openPostgresqlReadModels({ url: 'postgres://user@127.0.0.1:1/none', report: () => undefined });
      await expect(nowhere.migrate()).rejects.toBeInstanceOf(ReadModelsUnavailable);
      await nowhere.close();
    });
  });
});
