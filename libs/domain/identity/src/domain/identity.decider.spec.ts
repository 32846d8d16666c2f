import type { DeviceId } from '#kernel';
import { deciderSpec } from '#testkit/kernel/decider-spec';

import { grantsOf } from './activation-grants.js';
import { identityDecider } from './identity.decider.js';
import type { IdentityEvent } from './identity.events.js';
import type { Identity } from './identity.js';

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
const evolved = (state: Identity, event: IdentityEvent): Identity => identityDecider.evolve(state, { ...event, id: 'event-9' });
const issue = { type: 'IssueActivationCode', now, ttl, isMember: false, bySecurity: false } as const;
const addDevice = { type: 'AddDevice', now, deviceId, grantId: 'event-1', isMember: false } as const;

describe('given nothing', () => {
  it('registers an identity', () => {
    given().when({ type: 'RegisterIdentity', now }).then(registered);
  });

  it('refuses every command but a registration', () => {
    given().when(issue).refuses('identity_not_found', 'identity is NONE');
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
    given(registered, issued).when(issue).then(issued);
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

  it('of a member of the portal, issues a code for `security` alone, and the code says so', () => {
    const forMember: IdentityEvent = { type: 'ActivationCodeIssued', data: { at: now, expiresAt: now + ttl, forMember: true } };
    given(registered)
      .when({ ...issue, isMember: true })
      .refuses('forbidden', 'the person is a member of the portal');
    given(registered)
      .when({ ...issue, isMember: true, bySecurity: true })
      .then(forMember);
    given(registered)
      .when({ ...issue, bySecurity: true })
      .then(issued);
    given(registered, forMember)
      .when({ ...addDevice, isMember: true })
      .then(added);
    given(registered, forMember).when(addDevice).then(added);
  });

  it('who joined the portal after a code was issued, adds no device for it', () => {
    given(registered, issued)
      .when({ ...addDevice, isMember: true })
      .refuses('invalid_activation_code', 'issued before the person was a member of the portal');
  });

  it('is erased', () => {
    given(registered, issued, added).when({ type: 'EraseIdentity', now }).then(erased);
    given(registered)
      .when({ type: 'EraseIdentity', now, by: 'security-1' })
      .then({ type: 'IdentityErased', data: { at: now, by: 'security-1' } });
  });

  it('has no erasure to complete', () => {
    given(registered).when({ type: 'CompleteErasure', now }).nothing();
  });

  it('tells who has issued the code of each phone', () => {
    const by = ['person:anna', 'person:bert'];
    const byTwo: IdentityEvent = { type: 'ActivationCodeIssued', data: { at: now, expiresAt: now + ttl, by } };
    given(registered).when({ type: 'IssueActivationCode', now, ttl, isMember: false, bySecurity: false, by }).then(byTwo);
    const { state } = given(registered, byTwo, added);
    expect(state).toMatchObject({ origins: [{ deviceId: added.data.deviceId, enrolledAt: now, enrolledBy: by }] });
  });

  it('has the grants that were issued, used ones too, and no grants once it is erased', () => {
    expect(grantsOf(given(registered, issued, issued, added).state)).toEqual([
      { id: 'event-1', expiresAt: now + ttl, used: true, forMember: false, by: [] },
      { id: 'event-2', expiresAt: now + ttl, used: false, forMember: false, by: [] },
    ]);
    for (const events of [[], [registered, issued, erased]]) expect(grantsOf(given(...events).state)).toEqual([]);
  });
});

describe('an event that does not fit the history, as of a release that decided otherwise', () => {
  it('leaves the state as it is', () => {
    const [nothing, gone, alive] = [given().state, given(registered, erased).state, given(registered).state];
    for (const event of [issued, added]) for (const state of [nothing, gone]) expect(evolved(state, event)).toBe(state);
    for (const event of [completed, sessionsErased]) expect(evolved(alive, event)).toBe(alive);
    expect(evolved(nothing, erased)).toMatchObject({ status: 'ERASED', devices: [] });
  });
});

describe('a command or an event that this release does not know', () => {
  it('is an error of the program', () => {
    expect(() => identityDecider.decide({ type: 'MergeIdentity' } as never, given(registered).state)).toThrow('MergeIdentity');
    expect(() => evolved(given(registered).state, { type: 'IdentityMerged' } as never)).toThrow('IdentityMerged');
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
    given(registered, erased).when(issue).refuses('identity_not_found', 'identity is ERASED');
    given(registered, issued, erased).when(addDevice).refuses('invalid_activation_code', 'identity is ERASED');
  });
});
