import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { type JsonObject } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { appendIdentified, event, events } from '#testkit/event-store/contract/fixture';
import { EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { folder, path, clock, store, useEventStore, reopen, stream, onDisk } from '#testkit/event-store/sqlite/event-store-on-disk';

describe('SqliteEventStore', () => {
  useEventStore();

  describe('one process at a time', () => {
    it('refuses a second opening of the same file, and says why', () => {
      expect(() => new SqliteEventStore({ path, clock })).toThrow(EventStoreUnavailable);
      expect(() => new SqliteEventStore({ path, clock })).toThrow(`${path} is held by another process`);
    });

    it('opens again once it is closed', async () => {
      await store.append(stream('a'), NO_STREAM, [event()]);
      await reopen();
      expect(await store.read(stream('a'))).toHaveLength(1);
    });

    it('refuses a file that is no database', () => {
      const other = join(folder, 'other.db');
      appendFileSync(other, 'this is a shopping list'.repeat(100));
      expect(() => new SqliteEventStore({ path: other, clock })).toThrow('file is not a database');
    });

    it('leaves no write-ahead log behind when it is closed', async () => {
      await store.append(stream('a'), NO_STREAM, [event()]);
      await store.close();
      expect(existsSync(`${path}-wal`)).toBe(false);
    });
  });

  it('stores one of many concurrent repetitions', async () => {
    const batch = events(2);
    const answers = await Promise.all(Array.from({ length: 20 }, () => appendIdentified(store, stream('a'), NO_STREAM, batch)));
    expect(new Set(answers.map(({ revision }) => revision))).toEqual(new Set([1]));
    expect(await store.read(stream('a'))).toHaveLength(2);
  });

  it('sweeps a stream again and again as its events expire, and its revision goes on', async () => {
    const log = stream('log');
    await store.setRetention(log, { maxAge: 60 });
    for (let revision = 0; revision < 20; revision += 1) {
      await store.append(log, revision === 0 ? NO_STREAM : revision - 1, [event({ text: `entry-${revision}-` })]);
      clock.advance(15_000);
      await store.sweep();
      const alive = [revision - 2, revision - 1, revision].filter((each) => each >= 0);
      expect((await store.read(log)).map((each) => each.revision)).toEqual(alive);
      expect((await store.read(log, { direction: 'backwards' })).map((each) => each.revision)).toEqual(alive.toReversed());
      expect(onDisk(`entry-${revision - 3}-`)).toBe(false);
      expect(onDisk(`entry-${revision - 2}-`)).toBe(revision >= 2);
    }
    clock.advance(60_000);
    await store.sweep();
    expect(await store.read(log)).toEqual([]);
    expect(onDisk('entry-')).toBe(false);
    await expect(store.append(log, NO_STREAM, [event()])).rejects.toMatchObject({ actual: 19 });
    expect(await store.append(log, 19, [event()])).toMatchObject({ revision: 20 });
    expect(await store.read(log)).toMatchObject([{ revision: 20 }]);
  });

  it('takes data as deep as JSON can be written', async () => {
    const data = { deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) as JsonObject };
    await store.append(stream('a'), NO_STREAM, [event(data)]);
    expect(JSON.stringify((await store.read(stream('a'), {}))[0]?.data)).toBe(JSON.stringify(data));
  });

  it('fails a subscription that is still open when the store is closed', async () => {
    const following = (async () => {
      for await (const item of store.subscribe({ categories: ['test'], signal: new AbortController().signal })) {
        if (item === 'caught-up') void store.close();
      }
    })();
    await expect(following).rejects.toBeInstanceOf(EventStoreUnavailable);
  });

  it('tells a subscription how far it is, also past foreign events that were stored while the consumer handled "caught-up"', async () => {
    const over = new AbortController();
    let reached = 0n;
    const items = store.subscribe({ categories: ['own'], signal: over.signal, reached: ({ position }) => (reached = position) });
    const subscription = items[Symbol.asyncIterator]();
    expect(await subscription.next()).toMatchObject({ value: 'caught-up' });
    await store.append(stream('foreign'), NO_STREAM, events(1_500));
    const waiting = subscription.next();
    await eventually(() => reached === 1_500n);
    over.abort();
    expect(await waiting).toMatchObject({ done: true });
  });

  describe('recent streams', () => {
    it('are the same frozen events until the stream changes', async () => {
      await store.append(stream('a'), NO_STREAM, [event({ deep: { list: [1] } })]);
      const read = await store.read(stream('a'));
      expect(await store.read(stream('a'))).toBe(read);
      expect(() => (read[0]!.data['deep'] as { list: number[] }).list.push(2)).toThrow(TypeError);
      await store.append(stream('a'), 0, [event()]);
      expect(read).toHaveLength(1);
      expect(await store.read(stream('a'))).toHaveLength(2);
    });

    it('equal the events in the file, whatever was done to the streams', async () => {
      const [one, other, gone] = [stream('one'), stream('other'), stream('gone')];
      const agree = async (): Promise<void> => {
        const read = () => Promise.all([one, other, gone].map((each) => store.read(each)));
        const recent = await read();
        await reopen();
        expect(recent).toEqual(await read());
      };
      await Promise.all([store.append(one, NO_STREAM, events(2)), store.append(gone, NO_STREAM, events(2)), store.truncateBefore(gone, 1)]);
      await agree();
      await Promise.all([store.append(one, 1, [event()]), store.append(one, 2, [event()]), store.append(gone, 1, [event()])]);
      await agree();
      await Promise.all([store.append(other, NO_STREAM, events(3)), store.setRetention(other, { maxCount: 2 }), store.append(other, 2, [event()])]);
      await agree();
      await store.append(other, 3, [event()]);
      await agree();
      await Promise.all(
        [store.append(one, 4, [event()]), store.tombstone(one), store.append(one, 5, [event()])].map((each) => each.catch(() => undefined)),
      );
      await agree();
      await Promise.all([store.setRetention(gone, { maxAge: 60 }), store.append(gone, 2, [event()])]);
      clock.advance(59_999);
      await store.append(gone, 3, [event()]);
      await agree();
      clock.advance(1);
      await agree();
      await store.append(gone, 4, [event({ not: undefined, nan: Number.NaN })]);
      await agree();
      expect(await store.read(gone)).toHaveLength(2);
    });

    it('stay unchanged when an append is refused', async () => {
      await store.append(stream('a'), NO_STREAM, [event()]);
      const read = await store.read(stream('a'));
      await expect(store.append(stream('a'), NO_STREAM, [event()])).rejects.toBeInstanceOf(WrongExpectedRevision);
      expect(await store.read(stream('a'))).toBe(read);
    });

    it('are no longer given out when their first event expires, to the millisecond', async () => {
      await store.setRetention(stream('a'), { maxAge: 60 });
      await store.append(stream('a'), NO_STREAM, [event()]);
      clock.advance(30_000);
      await store.append(stream('a'), 0, [event()]);
      clock.advance(29_999);
      expect(await store.read(stream('a'))).toHaveLength(2);
      clock.advance(1);
      expect(await store.read(stream('a'))).toHaveLength(1);
    });
  });
});
