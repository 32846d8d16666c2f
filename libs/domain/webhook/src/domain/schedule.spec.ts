import { describe, expect, it } from '@jest/globals';

import { nextWait, scheduleOf } from './schedule.js';

const middle = { random: 0.5 };

describe('the schedules', () => {
  it.each(['session.scanned', 'session.confirmed'])('tries %s after 0, 1, 3, 8 and 20 seconds, then lets it lapse', (type) => {
    const schedule = scheduleOf(type);
    expect([0, 1, 2, 3, 4, 5].map((attempts) => nextWait(schedule, { attempts, ...middle }))).toEqual([0, 1000, 3000, 8000, 20_000, undefined]);
    expect(schedule.end).toBe('lapsed');
  });

  it.each(['session.completed', 'session.cancelled', 'session.expired', 'endpoint.ping'])(
    'tries %s for three days, then gives it up as exhausted',
    (type) => {
      const schedule = scheduleOf(type);
      expect(schedule.waits).toHaveLength(10);
      expect(nextWait(schedule, { attempts: 9, ...middle })).toBe(24 * 3_600_000);
      expect(nextWait(schedule, { attempts: 10, ...middle })).toBeUndefined();
      expect(schedule.end).toBe('exhausted');
    },
  );

  it('spreads a step by 20 % to both sides', () => {
    const schedule = scheduleOf('session.completed');
    expect([0, 1].map((random) => nextWait(schedule, { attempts: 1, random }))).toEqual([4000, 6000]);
  });

  it.each([
    [1, 5000],
    [7000, 7000],
    [60_000, 60_000],
    [7_200_000, 7_200_000],
    [7_200_001, 7_200_000],
    [Infinity, 7_200_000],
  ])('turns a Retry-After of %d ms into a wait of %d ms', (retryAfter, wait) =>
    expect(nextWait(scheduleOf('session.completed'), { attempts: 1, retryAfter, ...middle })).toBe(wait),
  );

  it('keeps its own step where that is longer than the two hours that a receiver may ask for', () =>
    expect(nextWait(scheduleOf('session.completed'), { attempts: 5, retryAfter: 86_400_000, ...middle })).toBe(5 * 3_600_000));

  it('counts Retry-After of a message that a page waits for, too', () =>
    expect(nextWait(scheduleOf('session.scanned'), { attempts: 1, retryAfter: 60_000, ...middle })).toBe(60_000));
});
