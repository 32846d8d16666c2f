import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import {
  history,
  idOf,
  NO_STREAM,
  type RecordedEvent,
  scavengeEventStoreDb,
  type StreamName,
  streamName,
  SubscriptionRefused,
} from '#engines/event-store';
import { DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { type DomainEvent, SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { openSqliteReadModels, Projections, type Projection as SqlProjection } from '#engines/read-model';
import { Metrics, SilentLog } from '#telemetry';
import {
  randomness,
  server,
  store,
  category,
  leave,
  reports,
  alarms,
  mark,
  restorations,
  useRestorableStore,
  append,
  textsOf,
  copyFiles,
  restoreCopy,
} from './support/restorable-store.js';

/** specification/reliability.md#drill-26 */
describe.each(DIALECTS)('a store restored from an older copy, on a server of %s', (dialect) => {
  useRestorableStore(dialect);

  it('hands over all new events to a subscription that was ahead of it, and counts the lacking ones', async () => {
    const seen: (RecordedEvent | 'caught-up')[] = [];
    const following = (async () => {
      for await (const item of store.subscribe({ categories: [category], signal: leave.signal })) seen.push(item);
    })();
    const events = (): RecordedEvent[] => seen.filter((item) => item !== 'caught-up');
    const notes = (): number => seen.length - events().length;
    await append('kept');
    await copyFiles();
    await append('lost');
    await eventually(() => events().length === 2);
    const before = notes();
    await restoreCopy();
    await eventually(() => notes() > before, { what: 'the subscription is taken up again' });
    await append('new');
    await eventually(() => events().length === 3, { what: 'the subscription goes on' });
    expect(textsOf(events())).toEqual(['kept', 'lost', 'new']);
    expect(reports).toContainEqual(expect.stringContaining(`lacks up to 1 events of ${category}`));
    expect(alarms).toEqual([]);
    await store.check();
    const projected: RecordedEvent[] = [];
    for await (const event of history(store, [category])) projected.push(event);
    expect(textsOf(projected)).toEqual(['kept', 'new']);
    leave.abort();
    await following;
  });

  it('hands over also events that were appended before the subscription connects again, at any position', async () => {
    await append('kept');
    await copyFiles();
    for (const text of ['one', 'two', 'three']) await append(text);
    await copyFiles('restored and gone on');
    await restoreCopy();
    const seen: RecordedEvent[] = [];
    const following = (async () => {
      for await (const item of store.subscribe({ categories: [category], signal: leave.signal })) if (item !== 'caught-up') seen.push(item);
    })();
    await append('lost, and of another length');
    await append('lost');
    await eventually(() => seen.length === 3);
    await restoreCopy('restored and gone on');
    await eventually(() => seen.length >= 6, { what: 'the subscription goes on' });
    expect(textsOf(seen)).toEqual(['kept', 'lost, and of another length', 'lost', 'one', 'two', 'three']);
    expect(reports).toContainEqual(expect.stringContaining(`lacks up to 2 events of ${category}`));
    expect(alarms).toEqual([]);
    await store.check();
    leave.abort();
    await following;
  });

  it('stops a subscription, with an alarm, when the copy has nothing that it knows', async () => {
    await append('kept');
    await copyFiles();
    const { seen, following } = await begunAfterLost();
    await restoreCopy();
    await append('new');
    await expect(following).rejects.toMatchObject({ reason: 'position' });
    expect(seen).toEqual([]);
    expect(alarms).toEqual([expect.stringContaining('Restore the copy that belongs to the position')]);
    await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it.each(['beyond the end', 'between its events'])(
    'hands over all new events to a subscription that was begun after an event that the copy lacks, and that lies %s: it goes on after the last mark',
    async (where) => {
      await append('kept');
      await mark();
      await append('kept after the mark');
      await copyFiles();
      await append('restored and gone on, with another length');
      for (let more = 0; more < 3; more += 1) await append('new');
      await copyFiles('restored and gone on');
      await restoreCopy();
      const { seen, following } = await begunAfterLost();
      await restoreCopy(where === 'beyond the end' ? undefined : 'restored and gone on');
      const texts = Array.from({ length: 20 }, (_, number) => `new ${number}`);
      for (const text of texts) await append(text);
      const between = where === 'beyond the end' ? [] : ['restored and gone on, with another length', 'new', 'new', 'new'];
      const expected = ['kept after the mark', ...between, ...texts];
      await eventually(() => seen.length >= expected.length, { what: 'all of them are handed over' });
      expect(textsOf(seen)).toEqual(expected);
      expect(reports).toContainEqual(expect.stringContaining(`that were handed over: it was restored from an older copy`));
      expect(restorations.length).toBeGreaterThan(0);
      expect(alarms).toEqual([]);
      await store.check();
      leave.abort();
      await following;
    },
  );

  /** Follows from the position of an event that the copy lacks. */
  const begunAfterLost = async () => {
    await append('lost');
    let lost: RecordedEvent | undefined;
    for await (const event of history(store, [category])) lost = event;
    const seen: RecordedEvent[] = [];
    let hasBegun = false;
    const following = (async () => {
      for await (const item of store.subscribe({ after: lost!.position, categories: [category], signal: leave.signal })) {
        hasBegun = true;
        if (item !== 'caught-up') seen.push(item);
      }
    })();
    following.catch(() => undefined);
    await eventually(() => hasBegun);
    return { seen, following };
  };

  it('stops a consumer, with an alarm, when its position belongs to another copy, until it begins anew', async () => {
    await append('kept');
    await copyFiles();
    await append('lost, and longer than the event in its place');
    const before: RecordedEvent[] = [];
    for await (const item of store.subscribe({ categories: [category], signal: leave.signal })) {
      if (item === 'caught-up') break;
      before.push(item);
      if (before.length === 2) break;
    }
    await restoreCopy();
    for (const text of ['one', 'two', 'three']) await append(text);
    const again = (async () => {
      for await (const item of store.subscribe({ after: before[1]!.position, categories: [category], signal: leave.signal })) return item;
    })();
    await expect(again).rejects.toBeInstanceOf(SubscriptionRefused);
    expect(alarms).toEqual([expect.stringContaining('it was restored from another copy')]);
    await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable' });
    await append('other work goes on');
    for await (const item of store.subscribe({ categories: [category], signal: leave.signal })) if (item === 'caught-up') break;
    await store.check();
  });

  describe('under a read model in SQL', () => {
    interface Tables {
      texts: { place: number; revision: number; id: string; text: string };
    }
    let folder: string;
    beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'read-models-'))));
    afterEach(() => rm(folder, { recursive: true }));

    const texts = (): SqlProjection<Tables, DomainEvent<'Happened', { readonly text: string }>> => ({
      name: 'texts',
      version: 1,
      tables: ['texts'],
      categories: [category],
      progress: { category, table: 'texts', id: 'id' },
      create: async ({ schema }) => {
        const table = schema.createTable('texts').addColumn('place', 'bigint').addColumn('revision', 'bigint');
        await table.addColumn('id', 'text').addColumn('text', 'text').execute();
      },
      apply: async (transaction, { stream, revision, position, data: { text } }) => {
        await transaction
          .insertInto('texts')
          .values({ place: Number(position), revision, id: idOf(stream), text })
          .execute();
      },
    });
    const start = () => {
      const metrics = new Metrics();
      const projections = new Projections({
        readModels: openSqliteReadModels(join(folder, 'read-models.sqlite')),
        eventStore: store,
        clock: new SystemClock(),
        randomness,
        log: new SilentLog(),
        metrics,
      });
      const model = projections.follow(texts());
      const read = () => model.read((database) => database.selectFrom('texts').select('text').orderBy('place').execute());
      const shows = (...expected: string[]): Promise<void> =>
        eventually(
          async () =>
            isDeepStrictEqual(
              Array.from(await read(), ({ text }) => text),
              expected,
            ),
          { what: `it shows ${expected}`, within: 20_000 },
        );
      const rebuilds = async (): Promise<number> => (await metrics.projectionRebuilds.get()).values.reduce((sum, { value }) => sum + value, 0);
      return { projections, shows, rebuilds };
    };

    it('that runs: it is built anew, and misses nothing that is stored next', async () => {
      await append('kept');
      await copyFiles();
      await append('lost');
      const { projections, shows, rebuilds } = start();
      await shows('kept', 'lost');
      await restoreCopy();
      await shows('kept');
      await append('new');
      await shows('kept', 'new');
      expect(await rebuilds()).toBe(1);
      expect(alarms).toEqual([]);
      await projections.close();
    });

    it.each([
      ['ends before its checkpoint', []],
      ['has grown to its checkpoint again', ['gone']],
      ['has grown beyond its checkpoint', ['a text of another length', 'more', 'and more']],
    ])(
      'that starts when the store %s: it is built anew',
      async (_state, grown) => {
        await append('kept');
        await copyFiles();
        await append('lost');
        const before = start();
        await before.shows('kept', 'lost');
        await before.projections.close();
        await restoreCopy();
        for (const text of grown) await append(text);
        const { projections, shows, rebuilds } = start();
        await shows('kept', ...grown);
        await append('new');
        await shows('kept', ...grown, 'new');
        expect(await rebuilds()).toBe(1);
        expect(alarms).toEqual([]);
        await store.check();
        await projections.close();
      },
      60_000,
    );

    const happened = (text: string) => [{ type: 'Happened', data: { text } }];
    const scavenge = async (): Promise<void> => {
      for await (const node of scavengeEventStoreDb({ connectionString: server.connectionString, pollEvery: 20 }))
        expect(node.scavengeId).toBeDefined();
    };
    const expire = async (stream: StreamName): Promise<void> => {
      await store.setRetention(stream, { maxAge: 1 });
      await eventually(async () => (await store.read(stream)).length === 0, { what: 'its events have expired' });
    };
    /** What happens to the stream of the last event while no process runs, and what its later events say. A scavenge leaves the last event of a stream that has only expired. */
    const LOSSES: readonly (readonly [string, readonly string[], (stream: StreamName) => Promise<void>])[] = [
      [
        'was erased, and the store was scavenged',
        [],
        async (stream) => {
          await store.tombstone(stream);
          await scavenge();
        },
      ],
      ['has expired', [], expire],
      [
        'has expired with a later one, and the store was scavenged',
        ['later'],
        async (stream) => {
          await store.append(stream, 0, happened('later'));
          await expire(stream);
          await scavenge();
        },
      ],
      [
        'was truncated, and the store was scavenged',
        ['later'],
        async (stream) => {
          await store.append(stream, 0, happened('later'));
          await store.truncateBefore(stream, 1);
          await scavenge();
        },
      ],
    ];

    it.each(LOSSES)('that starts over the same store, whose event at its checkpoint %s: it goes on', async (_loss, later, lose) => {
      await append('kept');
      await mark();
      const last = streamName(category, randomness.uuid());
      await store.append(last, NO_STREAM, happened('last'));
      const before = start();
      await before.shows('kept', 'last');
      await before.projections.close();
      await lose(last);
      const { projections, shows, rebuilds } = start();
      await append('new');
      await shows('kept', 'last', ...later, 'new');
      expect(await rebuilds()).toBe(0);
      expect([restorations, alarms]).toEqual([[], []]);
      await projections.close();
    });
  });
});
