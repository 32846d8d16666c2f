import { FixedClock } from '#testkit/kernel/fixed-clock';

import { type EventStore, NO_STREAM, SqliteEventStore, streamName } from '../index.js';
import { MARK_INTERVAL, MarkWriter } from './mark-writer.js';
import { MARK_STREAM } from './streams.js';

describe('the writer of marks', () => {
  const signal = new AbortController().signal;
  let clock: FixedClock;
  let store: EventStore;
  let sessions: number;

  beforeEach(() => {
    clock = new FixedClock();
    sessions = 0;
    store = new SqliteEventStore({ path: ':memory:', clock });
  });
  afterEach(() => store.close());

  const writer = (): MarkWriter => new MarkWriter({ store, clock, categories: ['session'] });
  const session = async (): Promise<unknown> =>
    store.append(streamName('session', `${sessions++}`), NO_STREAM, [{ type: 'SessionCreated', data: {} }]);
  const marks = async (): Promise<number> => (await store.read(MARK_STREAM)).length;

  it('writes one mark in each interval, however many sessions and writers there are', async () => {
    const writers = [writer(), writer(), writer()];
    for (let interval = 0; interval < 10; interval++) {
      for (let step = 0; step < 6; step++) {
        for (let number = 0; number < 20; number++) await session();
        await Promise.all(writers.map((one) => one.write(signal)));
        clock.advance(MARK_INTERVAL / 6);
      }
    }
    expect([sessions, await marks()]).toEqual([1_200, 10]);
  });

  it('writes none while nothing is stored: an idle store does not grow', async () => {
    await writer().write(signal);
    expect(await marks()).toBe(0);
    await session();
    for (let interval = 0; interval < 5; interval++) {
      await writer().write(signal);
      clock.advance(MARK_INTERVAL);
    }
    expect(await marks()).toBe(1);
    await store.append(streamName('relay', 'topic'), NO_STREAM, [{ type: 'Relayed', data: {} }]);
    await writer().write(signal);
    expect(await marks()).toBe(1);
  });

  it('writes the time and the history to which the mark belongs', async () => {
    await session();
    await writer().write(signal);
    await store.append(MARK_STREAM, 0, [{ type: 'RestorationNoted', data: { at: clock.now() } }]);
    clock.advance(MARK_INTERVAL);
    await session();
    await writer().write(signal);
    const [first, note, second] = await store.read(MARK_STREAM);
    expect(first?.data).toEqual({ at: clock.now() - MARK_INTERVAL, history: '' });
    expect(second?.data).toEqual({ at: clock.now(), history: note!.id });
  });
});
