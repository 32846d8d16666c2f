import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';

import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '../../kernel/fixed-clock.js';
import { eventually } from '#testkit/kernel/eventually';
import { type EventStore, idOf, NO_STREAM, type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { Metrics, SilentLog } from '#telemetry';

import { Projections } from '#engines/read-model';
import type { ReadModel } from '#engines/read-model';
import type { ReadModels } from '#engines/read-model';
import { thingsProjection, type ThingTables } from '../things.js';
import type { ReadModelsSubject } from './database.js';

const SAID = [{ type: 'Said', data: { word: 'hello' } }];

/**
 * A projection whose rows come by the bus, over a store that is restored from an older copy. Each thing has a row with its last revision. The caller makes the database
 * before each test.
 */
export const restoredUnderBusContract = (subject: ReadModelsSubject): void => {
  let folder: string;
  let opened: SqliteEventStore;
  let projections: Projections;
  let things: ReadModel<ThingTables>;
  let metrics: Metrics;
  /** Queries of the database: one in each round of the idle projector. */
  let queries: jest.SpiedFunction<ReadModels['query']>;
  /** Reads of the store, and the calls to come that show nothing. */
  let reads: number;
  /** As the store tells it. */
  let history: { id: string; readonly known: Promise<void>; readonly restored: () => Promise<void> };
  let hidden: number;

  /** The store as the running process knows it: the file behind it is replaced. */
  const store = new Proxy({} as EventStore, {
    get: (_target, name: keyof SqliteEventStore) => {
      if (name === 'read') return read;
      if (name === 'exists') return exists;
      const member: unknown = opened[name];
      return typeof member === 'function' ? (member.bind(opened) as unknown) : member;
    },
  });
  const read: EventStore['read'] = async (...args) => {
    reads += 1;
    return hidden > 0 ? ((hidden -= 1), []) : opened.read(...args);
  };
  const exists: EventStore['exists'] = async (stream) => (hidden > 0 ? ((hidden -= 1), false) : opened.exists(stream));

  const open = (name: string): SqliteEventStore => new SqliteEventStore({ path: join(folder, name), clock: new FixedClock() });
  const start = (): void => {
    metrics = new Metrics();
    const times = { beat: 20, takeOver: 400, watch: 20, retry: 20, look: 20 };
    const parts = { eventStore: store, history, clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics, times };
    const readModels = subject.open();
    queries = jest.spyOn(readModels, 'query');
    projections = new Projections({ readModels, ...parts });
    things = projections.follow({ ...thingsProjection(), live: 'bus' });
  };
  const copy = async (): Promise<void> => {
    await opened.close();
    await copyFile(join(folder, 'store'), join(folder, 'copy'));
    opened = open('store');
  };
  /** Restores a copy that has these new things before the process first reads it. */
  const restore = async (things: readonly string[] = []): Promise<void> => {
    const later = opened;
    const restored = open('copy');
    for (const thing of things) await restored.append(streamName('thing', thing), NO_STREAM, SAID);
    opened = restored;
    await later.close();
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'restored-under-bus-'));
    [reads, hidden] = [0, 0];
    history = { id: '', known: Promise.resolve(), restored: async () => undefined };
    opened = open('store');
    await say('a');
    start();
    await rows();
  });
  afterEach(async () => {
    await projections.close();
    await opened.close();
    await rm(folder, { recursive: true });
  });

  const say = async (thing: string, after: number | typeof NO_STREAM = NO_STREAM): Promise<RecordedEvent> => {
    const { revision } = await opened.append(streamName('thing', thing), after, SAID);
    return (await opened.read(streamName('thing', thing), { from: revision }))[0]!;
  };
  /** Does the work of a consumer of the bus with an event. */
  const take = async ({ id, stream, revision }: RecordedEvent): Promise<void> => {
    const row = { id: idOf(stream), place: 0, revision, words: '' };
    await things.rows((database) =>
      database
        .insertInto('things_v1')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ revision }))
        .execute(),
    );
    things.applied({ stream, revision, id });
  };
  const rows = async (): Promise<Readonly<Record<string, number>>> => {
    const found = await things.read((database) => database.selectFrom('things_v1').select(['id', 'revision']).execute());
    return Object.fromEntries(found.map(({ id, revision }) => [id, revision]));
  };
  const become = (expected: Readonly<Record<string, number>>): Promise<void> =>
    eventually(async () => isDeepStrictEqual(await rows().catch(() => undefined), expected), { what: JSON.stringify(expected) });
  const position = async (): Promise<number> => Number((await projections.list())[0]?.position);
  const rebuilds = async (): Promise<number> => (await metrics.projectionRebuilds.get()).values.reduce((sum, { value }) => sum + value, 0);
  /** Until the store was asked for the newest events, and once more. */
  const looked = async (): Promise<void> => {
    for (const event of [await say('one-more'), await say('another')]) {
      await take(event);
      await eventually(async () => (await position()) >= event.position, { what: 'the checkpoint has moved' });
    }
  };

  it('moves its checkpoint to the newest event that the bus has brought, with no read while nothing comes', async () => {
    const event = await say('b');
    await take(event);
    await eventually(async () => (await position()) === Number(event.position), { what: 'the checkpoint is at the event' });
    const before = reads;
    const rounds = queries.mock.calls.length;
    await eventually(() => queries.mock.calls.length >= rounds + 5, { what: 'five more rounds' });
    expect([reads, await rebuilds()]).toEqual([before, 0]);
  });

  it.each([0, 1, 5])('is built anew while it runs when the copy lacks what the checkpoint names, and has %d new events', async (count) => {
    await copy();
    await take(await say('a', 0));
    const lost = await say('b');
    await take(lost);
    await eventually(async () => (await position()) === Number(lost.position), { what: 'the checkpoint is at the event' });
    const added = Array.from({ length: count }, (_, number) => `new-${number}`);
    await restore(added);
    await become({ a: 0, ...Object.fromEntries(added.map((thing) => [thing, 0])) });
    expect(await rebuilds()).toBe(1);
  });

  it('is built anew when the bus brings an event that the copy lacks: of a stream that it does not have, that is shorter, or that went on otherwise', async () => {
    await copy();
    const lost = [await say('b'), await say('a', 0), await say('a', 1)];
    await restore();
    for (const [index, event] of lost.entries()) {
      if (index === 2) await say('a', 0).then(() => say('a', 1));
      await take(event);
      await eventually(async () => (await rebuilds()) === index + 1, { what: `rebuild ${index + 1}` });
      await become({ a: index === 2 ? 2 : 0 });
    }
  });

  it('is built anew by a process that starts over the copy', async () => {
    await copy();
    const lost = await say('b');
    await take(lost);
    await eventually(async () => (await position()) === Number(lost.position), { what: 'the checkpoint is at the event' });
    await projections.close();
    await restore();
    start();
    await become({ a: 0 });
    expect(await rebuilds()).toBe(1);
  });

  it('is built anew, once, when another reader has noted a restoration, also where its checkpoint is in the copy', async () => {
    await copy();
    const row = await say('a', 0);
    await restore();
    // A consumer that was killed before the look has left a row of the lost event.
    await things.rows((database) => database.updateTable('things_v1').set({ revision: row.revision }).where('id', '=', 'a').execute());
    history.id = 'the next one';
    await become({ a: 0 });
    await looked();
    expect(await rebuilds()).toBe(1);
  });

  it('stays when streams were erased, and when an event is not readable at the first look', async () => {
    const [erased, truncated] = [await say('b'), await say('c')];
    await say('c', 0);
    await opened.tombstone(streamName('thing', 'b'));
    await opened.truncateBefore(streamName('thing', 'c'), 1);
    const late = await say('d');
    // The three calls of a look.
    hidden = 3;
    await take(late);
    await eventually(() => hidden === 0, { what: 'the event was looked up once' });
    await take(erased);
    await take(truncated);
    await looked();
    expect(await rebuilds()).toBe(0);
    expect(await rows()).toMatchObject({ a: 0, b: 0, c: 0, d: 0 });
  });
};
