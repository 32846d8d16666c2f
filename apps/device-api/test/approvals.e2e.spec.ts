import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type Phone } from '#clients/software-phone';

import { deviceApiFixture, PIN, WRONG_PIN, refusal } from './device-api.fixture.js';

let api: Awaited<ReturnType<typeof deviceApiFixture>>;
let phone: Phone;

beforeAll(async () => {
  api = await deviceApiFixture();
  phone = await api.enrol();
});

afterAll(() => api.close());

describe('confirm', () => {
  it('confirms with the right PIN, and again when repeated', async () => {
    const { sessionId } = await api.scanned(phone);
    for (let time = 0; time < 2; time++) expect((await phone.confirm(PIN)).body).toEqual({ status: 'CONFIRMED' });
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed']);
  });

  it('says how many tries are left, then locks the device and cancels the session', async () => {
    const forgetful = await api.enrol();
    const { sessionId } = await api.scanned(forgetful);
    for (const attemptsLeft of [2, 1, 0]) expect(await forgetful.confirm(WRONG_PIN)).toMatchObject(refusal(403, 'wrong_pin', { attemptsLeft }));
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionCancelled']);
    expect(await forgetful.confirm(PIN)).toMatchObject(refusal(423, 'device_locked'));
    expect(await forgetful.scan(await api.begin())).toMatchObject(refusal(423, 'device_locked'));
    expect((await forgetful.decline('LEFT', sessionId)).body).toEqual({ status: 'CANCELLED' });
    const lockedUntil = Math.floor(api.platform.clock.now() / 1000) + 3 * 3600;
    expect((await forgetful.device()).body).toEqual({ deviceId: forgetful.deviceId, status: 'LOCKED', lockedUntil });
    expect(await api.deviceEvents(forgetful.deviceId)).toEqual(['DeviceEnrolled', 'PinFailed', 'PinFailed', 'PinFailed', 'DeviceLocked']);
  });

  it('judges at most three wrong PINs of a hundred guesses at once', async () => {
    const attacked = await api.enrol();
    const scanned = await api.scanned(attacked);
    const guesses = Array.from({ length: 100 }, (_, index) => (index === 50 ? PIN : String(2000 + index)));
    const replies = await Promise.all(guesses.map((guess) => attacked.confirm(guess, scanned)));
    expect(replies.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(3);
    expect((await api.deviceEvents(attacked.deviceId)).filter((type) => type === 'PinFailed').length).toBeLessThanOrEqual(3);
  });

  it('lets sixty approvals at once succeed', async () => {
    const busy = await api.enrol();
    const scanned = await Promise.all(Array.from({ length: 60 }, () => api.scanned(busy)));
    const replies = await Promise.all(scanned.map((each) => busy.confirm(PIN, each)));
    expect(replies.map(({ body }) => body)).toEqual(scanned.map(() => ({ status: 'CONFIRMED' })));
  });

  it('refuses a signature over anything else', async () => {
    const scanned = await api.scanned(phone);
    const toBeSigned = Buffer.from('{"relyingPartyName":"Another"}').toString('base64');
    expect(await phone.confirm(PIN, { ...scanned, toBeSigned })).toMatchObject(refusal(400, 'invalid_signature'));
    expect((await phone.confirm(PIN, scanned)).status).toBe(200);
  });

  it.each(['', 'nonsense', 'A'.repeat(86), `${'A'.repeat(86)}==`, 'x'.repeat(3000), '____'])('refuses the signature (%#)', async (signature) => {
    const { sessionId } = await api.scanned(phone);
    const right = { pin_proof: Buffer.alloc(32).toString('base64url'), signature };
    const { status } = await (await api.enrol()).call('POST', `/app/v1/session/${sessionId}/confirm`, right);
    expect([400, 404]).toContain(status);
  });

  it('does not know the session of another phone', async () => {
    const scanned = await api.scanned(phone);
    const stranger = await api.enrol();
    expect(await stranger.confirm(PIN, scanned)).toMatchObject(refusal(404, 'session_not_found'));
    expect(await stranger.decline('DECLINED', scanned.sessionId)).toMatchObject(refusal(404, 'session_not_found'));
  });

  it('is refused after the expiry, which is recorded first', async () => {
    const { sessionId } = await api.scanned(phone);
    api.platform.clock.advance(120_000);
    expect(await phone.confirm(PIN)).toMatchObject(refusal(410, 'session_expired'));
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionExpired']);
  });

  it('refuses a session that was not scanned', async () => {
    const sessionId = await api.begin();
    const body = { pin_proof: 'A'.repeat(43), signature: 'AAAA' };
    expect(await phone.call('POST', `/app/v1/session/${sessionId}/confirm`, body)).toMatchObject(refusal(409, 'session_not_scanned'));
  });
});

describe('decline', () => {
  it.each(['DECLINED', 'LEFT'] as const)('cancels: %s', async (reason) => {
    const { sessionId } = await api.scanned(phone);
    for (let time = 0; time < 2; time++) expect((await phone.decline(reason)).body).toEqual({ status: 'CANCELLED' });
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionCancelled']);
  });

  it('refuses a session that was not scanned, and unknown reasons', async () => {
    const sessionId = await api.begin();
    expect(await phone.decline('LEFT', sessionId)).toMatchObject(refusal(409, 'session_not_scanned'));
    expect(await phone.decline('BORED' as never, sessionId)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });
});
