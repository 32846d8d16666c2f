import { jest } from '@jest/globals';

import { FixedClock } from '#kernel';

import { Recurrence } from './recurrence.js';

const MINUTE = 60_000;

describe('Recurrence', () => {
  let clock: FixedClock;
  let times: number;
  let recurrence: Recurrence;

  beforeEach(() => {
    jest.useFakeTimers();
    clock = new FixedClock();
    times = 0;
    recurrence = new Recurrence(clock, MINUTE, async () => {
      times += 1;
      throw new Error('the disk is full');
    });
  });
  afterEach(() => {
    recurrence.end();
    jest.useRealTimers();
  });

  /** Moves the clock; then real time for one check passes. */
  const after = (milliseconds: number): number => {
    clock.advance(milliseconds);
    jest.advanceTimersByTime(1_000);
    return times;
  };

  it('works at once, and once in each period, although the work fails', () => {
    expect(times).toBe(1);
    expect([after(MINUTE - 1), after(1), after(1), after(MINUTE)]).toEqual([1, 2, 2, 3]);
  });

  it('works once for all the periods that a moved clock has skipped', () => {
    expect([after(100 * MINUTE), after(1)]).toEqual([2, 2]);
  });

  it('goes on when the clock was set back', () => {
    expect([after(-MINUTE), after(MINUTE)]).toEqual([2, 3]);
  });

  it('does nothing once it is ended', () => {
    recurrence.end();
    expect(after(MINUTE)).toBe(1);
  });
});
