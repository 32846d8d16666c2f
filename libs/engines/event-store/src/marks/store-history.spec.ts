import { readFile } from 'node:fs/promises';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';

import { type EventStore, EventStoreUnavailable, ForwardingEventStore, NO_STREAM, SqliteEventStore, streamName } from '../index.js';
import { StoreHistory } from './store-history.js';
import { MARK_STREAM, type MarkEvent, MARKS } from './streams.js';

const GOLDEN = JSON.parse(await readFile(new URL('marks.v1.json', import.meta.url), 'utf8')) as MarkEvent[];

/** A store whose connection is interrupted when the test says so. */
class InterruptedStore extends ForwardingEventStore {
  interruptions = 0;
  failures = 0;

  override get continuity(): number {
    return this.interruptions;
  }

  override async append(...args: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new EventStoreUnavailable('not now');
    }
    return super.append(...args);
  }
}

describe('the history of a store', () => {
  const clock = new FixedClock();
  let sqlite: EventStore;
  let store: InterruptedStore;
  let leave: AbortController;
  let changes: number;
  let noted: number;

  beforeEach(() => {
    [changes, noted] = [0, 0];
    sqlite = new SqliteEventStore({ path: ':memory:', clock });
    store = new InterruptedStore(sqlite);
    leave = new AbortController();
  });
  afterEach(async () => {
    leave.abort();
    await sqlite.close();
  });

  const follow = async (): Promise<StoreHistory> => {
    const parts = { changed: () => void (changes += 1), noted: () => void (noted += 1), pause: async () => undefined };
    const history = new StoreHistory({ store, clock, ...parts });
    void history.run(leave.signal);
    await history.known;
    return history;
  };
  const notes = async (): Promise<number> => (await store.read(MARK_STREAM)).filter(({ type }) => type === 'RestorationNoted').length;

  it('is the first one until a restoration is noted, and all processes learn of the next one', async () => {
    const [one, other] = [await follow(), await follow()];
    expect([one.id, other.id]).toEqual(['', '']);
    await one.restored(undefined);
    await eventually(() => other.id !== '');
    const [note] = await store.read(MARK_STREAM);
    expect([one.id, other.id, changes, noted]).toEqual([note!.id, note!.id, 2, 1]);
  });

  it('is told to a process that starts later, also by a mark after the note', async () => {
    await (await follow()).restored(undefined);
    const [note] = await store.read(MARK_STREAM);
    await store.append(MARK_STREAM, 0, [{ type: 'Marked', data: { at: 1, history: note!.id } }]);
    const later = await follow();
    expect([later.id, changes]).toEqual([note!.id, 1]);
  });

  it('is read from the events as version 1 stores them', async () => {
    expect(new Set(GOLDEN.map(({ type }) => type))).toEqual(MARKS.terms.events.types);
    const told: (string | undefined)[] = [];
    for (const [index, event] of GOLDEN.entries()) {
      const { ids } = await store.append(MARK_STREAM, index === 0 ? NO_STREAM : index - 1, [event]);
      told.push((await follow()).id?.replace(ids[0]!, 'its own'));
    }
    expect(told).toEqual(['', 'its own', '11111111-1111-4111-8111-111111111111']);
  });

  it('is noted once for one restoration, however many readers and processes find it', async () => {
    const histories = [await follow(), await follow(), await follow()];
    store.interruptions += 1;
    await Promise.all(histories.flatMap((history) => [history.restored(undefined), history.restored({ position: 0n, id: 'x' as never })]));
    for (const history of histories) await history.restored(undefined);
    await (await follow()).restored(undefined);
    expect([await notes(), noted]).toEqual([1, 1]);
  });

  it('is noted again after the next restoration, also where the copy holds the note of the one before', async () => {
    const history = await follow();
    for (let restoration = 1; restoration <= 3; restoration++) {
      store.interruptions += 1;
      await history.restored(undefined);
      expect(await notes()).toBe(restoration);
    }
    const [, second, third] = await store.read(MARK_STREAM);
    // A reader whose last known place lies after the second note has found the third restoration.
    const later = await follow();
    await later.restored(second);
    expect([later.id, await notes()]).toEqual([third!.id, 3]);
    await later.restored(third);
    expect(await notes()).toBe(4);
  });

  it('is noted when the store is available again', async () => {
    const history = await follow();
    await store.append(streamName('session', 'a'), NO_STREAM, [{ type: 'SessionCreated', data: {} }]);
    store.failures = 3;
    await history.restored(undefined);
    expect([await notes(), store.failures]).toEqual([1, 0]);
  });
});
