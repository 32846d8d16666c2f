import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { passed, rateLimitsContract } from '#testkit/rate-limit/rate-limits.contract';

import { MemoryRateLimits } from './memory-rate-limits.js';

const PUSHES = { name: 'pushes', times: 5, seconds: 600 };
const CALLS = { name: 'calls', times: 300, seconds: 60 };

describe('MemoryRateLimits', () => {
  rateLimitsContract(async () => new MemoryRateLimits());

  afterEach(() => void jest.useRealTimers());

  it('are open again when the window has ended', async () => {
    const clock = new FixedClock();
    const limits = new MemoryRateLimits(clock);
    expect(await passed(10, PUSHES, 'key', limits)).toBe(5);
    clock.advance(599_999);
    expect(await passed(10, PUSHES, 'key', limits)).toBe(0);
    clock.advance(1);
    expect(await passed(10, PUSHES, 'key', limits)).toBe(5);
  });

  it('keep no timer for a key, and forget the ended windows of a limit that counts nothing now', async () => {
    jest.useFakeTimers();
    const clock = new FixedClock();
    const limits = new MemoryRateLimits(clock);
    for (let subject = 0; subject < 5_000; subject += 1) await limits.take(PUSHES, `client ${subject}`, 'too many');
    expect([jest.getTimerCount(), limits.size]).toEqual([0, 5_000]);
    for (let minute = 0; minute <= 20; minute += 1) {
      await limits.take(CALLS, 'caller', 'too many');
      clock.advance(60_000);
    }
    await limits.take(CALLS, 'caller', 'too many');
    expect(limits.size).toBeLessThanOrEqual(2);
  });
});
