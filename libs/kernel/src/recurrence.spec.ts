import { jest } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Recurrence, recurUntil } from './recurrence.js';

const MINUTE = 60_000;

describe('Recurrence', () => {
  let clock: FixedClock;
  let times: number;
  let isMyTurn: boolean;
  let work: () => Promise<void>;

  beforeEach(() => {
    jest.useFakeTimers();
    clock = new FixedClock();
    times = 0;
    isMyTurn = true;
    work = async () => {
      times += 1;
      throw new Error('the disk is full');
    };
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const recurring = () => ({ clock, interval: MINUTE, work: () => work(), isMyTurn: () => isMyTurn });
  const started = (): AsyncDisposable & { readonly recurrence: Recurrence } => {
    const recurrence = new Recurrence(recurring());
    return { recurrence, [Symbol.asyncDispose]: () => recurrence.end() };
  };

  /** Moves the clock; then real time for one check passes. */
  const after = async (milliseconds: number): Promise<number> => {
    clock.advance(milliseconds);
    await jest.advanceTimersByTimeAsync(1_000);
    return times;
  };

  it('works at once, and once in each interval, although the work fails', async () => {
    await using _ = started();
    expect(times).toBe(1);
    expect([await after(MINUTE - 1), await after(1), await after(1), await after(MINUTE)]).toEqual([1, 2, 2, 3]);
  });

  it('works once for all the intervals that a moved clock has skipped', async () => {
    await using _ = started();
    expect([await after(100 * MINUTE), await after(1)]).toEqual([2, 2]);
  });

  it('goes on when the clock was set back', async () => {
    await using _ = started();
    expect([await after(-MINUTE), await after(MINUTE)]).toEqual([2, 3]);
  });

  it('works as soon as it is its turn, and counts the interval from then', async () => {
    isMyTurn = false;
    await using _ = started();
    expect(await after(MINUTE)).toBe(0);
    isMyTurn = true;
    expect([await after(1), await after(MINUTE - 1), await after(1)]).toEqual([1, 1, 2]);
  });

  it('does not start again while the work is under way, and its end waits for it', async () => {
    const underWay = Promise.withResolvers<void>();
    work = async () => {
      times += 1;
      await underWay.promise;
    };
    const { recurrence } = started();
    expect(await after(MINUTE)).toBe(1);
    let isEnded = false;
    const ended = recurrence.end().then(() => (isEnded = true));
    expect(await after(MINUTE)).toBe(1);
    expect(isEnded).toBe(false);
    underWay.resolve();
    await ended;
    expect(await after(MINUTE)).toBe(1);
  });

  it('ends at a signal, and does not begin after it', async () => {
    const stopping = new AbortController();
    const running = recurUntil(stopping.signal, recurring());
    expect(await after(MINUTE)).toBe(2);
    stopping.abort();
    await running;
    expect(await after(MINUTE)).toBe(2);
    await recurUntil(stopping.signal, recurring());
    expect(times).toBe(2);
  });
});
