import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock, SystemClock, SystemRandomness } from '#kernel';
import { NO_STREAM, SqliteEventStore, streamName, type SubscribeOptions } from '#event-store';
import { Metrics, SilentLog } from '#telemetry';

import { databaseContract, type ReadModelsSubject } from './contract/database.js';
import { Projections } from './projections.js';
import { ProjectionState, TurnLost } from './projection-state.js';
import type { ReadModel } from './read-model.js';
import { thingsProjection, type ThingTables } from './testing/things.js';

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
    times = { beat: 50, takeOver: 400, retry: 20 },
  ): { projections: Projections; things: ReadModel<ThingTables> } => {
    const parts = { eventStore: store, clock, randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics(), times };
    const projections = new Projections({ readModels: subject.open(), ...parts });
    opened.push(projections);
    return { projections, things: projections.follow(projection) };
  };

  const rows = (things: ReadModel<ThingTables>) =>
    things.read((database) => database.selectFrom('things_v1').select(['id', 'words', 'revision']).orderBy('place').execute());

  const reached = async (things: ReadModel<ThingTables>, thing: string): Promise<unknown> => {
    await things.reaches(streamName('thing', thing), revisions.get(thing) ?? 0);
    return rows(things);
  };

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
        resumedAfter.push(options.after as bigint);
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
        await state.advance(turn, events, { position: undefined, caughtUp: false });
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

    it('is built beside its former version', async () => {
      await say('a', 'one');
      const first = start();
      await rows(first.things);
      await first.projections.close();
      const second = start({
        ...thingsProjection(),
        version: 2,
        create: async () => undefined,
        apply: async () => undefined,
      });
      await rows(second.things);
      await second.projections.close();
      expect(await rows(start().things)).toEqual([{ id: 'a', words: 'one', revision: 0 }]);
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
        const progress = { position: events[0]!.position, caughtUp: true };
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
