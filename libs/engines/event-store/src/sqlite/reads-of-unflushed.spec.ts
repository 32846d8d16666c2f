import { setImmediate as nextTurn } from 'node:timers/promises';

import { DatabaseFiles } from '#engines/sqlite';
import { event, events } from '#testkit/event-store/contract/fixture';
import { clock, path, store, stream, useEventStore } from '#testkit/event-store/sqlite/event-store-on-disk';

import { EventStoreUnavailable, NO_STREAM } from '../event-store.js';
import { MARK_STREAM } from '../marks/streams.js';
import { SqliteEventStore } from './sqlite-event-store.js';

describe('a read of the SQLite store', () => {
  useEventStore();
  let slow: SqliteEventStore;
  /** Of the flush under way, once {@link hold} was called. */
  let flush: PromiseWithResolvers<void> | undefined;
  let begun: PromiseWithResolvers<void>;

  class HeldFiles extends DatabaseFiles {
    override flushLog(): Promise<void> {
      begun?.resolve();
      return flush?.promise ?? Promise.resolve();
    }
  }

  beforeEach(async () => {
    await store.append(stream('a'), NO_STREAM, events(2));
    await store.append(stream('gone'), NO_STREAM, [event()]);
    await store.append(MARK_STREAM, NO_STREAM, [event()]);
    await store.close();
    flush = undefined;
    slow = new SqliteEventStore({
      path,
      clock,
      files: (database) => new HeldFiles(database),
    });
  });
  afterEach(() => slow.close());

  /** Begins the work, and answers it once its commit waits for the disk. */
  const hold = async <Result>(work: () => Promise<Result>): Promise<{ readonly result: Promise<Result> }> => {
    [flush, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const result = work();
    result.catch(() => undefined);
    await begun.promise;
    return { result };
  };
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  };

  it('waits for the flush of the commit that it would see, and then finds each event once', async () => {
    const { result } = await hold(() => slow.append(stream('a'), 1, events(1)));
    const read: number[] = [];
    const reading = [slow.read(stream('a')), slow.read(stream('a'), { direction: 'backwards', limit: 8 })].map((found) =>
      found.then(({ length }) => read.push(length)),
    );
    await turns();
    expect(read).toEqual([]);
    flush!.resolve();
    await Promise.all([result, ...reading]);
    expect(read).toEqual([3, 3]);
    expect((await slow.read(stream('a'))).map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect((await slow.read(stream('a'), { direction: 'backwards', limit: 8 })).map(({ revision }) => revision)).toEqual([2, 1, 0]);
  });

  it('answers at once what memory has, as it was before the commit', async () => {
    const before = await slow.read(stream('a'));
    const { result } = await hold(() => slow.append(stream('a'), 1, events(1)));
    expect([await slow.read(stream('a')), slow.recent(stream('a'))]).toEqual([before, before]);
    flush!.resolve();
    await result;
    expect(await slow.read(stream('a'))).toHaveLength(3);
  });

  it('takes no stream for gone before that is on disk', async () => {
    const { result } = await hold(() => slow.tombstone(stream('gone')));
    const answers: unknown[] = [];
    const asking = Promise.all([slow.exists(stream('gone')), slow.read(stream('gone'))]).then((found) => answers.push(...found));
    await turns();
    expect(answers).toEqual([]);
    flush!.resolve();
    await Promise.all([result, asking]);
    expect(answers).toEqual([true, []]);
  });

  it('of the marks, which cannot wait, leaves nothing in memory that the commit adds again', async () => {
    const { result } = await hold(() => slow.append(MARK_STREAM, 0, [event()]));
    slow.marksUpTo(100n);
    flush!.resolve();
    await result;
    await slow.append(MARK_STREAM, 1, [event()]);
    expect((await slow.read(MARK_STREAM, { direction: 'backwards', from: 2, limit: 1 })).map(({ revision }) => revision)).toEqual([2]);
  });

  it('is refused after a flush that failed, and so is every write: nobody can tell what is on disk', async () => {
    const { result } = await hold(() => slow.append(stream('a'), 1, events(1)));
    const reading = slow.read(stream('a'));
    reading.catch(() => undefined);
    flush!.reject(new Error('EIO'));
    await expect(result).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(reading).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(slow.check()).rejects.toMatchObject({ reason: expect.stringContaining('has to be started anew') });
    await expect(slow.append(stream('a'), 1, [event()])).rejects.toBeInstanceOf(EventStoreUnavailable);
  });
});
