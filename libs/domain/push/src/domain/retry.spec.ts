import { nextAttempt } from './retry.js';

const AT = 1_000_000;
const wait = (elapsed: number, more: { expiresIn?: number; retryAfter?: number } = {}): number | undefined => {
  const { expiresIn = 3_600_000, ...asked } = more;
  const now = AT + elapsed;
  const next = nextAttempt({ now, at: AT, expiresAt: now + expiresIn, ...asked });
  return next === undefined ? undefined : next - now;
};

describe('a push that failed is tried again', () => {
  it.each([
    [0, 2_000],
    [2_000, 2_000],
    [2_001, 2_001],
    [60_000, 60_000],
    [60_001, 60_000],
  ])('%i ms after the first attempt: in %i ms, between two seconds and a minute', (elapsed, expected) => {
    expect(wait(elapsed)).toBe(expected);
  });

  it('when the push service asks for it, but no sooner', () => {
    expect([wait(0, { retryAfter: 90_000 }), wait(0, { retryAfter: 1 })]).toEqual([90_000, 2_000]);
  });

  it('unless the session has ended by then', () => {
    expect([wait(0, { expiresIn: 2_001 }), wait(0, { expiresIn: 2_000 })]).toEqual([2_000, undefined]);
  });
});
