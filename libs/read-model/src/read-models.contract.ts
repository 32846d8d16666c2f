import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#kernel/testing';
import { NO_STREAM, type Place, SqliteEventStore, streamName, type SubscribeOptions } from '#event-store';
import { Metrics, SilentLog } from '#telemetry';

import { databaseContract, type ReadModelsSubject } from './contract/database.js';
import type { BookkeepingTables } from './migrations.js';
import { Projections } from './projections.js';
import { ProjectionState, TurnLost } from './projection-state.js';
import type { ReadModel } from './read-model.js';
import { laterThings, thingsProjection, type ThingTables } from './testing/things.js';

/** Every promise of the port and of the projections over it. */
export const readModelsContract = (subject: ReadModelsSubject): void => {
  const clock = new SystemClock();
  let store: SqliteEventStore;
  let opened: Projections[];
  let handedOver: string[];

  beforeEach(async () => {
    store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    opened = [];
    handedOver = [];
    await subject.make();
  });
  afterEach(async () => {
    await Promise.all(opened.map((projections) => projections.close()));
    await store.close();
    await subject.remove();
  });

  const revisions = new Map<string, number>();
  beforeEach(() => revisions.clear());

  const say = async (thing: string, ...words: string[]): Promise<number> => {
    const events = words.map((word) => ({ type: 'Said', data: { word } }));
    const { revision } = await store.append(streamName('thing', thing), revisions.get(thing) ?? NO_STREAM, events);
    revisions.set(thing, revision);
    return revision;
  };

  const start = (
    projection = thingsProjection({ beforeEach: (word) => void handedOver.push(word) }),
    times = { beat: 50, takeOver: 400, retry: 20, silence: 300 },
  ): { projections: Projections; things: ReadModel<ThingTables>; metrics: Metrics } => {
    const metrics = new Metrics();
    const parts = { eventStore: store, clock, randomness: new SystemRandomness(), log: new SilentLog(), metrics, times };
    const projections = new Projections({ readModels: subject.open(), ...parts });
    opened.push(projections);
    return { projections, things: projections.follow(projection), metrics };
  };

  const rows = (things: ReadModel<ThingTables>) =>
    things.read((database) => database.selectFrom('things_v1').select(['id', 'words', 'revision']).orderBy('place').execute());

  const reached = async (things: ReadModel<ThingTables>, thing: string): Promise<unknown> => {
    await things.reaches(streamName('thing', thing), revisions.get(thing) ?? 0);
    return rows(things);
  };

  /** False while the projection is being prepared. */
  const isCurrent = (things: ReadModel<ThingTables>): Promise<boolean> =>
    things.current().then(
      () => true,
      () => false,
    );

  describe('the database', () => databaseContract(subject));

  describe('a projection', () => {
    it('shows the history and what follows', async () => {
      await say('b', 'one', 'two');
      await say('a', 'three');
      const { things } = start();
      expect(await rows(things)).toEqual([
        { id: 'b', words: 'one two', revision: 1 },
        { id: 'a', words: 'three', revision: 0 },
      ]);
      await say('a', 'four');
      expect(await reached(things, 'a')).toContainEqual({ id: 'a', words: 'three four', revision: 1 });
    });

    it('shows an append of the own process to the very next read', async () => {
      const { projections, things } = start();
      const noting = projections.noting(store);
      for (let number = 0; number < 20; number++) {
        await noting.append(streamName('thing', `${number}`), NO_STREAM, [{ type: 'Said', data: { word: 'hello' } }]);
        expect(await rows(things)).toHaveLength(number + 1);
      }
    });

    it('goes on after its checkpoint when it starts again', async () => {
      await say('a', 'one', 'two');
      const first = start();
      await rows(first.things);
      await first.projections.close();
      await say('a', 'three');
      const second = start();
      expect(await reached(second.things, 'a')).toEqual([{ id: 'a', words: 'one two three', revision: 2 }]);
      expect(handedOver).toEqual(['one', 'two', 'three']);
    });

    it('passes over the events of others once only, also over a restart', async () => {
      await say('a', 'one');
      const first = start();
      await rows(first.things);
      for (let number = 0; number < 20; number++) {
        const foreign = Array.from({ length: 250 }, () => ({ type: 'Foreign', data: {} }));
        await store.append(streamName('foreign', `${number}`), NO_STREAM, foreign);
      }
      const position = async (): Promise<number> => Number((await first.projections.list())[0]?.position);
      // Progress is stored each thousand positions.
      while ((await position()) <= 4_001) await new Promise((resolve) => setTimeout(resolve, 10));
      await first.projections.close();
      const resumedAfter: bigint[] = [];
      const subscribe = store.subscribe.bind(store);
      store.subscribe = ((options: SubscribeOptions) => {
        resumedAfter.push((options.after as Place).position);
        return subscribe(options);
      }) as typeof store.subscribe;
      await say('a', 'two');
      const second = start();
      expect(await reached(second.things, 'a')).toEqual([{ id: 'a', words: 'one two', revision: 1 }]);
      expect(resumedAfter).toHaveLength(1);
      expect(resumedAfter[0]).toBeGreaterThan(4_001n);
    });

    it('stores no row without its checkpoint, and none twice', async () => {
      let broken = true;
      const seen: string[] = [];
      const failing = thingsProjection({
        beforeEach: (word) => {
          seen.push(word);
          if (word === 'three' && broken) throw new Error('the process is out of memory');
        },
      });
      await say('a', 'one', 'two', 'three');
      const { projections, things } = start(failing);
      while (seen.filter((word) => word === 'three').length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await projections.list()).toEqual([{ name: 'things', version: 1, complete: false }]);
      broken = false;
      expect(await rows(things)).toEqual([{ id: 'a', words: 'one two three', revision: 2 }]);
    });

    it('does not change when events are applied again', async () => {
      await say('a', 'one', 'two');
      const { projections, things } = start();
      const before = await rows(things);
      await projections.close();
      const readModels = subject.open();
      const projection = thingsProjection();
      const state = new ProjectionState<ThingTables>(readModels, projection as never);
      try {
        await state.prepare();
        const turn = (await state.take((await state.row())!, 'a test'))!;
        const events = await store.read(streamName('thing', 'a'));
        await state.advance(turn, events, { place: undefined, caughtUp: false });
        await state.release(turn);
      } finally {
        await readModels.close();
      }
      expect(await rows(start().things)).toEqual(before);
    });

    it('is rebuilt while it is read: every read shows all of it', async () => {
      for (let number = 0; number < 300; number++) await say(`${number}`, 'hello');
      const { projections, things } = start();
      const before = await rows(things);
      expect(before).toHaveLength(300);
      handedOver.length = 0;
      await projections.rebuild('things');
      for (let number = 0; number < 5; number++) expect(await rows(things)).toEqual(before);
      expect(handedOver).toHaveLength(300);
      await expect(projections.rebuild('other')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('that lives by the bus is filled from the store up to its end, and no further until it is rebuilt', async () => {
      const subscriptions: AbortSignal[] = [];
      const subscribe = store.subscribe.bind(store);
      store.subscribe = ((options: SubscribeOptions) => {
        subscriptions.push(options.signal);
        return subscribe(options);
      }) as typeof store.subscribe;
      await say('a', 'one');
      let completions = 0;
      const { projections, things } = start({ ...thingsProjection(), live: 'bus', completed: () => void (completions += 1) });
      const ids = () => things.rows((database) => database.selectFrom('things_v1').select('id').orderBy('place').execute());
      expect(await reached(things, 'a')).toHaveLength(1);
      await eventually(() => subscriptions[0]!.aborted, { what: 'the subscription has ended' });
      await say('b', 'two');
      expect([subscriptions.length, completions, await ids()]).toEqual([1, 1, [{ id: 'a' }]]);
      await projections.rebuild('things');
      await eventually(() => completions === 2, { what: 'it is filled again' });
      expect(await ids()).toEqual([{ id: 'a' }, { id: 'b' }]);
    });

    it('is rebuilt by a process that only administers it', async () => {
      await say('a', 'one');
      const first = start();
      await rows(first.things);
      await first.projections.close();
      await say('a', 'two');
      const readModels = subject.open();
      const administration = new Projections({
        readModels,
        eventStore: store,
        clock,
        randomness: new SystemRandomness(),
        log: new SilentLog(),
        metrics: new Metrics(),
      });
      opened.push(administration);
      administration.administer(thingsProjection());
      expect(await administration.list()).toEqual([{ name: 'things', version: 1, complete: true, position: expect.any(Number) }]);
      await administration.rebuild('things');
      expect(await administration.list()).toEqual([{ name: 'things', version: 1, complete: false }]);
      expect(await rows(administration.follow(thingsProjection()))).toEqual([{ id: 'a', words: 'one two', revision: 1 }]);
    });

    it('covers a position once the events up to there are applied, and not before', async () => {
      await say('a', 'one');
      const { things } = start();
      const [last] = await store.read(streamName('thing', 'a'), { direction: 'backwards', limit: 1 });
      await things.covers(last!.position);
      expect(await rows(things)).toHaveLength(1);
      await expect(things.covers(last!.position + 1n)).rejects.toMatchObject({ code: 'service_unavailable' });
    });

    it('is current after a restart once reads show what was stored before', async () => {
      await say('a', 'one');
      const first = start();
      await rows(first.things);
      await first.projections.close();
      await say('a', 'two');
      const { things } = start();
      while (!(await isCurrent(things))) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await rows(things)).toEqual([{ id: 'a', words: 'one two', revision: 1 }]);
    });

    it('applies only the events that concern it, and waits for no others', async () => {
      const projection = thingsProjection({ beforeEach: (word) => void handedOver.push(word) });
      const { things } = start({ ...projection, linger: 10, concerns: ({ data }) => (data as { word: string }).word !== 'noise' });
      await say('a', 'one', 'noise');
      await say('b', 'noise');
      await say('a', 'two');
      expect(await reached(things, 'a')).toEqual([{ id: 'a', words: 'one two', revision: 2 }]);
      await say('c', 'noise');
      await things.current();
      expect(handedOver).toEqual(['one', 'two']);
    });

    it('replaces its former version, whose tables are removed once no process writes them', async () => {
      await say('a', 'one');
      const first = start();
      await rows(first.things);
      await first.projections.close();
      let tables: readonly string[] = ['things_v1'];
      const second = start(laterThings((found) => (tables = found)));
      while (tables.includes('things_v1')) {
        await say('b', 'go on');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(tables).toContain('things_v2');
      await second.projections.close();
      // The release before builds them again.
      expect(await rows(start().things)).toContainEqual({ id: 'a', words: 'one', revision: 0 });
    });

    it('is made although tables of its names were left behind without the bookkeeping', async () => {
      await say('a', 'one');
      const first = start();
      await rows(first.things);
      await first.projections.close();
      const database = subject.open();
      await database.query((any) => any.schema.dropTable('projections').execute());
      await database.query((any) => any.schema.dropTable('kysely_migration').execute());
      await database.close();
      expect(await rows(start().things)).toEqual([{ id: 'a', words: 'one', revision: 0 }]);
    });

    describe('over a store that was restored from an older copy', () => {
      let folder: string;
      const open = (name: string): SqliteEventStore => new SqliteEventStore({ path: join(folder, name), clock: new FixedClock() });
      const restore = async (name: string): Promise<void> => {
        await store.close();
        store = open(name);
        revisions.clear();
        for (const thing of ['a', 'b']) for (const { revision } of await store.read(streamName('thing', thing))) revisions.set(thing, revision);
      };
      /** A process that starts now comes to show these words of each thing, and has built the projection anew so often. */
      const expectShown = async (expected: Readonly<Record<string, string>>, rebuilds: number): Promise<void> => {
        const { things, projections, metrics } = start();
        const words = async () => Object.fromEntries((await rows(things)).map((row) => [row.id, row.words]));
        await eventually(async () => isDeepStrictEqual(await words(), expected), { what: JSON.stringify(expected) });
        await projections.close();
        expect((await metrics.projectionRebuilds.get()).values.reduce((sum, { value }) => sum + value, 0)).toBe(rebuilds);
      };
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'older-copy-'));
        await store.close();
        store = open('store');
        await say('a', 'one');
        await store.close();
        await copyFile(join(folder, 'store'), join(folder, 'copy'));
        await restore('store');
        await say('a', 'lost');
        await say('b', 'lost');
        await expectShown({ a: 'one lost', b: 'lost' }, 0);
      });
      afterEach(() => rm(folder, { recursive: true }));

      it('is built anew when the copy ends before the checkpoint', async () => {
        await restore('copy');
        await expectShown({ a: 'one' }, 1);
        await say('b', 'two');
        await expectShown({ a: 'one', b: 'two' }, 0);
      });

      it.each([2, 5])('is built anew when the copy has grown to the checkpoint again, and beyond it (%d events)', async (count) => {
        await restore('copy');
        for (let number = 0; number < count; number++) await say('a', 'new');
        await expectShown({ a: ['one', ...Array.from({ length: count }, () => 'new')].join(' ') }, 1);
      });

      it('is built anew when the checkpoint lay at a foreign event that the copy lacks', async () => {
        const foreign = (): Promise<unknown> =>
          store.append(
            streamName('foreign', randomUUID()),
            NO_STREAM,
            Array.from({ length: 1_500 }, () => ({ type: 'Foreign', data: {} })),
          );
        const { things, projections } = start();
        await rows(things);
        await foreign();
        while (Number((await projections.list())[0]?.position) < 1_000) await new Promise((resolve) => setTimeout(resolve, 10));
        await projections.close();
        await restore('copy');
        await say('b', 'two');
        await foreign();
        await expectShown({ a: 'one', b: 'two' }, 1);
      });

      it('goes on when the event at the checkpoint was erased', async () => {
        await store.tombstone(streamName('thing', 'b'));
        revisions.delete('b');
        await say('a', 'three');
        await expectShown({ a: 'one lost three', b: 'lost' }, 0);
      });

      it('is built anew when only a position is known, which lies beyond the end', async () => {
        const readModels = subject.open();
        await readModels.query<BookkeepingTables, unknown>((database) => database.updateTable('projections').set({ event_id: null }).execute());
        await readModels.close();
        await expectShown({ a: 'one lost', b: 'lost' }, 0);
        await restore('copy');
        await expectShown({ a: 'one' }, 1);
      });
    });

    it('is written by nobody whose turn is over', async () => {
      await say('a', 'one');
      const { projections, things } = start();
      await rows(things);
      await projections.close();
      const readModels = subject.open();
      const state = new ProjectionState<ThingTables>(readModels, thingsProjection() as never);
      try {
        await state.prepare();
        const frozen = (await state.take((await state.row())!, 'frozen'))!;
        const taker = (await state.take((await state.row())!, 'taker'))!;
        await say('a', 'two');
        const events = (await store.read(streamName('thing', 'a'))).slice(1);
        const progress = { place: events[0]!, caughtUp: true };
        await expect(state.advance(frozen, events, progress)).rejects.toBeInstanceOf(TurnLost);
        await expect(state.renew(frozen, 1)).rejects.toBeInstanceOf(TurnLost);
        expect((await state.revisions(['a'])).get('a')).toBe(0);
        await state.reset();
        await expect(state.advance(taker, events, progress)).rejects.toBeInstanceOf(TurnLost);
      } finally {
        await readModels.close();
      }
    });
  });
};
