import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable } from '#event-store';
import { type CheckPin, type Device, DeviceLocked, type PinVerdict } from '#identity';
import { LocatingTokens, Secret, type SessionId } from '#kernel';

import { LIFETIMES } from '../domain/lifetimes.js';
import { VerificationCodes } from '../domain/verification-codes.js';
import { SigningLog } from '../repositories/signing-log.js';
import { Statements } from '../repositories/statements.js';
import { DEVICE } from '../testing/session-history.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';
import { ConfirmSession } from './confirm-session.js';
import { JudgePin } from './judge-pin.js';
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

  const codes = new VerificationCodes(new Secret(Buffer.alloc(32, 1)));

  const confirm = (checkPin: () => Promise<PinVerdict>, verificationCode?: string, whileVerifying = async () => {}) => {
    const verifySignature = { execute: () => whileVerifying().then(() => 'c2lnbmF0dXJl') } as unknown as VerifySignature;
    const useCase = new ConfirmSession({
      sessions: fixture.sessions,
      judgePin: new JudgePin(fixture.sessions, { execute: checkPin } as unknown as CheckPin, codes),
      verifySignature,
      statements: new Statements(fixture.results, fixture.sealer),
      signingLog: new SigningLog(fixture.eventStore, LIFETIMES, fixture.clock),
      results: fixture.results,
      lifetimes: LIFETIMES,
      returnTokens: new LocatingTokens(fixture.keys.token, 'return-token'),
      loginUrl: 'https://login.example/',
    });
    const device: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {} };
    return useCase.execute({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl', verificationCode }, device);
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

  it('leaves the session open after a wrong PIN that locks nothing', async () => {
    await expect(confirm(async () => ({ accepted: false, attemptsLeft: 2, locked: false }))).rejects.toMatchObject({ code: 'wrong_pin' });
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it('leaves the session open when the store is unavailable', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    await expect(confirm(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it('stores nothing of a signature whose session was cancelled while it was verified', async () => {
    sessionId = await fixture.begin({ signing: true });
    await fixture.history.scan(sessionId);
    await fixture.results.prepare(sessionId, { toBeSigned: 'dGV4dA==', manifest: '', signingTime: 0 });
    const cancelled = async () => {
      await fixture.sessions.handle(sessionId, { type: 'CancelSession', by: { clientId: fixture.clientId }, reason: 'WITHDRAWN' });
    };
    await expect(confirm(async () => ({ accepted: true }), undefined, cancelled)).rejects.toMatchObject({ code: 'session_expired' });
    expect(await fixture.results.find(sessionId)).toEqual({});
  });

  describe('with a verification code', () => {
    const accept = jest.fn(async () => ({ accepted: true }) as const);
    beforeEach(async () => {
      accept.mockClear();
      sessionId = await fixture.begin({ verificationCode: true });
      await fixture.history.scan(sessionId);
    });

    it('records the confirmation of the code that the waiting page shows', async () => {
      expect(await confirm(accept, codes.shown(sessionId))).toEqual({ status: 'CONFIRMED' });
    });

    it('cancels the session when another code was chosen, without judging the PIN', async () => {
      for (const choice of codes
        .choices(sessionId)
        .filter((code) => code !== codes.shown(sessionId))
        .slice(0, 1))
        await expect(confirm(accept, choice)).rejects.toMatchObject({ code: 'wrong_verification_code' });
      expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'WRONG_CODE' });
      await expect(confirm(accept, codes.shown(sessionId))).rejects.toMatchObject({ code: 'session_expired' });
      expect(accept).not.toHaveBeenCalled();
    });

    it.each([undefined, ''])('refuses an approval with the choice %j, and judges no PIN', async (choice) => {
      await expect(confirm(accept, choice)).rejects.toMatchObject({ code: choice === undefined ? 'invalid_request' : 'wrong_verification_code' });
      expect(accept).not.toHaveBeenCalled();
    });
  });
});
