import { epochSeconds, SystemClock } from './clock.js';
import { FixedClock } from '#testkit/kernel/fixed-clock';

describe('FixedClock', () => {
  it('stands still until it is moved', () => {
    const clock = new FixedClock(1_000);
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
    clock.advance(500);
    expect(clock.now()).toBe(1_500);
  });
});

describe('SystemClock', () => {
  it('gives the time, and durations that only grow', () => {
    const clock = new SystemClock();
    const before = Date.now();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    const begun = clock.monotonic();
    expect(clock.monotonic()).toBeGreaterThanOrEqual(begun);
  });
});

describe('epochSeconds', () => {
  it('rounds down, so that an announced time is never later than the real one', () => {
    expect([0, 999, 1_000, 1_999].map(epochSeconds)).toEqual([0, 0, 1, 1]);
  });
});
