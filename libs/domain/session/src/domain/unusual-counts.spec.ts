import { describe, expect, it } from '@jest/globals';

import { UnusualCounts } from './unusual-counts.js';

const WINDOW = 5 * 60_000;
/** More than half a window, so that a window cannot be counted from the wrong side of the start. */
const BEGAN = 170_000;
const DAY = 24 * 3_600_000;

/** Counts `times` scans in the window, and answers the counts that were reported. */
const counting = () => {
  const counts = new UnusualCounts(BEGAN);
  return (window: number, times: number, key = 'shop'): number[] =>
    Array.from({ length: times }, (_, at) => counts.add(key, BEGAN + window * WINDOW + (at % WINDOW))).filter((told) => told !== undefined);
};

describe('unusual counts of five minutes', () => {
  it('are reported once, by the count that exceeds three times that of the busiest five minutes before', () => {
    const count = counting();
    count(0, 100);
    expect(count(3, 290)).toEqual([]);
    // Three times 100. The memory of the 100 has faded a little in fifteen minutes.
    expect(count(3, 200)).toEqual([298]);
  });

  it('are not reported while the process learns', () => {
    const count = counting();
    expect([count(0, 500), count(1, 500), count(2, 500)]).toEqual([[], [], []]);
    expect(count(3, 500)).toEqual([]);
    expect([counting()(2, 60), counting()(3, 60)]).toEqual([[], [51]]);
  });

  it('are more than fifty for a new key', () => {
    const count = counting();
    expect(count(3, 50)).toEqual([]);
    expect(count(3, 1)).toEqual([51]);
  });

  it('do not include a morning, when each five minutes are up to three times as busy as those before', () => {
    const count = counting();
    expect([5, 14, 42, 120, 350, 1000, 2900].map((times, at) => count(10 + at, times))).toEqual(Array(7).fill([]));
  });

  it('become usual, and are reported again when the count exceeds even them', () => {
    const count = counting();
    expect(count(5, 100)).toEqual([51]);
    expect(count(6, 290)).toEqual([]);
    expect(count(6, 20)).toEqual([300]);
  });

  it('are forgotten within days: a count that was usual then is unusual now', () => {
    const count = counting();
    count(3, 200);
    const later = 3 + DAY / WINDOW;
    expect(count(later, 300)).toEqual([]);
    expect(count(later, 10)).toEqual([301]);
  });

  it('of one key do not hide those of another', () => {
    const count = counting();
    count(0, 10_000, 'large');
    expect(count(3, 60, 'small')).toEqual([51]);
  });

  it('are forgotten after ten thousand other keys: then the key is new again', () => {
    const count = counting();
    count(0, 100);
    for (let other = 0; other < 10_000; other++) count(1, 1, `other-${other}`);
    expect(count(3, 60)).toEqual([51]);
  });
});
