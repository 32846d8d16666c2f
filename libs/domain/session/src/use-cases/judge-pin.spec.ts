import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { type Device, DeviceLocked, type PinVerdict } from '#domain/identity';
import { type DeviceId, epochSeconds, type SessionId } from '#kernel';

import { CODES as codes, confirmSessionOver } from '#testkit/session/confirm-session-over';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import type { PinRequest } from './confirm-session.js';

const OTHER = '00000000-0000-4000-8000-00000000d002' as DeviceId;

let fixture: ReturnType<typeof useCaseFixture>;
let sessionId: SessionId;
let asked: unknown[];
let verdict: () => Promise<PinVerdict>;

beforeEach(async () => {
  fixture = useCaseFixture();
  sessionId = await fixture.begin();
  asked = [];
  verdict = async () => ({ accepted: true });
});
afterEach(() => fixture.eventStore.close());

const phone = (changes: Partial<Device> = {}): Device => {
  const { identityId } = fixture;
  return { deviceId: DEVICE, identityId, status: 'ACTIVE', authenticationKey: {}, ...changes };
};
const request = (changes: Partial<PinRequest> = {}): PinRequest => ({ sessionId, pinProof: 'proof', ...changes });
const judge = (changes?: Partial<PinRequest>, device?: Partial<Device>) =>
  confirmSessionOver(fixture, { checkPin: { in: (_, given) => (asked.push(given), verdict()) } }).judgePin(request(changes), phone(device));
const end = () =>
  fixture.sessions.handle(sessionId, { type: 'CancelSession', by: { clientId: fixture.clientId }, reason: 'WITHDRAWN' }).then(() => undefined);
const state = () => fixture.sessions.get(sessionId);
const wrongCode = () => codes.choices(sessionId).find((code) => code !== codes.shown(sessionId));

describe('the PIN of a scanned session', () => {
  beforeEach(() => fixture.history.scan(sessionId));

  it('is judged for the device and the session', async () => {
    expect(await judge()).toEqual({ accepted: true });
    expect(asked).toEqual([{ deviceId: DEVICE, sessionId, pinProof: 'proof' }]);
  });

  it('is not answered while the PIN cannot be judged', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    verdict = () => Promise.reject(unavailable);
    await expect(judge()).rejects.toBe(unavailable);
    expect(await state()).toMatchObject({ status: 'SCANNED' });
  });

  it('of a signature is answered with the time to sign', async () => {
    sessionId = await fixture.begin({ signing: true });
    await fixture.history.scan(sessionId);
    expect(await judge()).toEqual({ accepted: true, signingTime: epochSeconds(fixture.clock.now()) });
  });

  it('is not judged again after the confirmation, whatever the lock of the phone', async () => {
    await fixture.history.confirm(sessionId);
    expect(await judge({}, { status: 'LOCKED' })).toEqual({ accepted: true });
    await fixture.history.append(sessionId, { type: 'SessionCompleted', data: { at: fixture.clock.now() } });
    expect(await judge()).toEqual({ accepted: true });
    expect(asked).toEqual([]);
  });

  it('is not judged again after the approval of a signature', async () => {
    sessionId = await fixture.begin({ signing: true });
    await fixture.history.scan(sessionId);
    const at = fixture.clock.now();
    await fixture.history.append(sessionId, { type: 'SessionConfirmed', data: { buildExpiresAt: at + 60_000, at } });
    expect(await judge()).toMatchObject({ accepted: true });
    expect(asked).toEqual([]);
  });

  it('is not judged for another phone, before and after the confirmation', async () => {
    const foreign = { code: 'session_not_found', reason: 'scanned by another device' };
    await expect(judge({}, { deviceId: OTHER })).rejects.toMatchObject(foreign);
    await fixture.history.append(sessionId, { type: 'SessionConfirmed', data: { signature: 'x', codeExpiresAt: 1, at: fixture.clock.now() } });
    await expect(judge({}, { deviceId: OTHER })).rejects.toMatchObject(foreign);
    expect(asked).toEqual([]);
  });

  it('is not judged once the session has ended', async () => {
    await end();
    await expect(judge()).rejects.toMatchObject({ code: 'session_expired', reason: 'session is CANCELLED' });
    expect(asked).toEqual([]);
  });
});

it('no PIN is judged before the scan, nor of a session that has ended before one', async () => {
  await expect(judge()).rejects.toMatchObject({ code: 'session_not_scanned', reason: 'session is PENDING' });
  await end();
  await expect(judge()).rejects.toMatchObject({ code: 'session_expired', reason: 'session is CANCELLED' });
  expect(asked).toEqual([]);
});

describe('a locked phone', () => {
  const lockedUntil = Date.UTC(2026, 0, 2);
  const locked = (lockedBy?: SessionId): Partial<Device> => ({ status: 'LOCKED', lockedUntil, ...(lockedBy && { lockedBy }) });

  it('learns of its lock before anything about the session', async () => {
    await expect(judge({}, locked())).rejects.toMatchObject({ code: 'device_locked', lockedUntil });
    await fixture.history.scan(sessionId);
    await expect(judge({}, { ...locked(), deviceId: OTHER })).rejects.toMatchObject({ code: 'device_locked', lockedUntil });
    expect([asked, await state()]).toEqual([[], expect.objectContaining({ status: 'SCANNED' })]);
  });

  it('ends the session whose wrong PINs locked it, where that was left undone', async () => {
    await fixture.history.scan(sessionId);
    await expect(judge({}, locked(sessionId))).rejects.toMatchObject({ code: 'device_locked' });
    expect(await state()).toMatchObject({ status: 'CANCELLED', reason: 'PIN_LOCKED' });
  });

  it('learns of its lock also when that session is not scanned any more', async () => {
    await expect(judge({}, locked(sessionId))).rejects.toMatchObject({ code: 'device_locked' });
    expect(await state()).toMatchObject({ status: 'PENDING' });
  });
});

describe('a wrong PIN', () => {
  beforeEach(() => fixture.history.scan(sessionId));

  it('is answered with the tries that are left', async () => {
    verdict = async () => ({ accepted: false, attemptsLeft: 2, locked: false });
    await expect(judge()).rejects.toMatchObject({ code: 'wrong_pin', attemptsLeft: 2 });
    expect(await state()).toMatchObject({ status: 'SCANNED' });
  });

  it('that locks the phone ends the session', async () => {
    verdict = async () => ({ accepted: false, attemptsLeft: 0, locked: true });
    await expect(judge()).rejects.toMatchObject({ code: 'wrong_pin', attemptsLeft: 0 });
    expect(await state()).toMatchObject({ status: 'CANCELLED', reason: 'PIN_LOCKED' });
  });

  it('of a session that was approved at the same time is answered all the same', async () => {
    verdict = async () => {
      await fixture.history.append(sessionId, { type: 'SessionConfirmed', data: { signature: 'x', codeExpiresAt: 1, at: fixture.clock.now() } });
      return { accepted: false, attemptsLeft: 0, locked: true };
    };
    await expect(judge()).rejects.toMatchObject({ code: 'wrong_pin' });
    expect(await state()).toMatchObject({ status: 'CONFIRMED' });
  });

  it('is not answered while the end of the session cannot be stored', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    verdict = async () => {
      fixture.sessions.handle = () => Promise.reject(unavailable);
      return { accepted: false, attemptsLeft: 0, locked: true };
    };
    await expect(judge()).rejects.toBe(unavailable);
  });

  it.each([true, false])('of another request that has locked the phone by this session (%j): the lock is told', async (own) => {
    const lock = new DeviceLocked(1, own ? sessionId : fixture.randomness.uuid<SessionId>());
    verdict = () => Promise.reject(lock);
    await expect(judge()).rejects.toBe(lock);
    expect((await state()).status).toBe(own ? 'CANCELLED' : 'SCANNED');
  });
});

describe('the verification code of a session', () => {
  beforeEach(async () => {
    sessionId = await fixture.begin({ verificationCode: true });
    await fixture.history.scan(sessionId);
  });

  it('is needed before the PIN is judged', async () => {
    const detail = '`verification_code` is required: the code that the waiting page shows.';
    await expect(judge()).rejects.toMatchObject({ code: 'invalid_request', detail });
    expect([asked, (await state()).status]).toEqual([[], 'SCANNED']);
  });

  it('that is wrong ends the session, and the PIN is not judged', async () => {
    await expect(judge({ verificationCode: wrongCode() })).rejects.toMatchObject({
      code: 'wrong_verification_code',
      reason: 'another code was chosen',
    });
    expect([asked, await state()]).toEqual([[], expect.objectContaining({ status: 'CANCELLED', reason: 'WRONG_CODE' })]);
  });

  it('that the page shows lets the PIN be judged', async () => {
    expect(await judge({ verificationCode: codes.shown(sessionId) })).toEqual({ accepted: true });
  });
});
