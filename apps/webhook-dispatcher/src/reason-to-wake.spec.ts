import { describe, expect, it } from '@jest/globals';

import type { RecordedEvent } from '#engines/event-store';

import { reasonOf, type Waking } from './reason-to-wake.js';

const event = (stream: string, type: string, data: object) => ({ id: 'e1', stream, type, data }) as unknown as RecordedEvent<Waking>;
const pushed = (more: object) => event('inbox-p1', 'SessionPushed', { at: 1, expiresAt: 9, ...more });

describe('the reasons to wake the phones of a person', () => {
  it('are a session in the inbox', () => {
    expect(reasonOf(pushed({}))).toEqual({ eventId: 'e1', identityId: 'p1', at: 1, expiresAt: 9 });
  });

  it('are no session beyond the limit of the person', () => {
    expect(reasonOf(pushed({ quiet: true }))).toBeUndefined();
  });

  it('are a code for another phone of a person with power in the portal, and of no other person', () => {
    const code = (more: object) => event('identity-p1', 'ActivationCodeIssued', { at: 1, expiresAt: 9, ...more });
    expect(reasonOf(code({ forMember: true }))).toMatchObject({ identityId: 'p1', reason: 'NEW_CODE' });
    expect(reasonOf(code({}))).toBeUndefined();
  });

  it('are another phone, and nothing else that happens to a person', () => {
    expect(reasonOf(event('identity-p1', 'DeviceAdded', { at: 1, deviceId: 'd1' }))).toMatchObject({
      identityId: 'p1',
      reason: 'NEW_DEVICE',
      newDevice: 'd1',
    });
    expect(reasonOf(event('identity-p1', 'IdentityRegistered', { at: 1 }))).toBeUndefined();
  });
});
