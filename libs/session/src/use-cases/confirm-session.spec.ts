import { beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable } from '#event-store';
import { type CheckPin, type Device, DeviceLocked, type PinVerdict } from '#identity';
import { LocatingTokens, type SessionId } from '#kernel';

import { LIFETIMES } from '../domain/lifetimes.js';
import type { SigningLog } from '../repositories/signing-log.js';
import { Statements } from '../repositories/statements.js';
import { DEVICE } from '../testing/session-history.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';
import { ConfirmSession } from './confirm-session.js';
import type { VerifySignature } from './verify-signature.js';

describe('confirming a scanned session', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;

  beforeEach(async () => {
    fixture = useCaseFixture();
    sessionId = await fixture.begin();
    await fixture.history.scan(sessionId);
  });
  afterEach(() => fixture.eventStore.close());

  const confirm = (checkPin: () => Promise<PinVerdict>) => {
    const verifySignature = { execute: async () => 'c2lnbmF0dXJl' } as unknown as VerifySignature;
    const useCase = new ConfirmSession({
      sessions: fixture.sessions,
      checkPin: { execute: checkPin } as unknown as CheckPin,
      verifySignature,
      statements: new Statements(fixture.results, fixture.sealer),
      signingLog: {} as SigningLog,
      results: fixture.results,
      lifetimes: LIFETIMES,
      returnTokens: new LocatingTokens(fixture.keys.token, 'return-token'),
      loginUrl: 'https://login.example/',
    });
    const device: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {} };
    return useCase.execute({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl' }, device);
  };

  it('records the confirmation after PIN and signature', async () => {
    expect(await confirm(async () => ({ accepted: true }))).toEqual({ status: 'CONFIRMED' });
    expect((await fixture.history.events(sessionId)).at(-1)).toBe('SessionConfirmed');
  });

  it('cancels the session when this wrong PIN locks the device', async () => {
    await expect(confirm(async () => ({ accepted: false, attemptsLeft: 0, locked: true }))).rejects.toMatchObject({ code: 'wrong_pin' });
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'PIN_LOCKED' });
  });

  it('cancels the session when a concurrent wrong PIN of the same session has locked the device', async () => {
    const locked = new DeviceLocked(fixture.clock.now() + 60_000, sessionId);
    await expect(confirm(() => Promise.reject(locked))).rejects.toBe(locked);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'PIN_LOCKED' });
  });

  it('leaves the session open when another session has locked the device', async () => {
    const locked = new DeviceLocked(fixture.clock.now() + 60_000, fixture.randomness.uuid<SessionId>());
    await expect(confirm(() => Promise.reject(locked))).rejects.toBe(locked);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it('leaves the session open when the store is unavailable', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    await expect(confirm(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });
});
