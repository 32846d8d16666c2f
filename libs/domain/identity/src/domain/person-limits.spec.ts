import { describe, expect, it } from '@jest/globals';

import { type ClientId, InvalidRequest } from '#kernel';

import { isBlocked, NO_LIMITS, type PersonLimits, waitAfterDecline, withBlocked, withDecline, withoutBlocked } from './person-limits.js';

const SHOP = 'shop' as ClientId;
const OTHER = 'other' as ClientId;
const NOW = 1_000_000_000;
const DAY = 24 * 3_600_000;

const wait = (limits: PersonLimits, now: number, clientId = SHOP) => waitAfterDecline(limits, clientId, { now, first: 60_000 });
const declined = (times: number): PersonLimits =>
  Array.from({ length: times }).reduce<PersonLimits>((limits) => withDecline(limits, SHOP, NOW), NO_LIMITS);

describe('the wait after a Decline', () => {
  it('is that of the client alone, and ends to the millisecond', () => {
    const limits = withDecline(NO_LIMITS, SHOP, NOW);
    expect(wait(limits, NOW)).toBe(60_000);
    expect(wait(limits, NOW + 59_999)).toBe(1);
    expect(wait(limits, NOW + 60_000)).toBe(0);
    expect(wait(limits, NOW, OTHER)).toBe(0);
  });

  it('doubles up to an hour', () => {
    expect([1, 2, 3, 7, 50].map((times) => wait(declined(times), NOW))).toEqual([60_000, 120_000, 240_000, 3_600_000, 3_600_000]);
  });

  it('begins anew after a day, and holds few clients', () => {
    expect(withDecline(declined(9), SHOP, NOW + DAY).declined).toEqual([{ clientId: SHOP, times: 1, at: NOW + DAY }]);
    const many = Array.from({ length: 300 }).reduce<PersonLimits>((limits, _, index) => withDecline(limits, `c${index}` as ClientId, NOW), NO_LIMITS);
    expect(many.declined).toHaveLength(100);
    expect(many.declined.at(-1)?.clientId).toBe('c299');
  });
});

describe('a blocked client', () => {
  it('stays blocked once, and changes nothing when it is repeated', () => {
    const limits = withBlocked(NO_LIMITS, { clientId: SHOP, at: NOW });
    expect(withBlocked(limits, { clientId: SHOP, at: NOW + 1 })).toBe(limits);
    const reported = withBlocked(limits, { clientId: SHOP, at: NOW + 1, reported: true });
    expect(reported.blocked).toEqual([{ clientId: SHOP, at: NOW, reported: true }]);
    expect(withBlocked(reported, { clientId: SHOP, at: NOW + 2, reported: true })).toBe(reported);
    expect([isBlocked(reported, SHOP), isBlocked(reported, OTHER)]).toEqual([true, false]);
    expect(withoutBlocked(reported, OTHER)).toBe(reported);
    expect(withoutBlocked(reported, SHOP).blocked).toEqual([]);
  });

  it('is refused beyond a thousand', () => {
    const full = Array.from({ length: 1_000 }).reduce<PersonLimits>(
      (limits, _, index) => withBlocked(limits, { clientId: `c${index}` as ClientId, at: NOW }),
      NO_LIMITS,
    );
    expect(() => withBlocked(full, { clientId: SHOP, at: NOW })).toThrow(InvalidRequest);
  });
});
