import { describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { Breaker } from './breaker.js';

describe('a breaker', () => {
  it('lets no call through for a while after a failure, then one at a time, and all after a success', () => {
    const clock = new FixedClock();
    const breaker = new Breaker(clock, 1_000);
    expect([breaker.mayCall(), breaker.mayCall(), breaker.isClosed]).toEqual([true, true, true]);
    breaker.failed();
    clock.advance(999);
    expect([breaker.mayCall(), breaker.isClosed]).toEqual([false, false]);
    clock.advance(1);
    expect([breaker.mayCall(), breaker.mayCall()]).toEqual([true, false]);
    breaker.failed();
    expect(breaker.mayCall()).toBe(false);
    clock.advance(1_000);
    expect(breaker.mayCall()).toBe(true);
    breaker.succeeded();
    expect([breaker.mayCall(), breaker.mayCall(), breaker.isClosed]).toEqual([true, true, true]);
  });
});
