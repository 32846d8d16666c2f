import type { DeviceId } from '#kernel';
import { deciderSpec } from '#kernel/testing';

import { identityDecider } from './identity.decider.js';
import type { IdentityEvent } from './identity.events.js';

const given = deciderSpec(identityDecider);
const now = Date.UTC(2026, 0, 1);
const ttl = 900_000;
const deviceId = 'd1' as DeviceId;
const registered: IdentityEvent = { type: 'IdentityRegistered', data: { at: now } };
const issued: IdentityEvent = { type: 'ActivationCodeIssued', data: { at: now, expiresAt: now + ttl } };
const added: IdentityEvent = { type: 'DeviceAdded', data: { at: now, deviceId, grantId: 'event-1' } };
const erased: IdentityEvent = { type: 'IdentityErased', data: { at: now } };
const completed: IdentityEvent = { type: 'ErasureCompleted', data: { at: now } };
const sessionsErased: IdentityEvent = { type: 'SessionsErased', data: { at: now } };
const addDevice = { type: 'AddDevice', now, deviceId, grantId: 'event-1' } as const;

describe('given nothing', () => {
  it('registers an identity', () => {
    given().when({ type: 'RegisterIdentity', now }).then(registered);
  });

  it('refuses every command but a registration', () => {
    given().when({ type: 'IssueActivationCode', now, ttl }).refuses('identity_not_found', 'identity is NONE');
    given().when({ type: 'EraseIdentity', now }).refuses('identity_not_found', 'no such identity');
    given()
      .when({ ...addDevice, grantId: undefined })
      .refuses('invalid_activation_code', 'identity is NONE');
    given().when({ type: 'CompleteErasure', now }).nothing();
  });
});

describe('given a registered identity', () => {
  it('is registered once', () => {
    given(registered).when({ type: 'RegisterIdentity', now }).nothing();
  });

  it('issues activation codes, several at a time', () => {
    given(registered, issued).when({ type: 'IssueActivationCode', now, ttl }).then(issued);
  });

  it('adds one device for each grant', () => {
    given(registered, issued).when(addDevice).then(added);
    given(registered, issued, added).when(addDevice).refuses('invalid_activation_code', 'already used');
    given(registered, issued, issued, added)
      .when({ ...addDevice, grantId: 'event-2' })
      .then({ ...added, data: { at: now, deviceId, grantId: 'event-2' } });
  });

  it('adds no device for a forged or expired code', () => {
    given(registered, issued)
      .when({ ...addDevice, grantId: undefined })
      .refuses('invalid_activation_code', 'forged');
    given(registered, issued)
      .when({ ...addDevice, grantId: 'event-0' })
      .refuses('invalid_activation_code', 'forged');
    given(registered, issued)
      .when({ ...addDevice, now: now + ttl - 1 })
      .then({ ...added, data: { ...added.data, at: now + ttl - 1 } } as IdentityEvent);
    given(registered, issued)
      .when({ ...addDevice, now: now + ttl })
      .refuses('invalid_activation_code', 'expired');
  });

  it('is erased', () => {
    given(registered, issued, added).when({ type: 'EraseIdentity', now }).then(erased);
  });
});

describe('given an erased identity', () => {
  it('is not registered again', () => {
    given(registered, erased).when({ type: 'RegisterIdentity', now }).refuses('identity_exists', 'identity is ERASED');
  });

  it('resumes an interrupted erasure and completes it once', () => {
    given(registered, erased).when({ type: 'EraseIdentity', now }).nothing();
    given(registered, erased).when({ type: 'CompleteErasure', now }).then(completed);
    given(registered, erased, completed).when({ type: 'CompleteErasure', now }).nothing();
  });

  it('erases the sessions once, after everything else', () => {
    given(registered, erased).when({ type: 'CompleteSessionErasure', now }).nothing();
    given(registered, erased, completed).when({ type: 'CompleteSessionErasure', now }).then(sessionsErased);
    given(registered, erased, completed, sessionsErased).when({ type: 'CompleteSessionErasure', now }).nothing();
    given(registered).when({ type: 'CompleteSessionErasure', now }).nothing();
  });

  it('keeps the list of devices for the erasure', () => {
    expect(given(registered, issued, added, erased).state).toMatchObject({ erasedAt: now, devices: [deviceId] });
  });

  it('refuses every command with identity_not_found or invalid_activation_code', () => {
    given(registered, erased, completed).when({ type: 'EraseIdentity', now }).refuses('identity_not_found', 'already erased');
    given(registered, erased).when({ type: 'IssueActivationCode', now, ttl }).refuses('identity_not_found', 'identity is ERASED');
    given(registered, issued, erased).when(addDevice).refuses('invalid_activation_code', 'identity is ERASED');
  });
});
