import { type EventId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { NO_STREAM, type RecordedEvent, type StreamName, streamName } from '../event-store.js';
import { openEventDatabase } from './database.js';
import { EventLog } from './event-log.js';
import { recentEvent } from './recorded-event.js';
import { SqliteEventStore } from './sqlite-event-store.js';
import { prepareStatements, type EventStatements } from './statements.js';

describe('EventLog', () => {
  const randomness = new SystemRandomness();
  const [one, other] = [streamName('one', randomness.uuid()), streamName('other', randomness.uuid())];
  let statements: EventStatements;
  let log: EventLog;
  /** How often the file was read. */
  let fileReads: number;

  beforeEach(() => {
    const prepared = prepareStatements(openEventDatabase(':memory:'));
    fileReads = 0;
    statements = { ...prepared, category: (...selection) => ((fileReads += 1), prepared.category(...selection)) };
    log = new EventLog(statements, 10_000);
  });

  /** Stores events and tells the log. */
  const happen = (stream: StreamName, count = 1, text = ''): void => {
    const row = statements.stream(stream) ?? statements.createStream(stream);
    let { revision } = row;
    const rows = Array.from({ length: count }, () => {
      const event = {
        id: randomness.uuid<EventId>(),
        type: 'Happened',
        metadata: '{"v":1}',
        data: JSON.stringify({ text }),
        at: 0,
        revision: ++revision,
      };
      return { ...event, maxAge: null, position: statements.insert({ ...event, stream: row.id }) };
    });
    statements.advance({ id: row.id, revision, at: 0 });
    log.add(
      stream,
      rows.map((each) => recentEvent(stream, each)),
    );
  };

  /** Everything that a subscription gets. */
  const follow = (categories: readonly string[], after = 0): RecordedEvent[] => {
    const events: RecordedEvent[] = [];
    while (after < log.last) {
      const batch = log.next(categories, after);
      expect(batch.through).toBeGreaterThan(after);
      events.push(...batch.events);
      after = batch.through;
    }
    return events;
  };

  const positions = (events: readonly RecordedEvent[]): number[] => events.map(({ position }) => Number(position));
  const numbers = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  it('hands the same new events to all subscriptions, without reading the file', () => {
    happen(one, 3);
    happen(other, 2);
    const [first, second] = [follow(['one']), follow(['one', 'other'])];
    expect(positions(first)).toEqual([1, 2, 3]);
    expect(positions(second)).toEqual([1, 2, 3, 4, 5]);
    for (const [index, event] of first.entries()) expect(event).toBe(second[index]);
    expect(fileReads).toBe(0);
  });

  it('passes over many events of other categories in few reads, and hands over events of its own in small batches', () => {
    happen(other, 10_000, 'x'.repeat(20));
    happen(one);
    expect(positions(follow(['one']))).toEqual([10_001]);
    expect(fileReads).toBeLessThanOrEqual(2);
    expect(log.next(['other'], 0)).toMatchObject({ events: { length: 500 }, through: 500 });
  });

  describe('a subscription that waits', () => {
    const never = new AbortController().signal;
    /** Whether the wait for these categories has ended by now. */
    const ended = (categories: readonly string[]): (() => Promise<boolean>) => {
      let isOver = false;
      void log
        .waiter(categories, never)
        .wait()
        .then(() => (isOver = true));
      return async () => {
        await new Promise(setImmediate);
        return isOver;
      };
    };

    it('is woken by the events of its categories alone', async () => {
      const [first, both, second] = [ended(['one']), ended(['other', 'one']), ended(['other'])];
      happen(one);
      log.notify();
      expect([await first(), await both(), await second()]).toEqual([true, true, false]);
      log.notify();
      expect(await second()).toBe(false);
      happen(other);
      log.notify();
      expect(await second()).toBe(true);
    });

    it('is woken now and then all the same, and passes foreign events without a read of the file', async () => {
      const waiting = ended(['other']);
      for (let count = 0; count < 499; count += 1) {
        happen(one);
        log.notify();
      }
      expect(await waiting()).toBe(false);
      happen(one);
      log.notify();
      expect(await waiting()).toBe(true);
      expect([log.has(['other'], 0), log.has(['one', 'other'], 0), log.has(['one'], 500)]).toEqual([false, true, false]);
      expect(follow(['other'])).toEqual([]);
      expect(fileReads).toBe(0);
    });

    it('is woken when the log closes, and when its signal is given', async () => {
      const closed = ended(['one']);
      log.close();
      expect(await closed()).toBe(true);
      const stop = new AbortController();
      const waiter = log.waiter(['one'], stop.signal);
      const waiting = waiter.wait();
      stop.abort();
      await expect(waiting).resolves.toBeUndefined();
      await expect(waiter.wait()).resolves.toBeUndefined();
      await expect(log.waiter(['one'], stop.signal).wait()).resolves.toBeUndefined();
    });

    it('waits again after each time, until it leaves', async () => {
      const waiter = log.waiter(['one'], never);
      for (let time = 0; time < 2; time += 1) {
        const waiting = waiter.wait();
        happen(one);
        log.notify();
        await expect(waiting).resolves.toBeUndefined();
      }
      const waiting = waiter.wait();
      waiter.leave();
      await expect(waiting).resolves.toBeUndefined();
      await expect(waiter.wait()).resolves.toBeUndefined();
    });
  });

  it('looks for older events of a category in the file', () => {
    happen(other, 2);
    const later = new EventLog(statements, 10_000);
    expect([later.has(['one'], 0), later.has(['other'], 0), later.has(['other'], 2)]).toEqual([true, true, false]);
    expect(positions([...later.next(['other'], 0).events])).toEqual([1, 2]);
  });

  it('reads events from the file when memory has no room for them, and hands over each exactly once', () => {
    for (let round = 0; round < 200; round += 1) happen(round % 2 ? one : other, 1 + (round % 3));
    const all = numbers(1, log.last);
    for (let after = 0; after <= log.last; after += 1) expect(positions(follow(['one', 'other'], after))).toEqual(all.slice(after));
    expect(fileReads).toBeGreaterThan(0);
    fileReads = 0;
    follow(['one'], log.last - 1);
    expect(fileReads).toBe(0);
  });

  it('does not keep an event that is larger than the limit', () => {
    happen(one, 1, 'x'.repeat(20_000));
    happen(one);
    expect(positions(follow(['one']))).toEqual([1, 2]);
    expect(fileReads).toBe(1);
  });

  it('hands over a long history in batches', () => {
    const large = new EventLog(statements);
    log = large;
    for (let round = 0; round < 12; round += 1) happen(one, 100);
    expect(large.next(['one'], 0)).toMatchObject({ through: 500, events: { length: 500 } });
    expect(large.next(['other'], 0)).toEqual({ through: 1_200, events: [] });
    expect(large.next(['one'], 1_000)).toMatchObject({ through: 1_200, events: { length: 200 } });
    expect(positions(follow(['one']))).toEqual(numbers(1, 1_200));
  });

  it('does not hand over an erased stream, and goes on after it', () => {
    happen(one, 2);
    happen(other, 1);
    happen(one, 2);
    log.forget(one);
    expect(positions(follow(['one', 'other']))).toEqual([3]);
    log.forget(other);
    expect(follow(['one', 'other'])).toEqual([]);
    happen(one, 1);
    expect(positions(follow(['one', 'other'], 2))).toEqual([6]);
  });

  it('looks only at the events of the stream that is erased', () => {
    happen(one);
    let looked = 0;
    const recent = recentEvent(other, {
      id: randomness.uuid(),
      type: 'Happened',
      metadata: '{"v":1}',
      data: '{}',
      at: 0,
      revision: 0,
      position: 2,
      maxAge: null,
    });
    const look = <Value>(value: Value): Value => ((looked += 1), value);
    const event = new Proxy(recent.event, { get: (target, name) => look(Reflect.get(target, name)) });
    log.add(other, [{ ...recent, event }]);
    looked = 0;
    log.forget(one);
    log.forget(streamName('one', randomness.uuid()));
    expect(looked).toBe(0);
    log.forget(other);
    expect(looked).toBeGreaterThan(0);
  });

  it('hands over no event that a sweep has erased, and all others', async () => {
    const clock = new FixedClock();
    const store = new SqliteEventStore({ path: ':memory:', clock });
    const append = (expected: number | typeof NO_STREAM) => store.append(one, expected, [{ type: 'Happened', data: {} }]);
    await store.setRetention(one, { maxAge: 60 });
    await append(NO_STREAM);
    clock.advance(30_000);
    await append(0);
    clock.advance(30_000);
    await store.sweep();
    await append(1);
    const revisions: number[] = [];
    const leave = new AbortController();
    for await (const item of store.subscribe({ categories: ['one'], signal: leave.signal })) {
      if (item === 'caught-up') leave.abort();
      else revisions.push(item.revision);
    }
    expect(revisions).toEqual([1, 2]);
    await store.close();
  });

  it('hands over the same objects that reads return', async () => {
    const store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    await store.append(one, NO_STREAM, [{ type: 'Happened', data: { list: [1] } }]);
    const [event] = await store.read(one);
    const leave = new AbortController();
    for await (const item of store.subscribe({ categories: ['one'], signal: leave.signal })) {
      expect(item).toBe(event);
      leave.abort();
    }
    expect(Object.isFrozen(event?.data['list'])).toBe(true);
    await store.close();
  });
});
