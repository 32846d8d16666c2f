import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { NO_STREAM, type ReadOptions, streamName } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const LONG = streamName('device', 'long');
const happened = (number: number, length = 10) => ({ type: 'Happened', data: { number, text: 'x'.repeat(length) } });

describe('the end of a long stream', () => {
  const clock = new FixedClock();
  let store: SqliteEventStore;
  beforeEach(async () => {
    store = new SqliteEventStore({ path: ':memory:', clock });
    // Too much text for the streams that are kept whole.
    await store.append(LONG, NO_STREAM, [happened(0, 40_000), ...[1, 2, 3, 4].map((number) => happened(number))]);
  });
  afterEach(() => store.close());
  const newest = (limit: number, from?: number) =>
    store.read(LONG, { direction: 'backwards', limit, ...(from !== undefined && { from }) } satisfies ReadOptions);

  it('is read from the file once, and is kept through appends', async () => {
    const [first] = await newest(1);
    expect((await newest(1))[0]).toBe(first);
    await store.append(LONG, 4, [happened(5)]);
    const [appended, before] = await newest(2);
    expect(before).toBe(first);
    expect(appended).toMatchObject({ revision: 5, data: { number: 5 } });
    expect((await newest(1))[0]).toBe(appended);
  });

  it('goes with the events that are erased', async () => {
    await newest(3);
    await store.truncateBefore(LONG, 4);
    expect((await newest(3)).map(({ revision }) => revision)).toEqual([4]);
    await store.setRetention(LONG, { maxAge: 60 });
    expect(await newest(3)).toHaveLength(1);
    clock.advance(60_001);
    expect(await newest(3)).toEqual([]);
    await store.tombstone(LONG);
    expect(await newest(1)).toEqual([]);
  });

  it('answers every read backwards as the file does', async () => {
    await store.read(LONG);
    for (let revision = 4; revision < 30; revision += 1) {
      for (const limit of [1, 2, 4, 9])
        for (const from of [undefined, 0, revision - 5, revision - 1, revision, revision + 1]) {
          const all = await store.read(LONG);
          const expected = from !== undefined && from > revision ? [] : all.slice(0, (from ?? revision) + 1).toReversed();
          expect((await newest(limit, from)).map((event) => event.revision)).toEqual(expected.slice(0, limit).map((event) => event.revision));
        }
      await store.append(LONG, revision, [happened(revision + 1)]);
    }
  });
});
