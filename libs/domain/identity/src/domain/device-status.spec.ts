import type { SessionId } from '#kernel';

import { deviceStatus, isGone } from './device-status.js';
import type { PinState } from './pin-ladder.js';

const NOW = Date.UTC(2026, 0, 1);
const SESSION = 's' as SessionId;
const enrolled = (lock?: PinState['lock']) => {
  const proof = { keyId: 'pin', mac: 'mac' };
  return { status: 'ENROLLED', pin: { proof, wrongInRow: 0, wrongTries: [], ...(lock && { lock }) } } as const;
};

describe('the status of a phone', () => {
  it('is ACTIVE once it is enrolled', () => expect(deviceStatus(enrolled(), NOW)).toEqual({ status: 'ACTIVE' }));

  it.each(['NONE', 'REVOKED'] as const)('is REVOKED for one that is %s', (status) => {
    expect(deviceStatus({ status }, NOW)).toEqual({ status: 'REVOKED' });
  });

  it('is LOCKED until the end of the lock, with the session whose wrong PINs locked it', () => {
    const locked = enrolled({ sessionId: SESSION, until: NOW + 1 });
    expect(deviceStatus(locked, NOW)).toEqual({ status: 'LOCKED', lockedBy: SESSION, lockedUntil: NOW + 1 });
    expect(deviceStatus(locked, NOW + 1)).toEqual({ status: 'ACTIVE' });
  });

  it('is LOCKED for good without an end', () => {
    expect(deviceStatus(enrolled({ sessionId: SESSION }), NOW)).toStrictEqual({ status: 'LOCKED', lockedBy: SESSION });
  });
});

describe('a phone is gone', () => {
  it.each([
    ['ACTIVE', undefined, false],
    ['LOCKED', NOW + 1, false],
    ['LOCKED', undefined, true],
    ['REVOKED', undefined, true],
  ] as const)('%s until %s: %s', (status, lockedUntil, gone) => {
    expect(isGone({ status, ...(lockedUntil !== undefined && { lockedUntil }) })).toBe(gone);
  });
});
