import { describe, expect, it } from '@jest/globals';

import type { IdentityId } from '#kernel';

import { endToldTo, type Session } from './session.js';

const PERSON = 'b5a7d3de-2f5b-4d1c-9a53-6c8f1e0d4a11' as IdentityId;
const OTHER = '0d0d6b9b-7a53-4f0a-8f0e-1c3f0d0f2b22' as IdentityId;
const session = (parts: object): Session => parts as Session;

describe('what a phone is told about the end of a session', () => {
  const revoked = { status: 'CANCELLED', reason: 'DEVICE_REVOKED', scan: { identityId: PERSON } };

  it('is that the phone which had taken it was revoked, for the same person only', () => {
    expect(endToldTo(PERSON, session(revoked))).toBe('DEVICE_REVOKED');
    expect(endToldTo(OTHER, session(revoked))).toBeUndefined();
  });

  it.each([
    ['was cancelled for another reason', { ...revoked, reason: 'DECLINED' }],
    ['ended in another way', { ...revoked, status: 'EXPIRED' }],
    ['was not scanned by any phone', { status: 'CANCELLED', reason: 'DEVICE_REVOKED' }],
  ])('is nothing where it %s', (_, parts) => expect(endToldTo(PERSON, session(parts))).toBeUndefined());
});
