import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';

import { FixedClock, SystemClock, SystemRandomness } from '#kernel';
import { NO_STREAM, SqliteEventStore, streamName } from '#event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '../projections.js';
import { readModelsContract } from '../read-models.contract.js';
import { ReadModelsUnavailable } from '../read-models.js';
import { postgresUrl } from '../testing/settings.js';
import { thingsProjection } from '../testing/things.js';
import { openPostgresqlReadModels } from './postgresql-read-models.js';

const url = postgresUrl();

(url === undefined ? describe.skip : describe)('read models in PostgreSQL', () => {
  let name: string;

  const asOwner = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const urlOfTest = (): string => {
    const address = new URL(url ?? '');
    address.pathname = `/${name}`;
    return address.href;
  };
  const subject = {
    make: async () => {
      name = `read_models_${new SystemRandomness().uuid().replaceAll('-', '')}`;
      await asOwner(`CREATE DATABASE ${name}`);
    },
    open: () => openPostgresqlReadModels({ url: urlOfTest(), report: () => undefined }),
    remove: () => asOwner(`DROP DATABASE ${name} WITH (FORCE)`),
  };

  describe('by the contract', () => readModelsContract(subject));

  describe('that several processes share', () => {
    let store: SqliteEventStore;
    let opened: Projections[];

    beforeEach(async () => {
      store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
      opened = [];
      await subject.make();
    });
    afterEach(async () => {
      await Promise.all(opened.map((projections) => projections.close()));
      await store.close();
      await subject.remove();
    });

    const replica = (applied: string[] = []) => {
      const parts = { eventStore: store, clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
      const projections = new Projections({ readModels: subject.open(), ...parts, times: { beat: 50, takeOver: 500, retry: 20 } });
      opened.push(projections);
      return { projections, things: projections.follow(thingsProjection({ beforeEach: (word) => void applied.push(word) })) };
    };

    const say = async (thing: string): Promise<void> => {
      await store.append(streamName('thing', thing), NO_STREAM, [{ type: 'Said', data: { word: thing } }]);
    };

    const connections = async (): Promise<void> =>
      asOwner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`);

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
      const leftBehind = openPostgresqlReadModels({ url: urlOfTest(), report: () => undefined });
      await leftBehind.query<{ projections: { holder: string } }, unknown>((database) =>
        database.updateTable('projections').set({ holder: 'killed' }).execute(),
      );
      await leftBehind.close();
      const second = replica();
      await say('b');
      await second.things.reaches(streamName('thing', 'b'), 0);
    });

    it('go on after all connections were lost, and after every table was dropped', async () => {
      const { projections, things } = replica();
      for (let number = 0; number < 20; number++) await say(`${number}`);
      await things.reaches(streamName('thing', '19'), 0);
      await connections();
      await say('20');
      const shown = async (count: number): Promise<void> => {
        for (let tries = 0; tries < 100; tries++) {
          try {
            const found = await things.read((database) => database.selectFrom('things_v1').selectAll().execute());
            if (found.length === count) return;
          } catch (error) {
            expect(error).toBeInstanceOf(ReadModelsUnavailable);
          }
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        throw new Error('the projection did not come back');
      };
      await shown(21);
      const client = new pg.Client({ connectionString: urlOfTest() });
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
