import { describe, expect } from '@jest/globals';

import { Browser, expectError, expectOk, LIFETIMES, Phone, pause, secret, word } from '../support/index.js';
import { PinLadder } from './support/pin-ladder.js';
import { time, staff, shop, phone, useMovedClock, after, MARGIN } from './support/moved-clock.js';

useMovedClock('limits');

describe('Session validity', () => {
  after(LIFETIMES.session + 1, '120 seconds from creation: PENDING before, EXPIRED after', async () => {
    const login = await shop.login();
    await time.pass(LIFETIMES.session - MARGIN);
    expect(expectOk(await shop.status(login))).toEqual({ status: 'PENDING', expiresAt: login.expiresAt });
    await time.pass(MARGIN + 1);
    expect(expectOk(await shop.status(login))).toEqual({ status: 'EXPIRED' });
  });

  after(LIFETIMES.session + 1, 'SCANNED expires as well; confirm answers session_expired, and decline session_not_scanned or the end', async () => {
    const login = await shop.scanned(phone);
    await time.pass(LIFETIMES.session + 1);
    expectError(await phone.confirm(login.sessionId), 410, 'session_expired');
    expect(await shop.statusOf(login, 'EXPIRED')).toBe('EXPIRED');
    expect([409, 410]).toContain((await phone.decline(login.sessionId)).status);
    expect(await shop.statusOf(login)).toBe('EXPIRED');
  });

  after(LIFETIMES.session + 1, 'an expired session cannot be scanned, completed or cancelled', async () => {
    const login = await shop.login();
    await time.pass(LIFETIMES.session + 1);
    expectError(await phone.scan(login.sessionId), 410, 'session_expired');
    expectError(await shop.complete(login), 409, 'session_not_confirmed');
    expectError(await shop.cancel(login), 409, 'session_not_cancellable');
    expect(await shop.statusOf(login)).toBe('EXPIRED');
  });

  after(LIFETIMES.session, 'wrong PINs arrive well before expiry: a session that was cancelled does not expire', async () => {
    const login = await shop.scanned(phone);
    await phone.decline(login.sessionId);
    await time.pass(LIFETIMES.session + 1);
    expect(await shop.statusOf(login)).toBe('CANCELLED');
  });

  after(LIFETIMES.session, 'expiry stops applying at CONFIRMED; a first completion after the 60 s still answers, the code is dead', async () => {
    const login = await shop.confirmed(phone);
    await time.pass(Math.max(LIFETIMES.session, LIFETIMES.code) + 1);
    expect(await shop.statusOf(login)).toBe('CONFIRMED');
    expectError(await shop.token(await shop.redeemableCode(login), login.verifier), 400, 'invalid_grant');
    expect(await shop.statusOf(login, 'COMPLETED')).toBe('COMPLETED');
  });

  after(LIFETIMES.session, 'a waiting poll is answered with the end', async () => {
    const login = await shop.login();
    const waiting = shop.status(login, { prefer: 'wait=25' });
    await pause(100);
    await time.pass(LIFETIMES.session - 2);
    expect(expectOk(await waiting)).toEqual({ status: 'EXPIRED' });
  });
});

describe('Session validity with push', () => {
  after(LIFETIMES.pushSession + 1, '300 seconds; the inbox forgets it then', async () => {
    const login = await shop.login({ push: true, subject_id: await shop.subjectOf(phone) });
    await time.pass(LIFETIMES.pushSession - MARGIN);
    expect(await shop.statusOf(login)).toBe('PENDING');
    expect(await phone.pendingIds()).toEqual([login.sessionId]);
    await time.pass(MARGIN + 1);
    expect(await shop.statusOf(login)).toBe('EXPIRED');
    expect(await phone.pendingIds()).toEqual([]);
  });
});

describe('Authorization code validity', () => {
  after(LIFETIMES.code, '60 seconds from confirmation: good before', async () => {
    const login = await shop.confirmed(phone);
    await time.pass(LIFETIMES.code - MARGIN);
    expectOk(await shop.token(await shop.redeemableCode(login), login.verifier));
  });

  after(LIFETIMES.code, '60 seconds from confirmation, not from completion: invalid_grant after', async () => {
    const login = await shop.confirmed(phone);
    await time.pass(LIFETIMES.code - 5);
    const code = await shop.redeemableCode(login);
    await time.pass(6);
    expectError(await shop.token(code, login.verifier), 400, 'invalid_grant');
  });
});

describe('Handoff token validity', () => {
  after(LIFETIMES.handoff, '60 seconds from session creation: good before', async () => {
    const login = await shop.login({ hosted_page: true });
    await time.pass(LIFETIMES.handoff - MARGIN);
    expectOk(await new Browser(time.service).claim(login.handoffToken));
  });

  after(LIFETIMES.handoff, '60 seconds from session creation: invalid_handoff after, while the session is still PENDING', async () => {
    const login = await shop.login({ hosted_page: true });
    await time.pass(LIFETIMES.handoff + 1);
    expect(await shop.statusOf(login)).toBe('PENDING');
    expectError(await new Browser(time.service).claim(login.handoffToken), 400, 'invalid_handoff');
  });
});

describe('Login cookie', () => {
  after(LIFETIMES.session + 61, 'lives until the session ends plus 60 s', async () => {
    const browser = new Browser(time.service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    await time.pass(LIFETIMES.session + 1);
    expect(expectOk(await browser.status(login.sessionId))).toEqual({ status: 'EXPIRED' });
    await time.pass(61);
    expectError(await browser.status(login.sessionId), 401, 'no_login_cookie');
    expectError(await browser.complete(login.sessionId), 401, 'no_login_cookie');
  });

  after(LIFETIMES.session + 1, 'of a login that its user completes late still completes it', async () => {
    const browser = new Browser(time.service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    await time.pass(LIFETIMES.session + 1);
    expectOk(await browser.complete(login.sessionId));
  });
});

describe('Session record after its end', () => {
  after(600, 'status is readable for 10 minutes, then session_not_found', async () => {
    const login = await shop.completed(phone);
    await time.pass(600 - MARGIN);
    expect(await shop.statusOf(login)).toBe('COMPLETED');
    await time.pass(MARGIN + 5);
    expectError(await shop.status(login), 404, 'session_not_found');
    expectError(await shop.complete(login), 404, 'session_not_found');
    expectError(await shop.result(login), 404, 'session_not_found');
  });

  after(600, 'an expired session: 10 minutes from its expiry', async () => {
    const login = await shop.login();
    await time.pass(LIFETIMES.session + 600 - MARGIN);
    expect(await shop.statusOf(login)).toBe('EXPIRED');
    await time.pass(MARGIN + 5);
    expectError(await shop.status(login), 404, 'session_not_found');
  });

  after(600, 'CONFIRMED but never completed: ends 10 minutes after the confirmation', async () => {
    const login = await shop.confirmed(phone);
    await time.pass(600 - MARGIN);
    expect(await shop.statusOf(login)).toBe('CONFIRMED');
    await time.pass(MARGIN + 5);
    expectError(await shop.complete(login), 404, 'session_not_found');
  });

  after(3600, 'the timeline can still be read', async () => {
    const login = await shop.completed(phone);
    await time.pass(3600);
    expect(expectOk(await staff.timeline(login.sessionId))['status']).toBe('COMPLETED');
  });
});

describe('Idempotency-Key', () => {
  after(121, 'is kept for 120 seconds', async () => {
    const key = secret('Idempotency-Key', word());
    const body = shop.sessionBody();
    const post = async () => expectOk(await shop.call('POST', '/relying-party/v1/session', body, { 'idempotency-key': key }))['sessionId'];
    const first = await post();
    await time.pass(120 - MARGIN);
    expect(await post()).toBe(first);
    await time.pass(MARGIN + 2);
    expect(await post()).not.toBe(first);
  });
});

describe('Activation code', () => {
  after(900, 'is good for 15 minutes', async () => {
    const [early, late] = [await staff.activationCode(await staff.registerPerson()), await staff.activationCode(await staff.registerPerson())];
    await time.pass(900 - MARGIN);
    await new Phone(time.service).enrol(early);
    await time.pass(MARGIN + 2);
    // A new phone does not know that the clock was moved: its first proof is refused, and it corrects itself.
    const answer = await new Phone(time.service).tryEnrol(await new Phone(time.service).enrolmentBody(late));
    expectError(answer, 400, 'invalid_activation_code');
  });
});

describe('PIN ladder', () => {
  after(40 * 3600, '3 wrong in a row lock for 3 h, 6 for 24 h, 9 until re-enrolment', async () => {
    const ladder = await PinLadder.begin(time, shop, phone);
    expect(await ladder.threeWrong()).toEqual([403, 403, 403]);
    expect(Math.abs((await ladder.lockedFor())! - 3 * 3600)).toBeLessThan(60);
    await ladder.pass(3 * 3600 - 60);
    expectError(await phone.scan((await shop.login()).sessionId), 423, 'device_locked');
    await ladder.pass(61);
    expect(expectOk(await phone.show())['status']).toBe('ACTIVE');
    expect(await ladder.threeWrong()).toEqual([403, 403, 403]);
    expect(Math.abs((await ladder.lockedFor())! - 24 * 3600)).toBeLessThan(60);
    await ladder.pass(24 * 3600 + 1);
    expect(await ladder.threeWrong()).toEqual([403, 403, 403]);
    expect(await ladder.lockedFor()).toBeUndefined();
    await ladder.pass(365 * 24 * 3600);
    expect(expectOk(await phone.show())).toEqual({ deviceId: phone.deviceId, status: 'LOCKED' });
    expectError(await phone.scan((await shop.login()).sessionId), 423, 'device_locked');
  });

  after(4 * 3600, 'a right PIN after the lock resets the count', async () => {
    const ladder = await PinLadder.begin(time, shop, phone);
    await ladder.threeWrong();
    await time.pass(3 * 3600 + 1);
    await shop.confirmed(phone);
    const { sessionId } = await shop.scanned(phone);
    expect((await phone.confirm(sessionId, { pin: phone.wrongPin() })).json?.['payload']).toEqual({ attemptsLeft: 2 });
  });
});

describe('Device proof', () => {
  after(3600, 'tells a phone with a wrong clock the time; the phone repeats the call', async () => {
    await time.pass(3600);
    expectOk(await phone.show());
  });
});
