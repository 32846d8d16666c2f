import type { SessionId } from '#kernel';

import { afterRightPin, afterWrongPin, attemptsLeft, freshPin, type PinState } from './pin-ladder.js';

const HOUR = 3_600_000;
const now = Date.UTC(2026, 0, 1);
const proof = { keyId: 'pin', mac: 'stored' };
const [first, second] = ['s1', 's2'] as [SessionId, SessionId];

/** The state after one wrong PIN in each of so many sessions, a right PIN between every two, one millisecond apart. */
const afterSessions = (count: number): PinState =>
  Array.from({ length: count }, (_, index) => index).reduce(
    (pin, index) => afterRightPin(afterWrongPin(pin, `s${index}` as SessionId, now + index), proof, now + index),
    freshPin(proof),
  );

describe('the wrong PINs of a session', () => {
  it('count for one hour', () => {
    const pin = afterWrongPin(freshPin(proof), first, now);
    expect(afterRightPin(pin, proof, now + HOUR - 1).wrongTries).toEqual([{ sessionId: first, at: now }]);
    expect(afterRightPin(pin, proof, now + HOUR).wrongTries).toEqual([]);
  });

  it('do not lock the device together with wrong PINs of the same session an hour before', () => {
    const twice = afterWrongPin(afterWrongPin(freshPin(proof), first, now), first, now);
    const reset = afterRightPin(twice, proof, now + 1);
    expect(afterWrongPin(reset, first, now + HOUR - 1).lock).toEqual({ sessionId: first, until: now + HOUR - 1 + 3 * HOUR });
    expect(afterWrongPin(reset, first, now + HOUR).lock).toBeUndefined();
  });

  it('are stored up to the newest 32', () => {
    expect(afterSessions(32).wrongTries).toHaveLength(32);
    const { wrongTries } = afterSessions(33);
    expect(wrongTries).toHaveLength(32);
    expect([wrongTries[0], wrongTries.at(-1)]).toMatchObject([{ sessionId: 's1' }, { sessionId: 's32' }]);
  });
});

describe('the attempts left', () => {
  it('are counted by the worse of the two counts: in a row, and of the session', () => {
    const once = afterWrongPin(freshPin(proof), first, now);
    expect([attemptsLeft(once, first), attemptsLeft(once, second)]).toEqual([2, 2]);
    const reset = afterRightPin(once, proof, now);
    expect([attemptsLeft(reset, first), attemptsLeft(reset, second)]).toEqual([2, 3]);
  });

  it('are none once the device is locked', () => {
    const locked = [1, 2, 3].reduce((pin) => afterWrongPin(pin, first, now), freshPin(proof));
    expect(attemptsLeft(locked, first)).toBe(0);
  });
});
