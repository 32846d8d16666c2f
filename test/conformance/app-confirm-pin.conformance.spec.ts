import { generateKeyPairSync, sign } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  type Answer,
  expectError,
  expectOk,
  expectSecondsAfter,
  newCast,
  NOT_STRINGS,
  nowInSeconds,
  type Phone,
  UNKNOWN_SESSION,
} from '../support/index.js';

const { staff, shop } = await newCast();

const attemptsLeft = (answer: Answer): unknown => {
  expectError(answer, 403, 'wrong_pin');
  return answer.json?.['payload'];
};

const lock = async (phone: Phone): Promise<void> => {
  const { sessionId } = await shop.scanned(phone);
  for (let i = 0; i < 3; i++) await phone.confirm(sessionId, { pin: phone.wrongPin(i) });
};

describe('the right PIN', () => {
  it('confirms: status CONFIRMED, for the client too', async () => {
    const phone = await staff.newPhone();
    const login = await shop.scanned(phone);
    expect(expectOk(await phone.confirm(login.sessionId))).toEqual({ status: 'CONFIRMED' });
    expect(await shop.statusOf(login, 'CONFIRMED')).toBe('CONFIRMED');
  });

  it('repeated, gets the same answer; after the completion too', async () => {
    const phone = await staff.newPhone();
    const login = await shop.confirmed(phone);
    expect(expectOk(await phone.confirm(login.sessionId))).toEqual({ status: 'CONFIRMED' });
    expectOk(await shop.complete(login));
    expect((await phone.confirm(login.sessionId)).status).toBe(200);
    expectError(await shop.complete(login), 409, 'session_already_completed');
  });

  it('after two wrong ones confirms, and resets the count for later sessions', async () => {
    const phone = await staff.newPhone();
    const { sessionId } = await shop.scanned(phone);
    expect(attemptsLeft(await phone.confirm(sessionId, { pin: phone.wrongPin() }))).toEqual({ attemptsLeft: 2 });
    expect(attemptsLeft(await phone.confirm(sessionId, { pin: phone.wrongPin() }))).toEqual({ attemptsLeft: 1 });
    expectOk(await phone.confirm(sessionId));
    const later = await shop.scanned(phone);
    expect(attemptsLeft(await phone.confirm(later.sessionId, { pin: phone.wrongPin() }))).toEqual({ attemptsLeft: 2 });
  });
});

describe('wrong_pin', () => {
  it('tells how many attempts are left; the session stays SCANNED', async () => {
    const phone = await staff.newPhone();
    const login = await shop.scanned(phone);
    expect(attemptsLeft(await phone.confirm(login.sessionId, { pin: phone.wrongPin() }))).toEqual({ attemptsLeft: 2 });
    expect(await shop.statusOf(login, 'SCANNED')).toBe('SCANNED');
  });

  it('the third in a row answers attemptsLeft 0, cancels the session and locks the device', async () => {
    const phone = await staff.newPhone();
    const login = await shop.scanned(phone);
    const [left, began] = [[] as unknown[], nowInSeconds()];
    for (let i = 0; i < 3; i++) left.push(attemptsLeft(await phone.confirm(login.sessionId, { pin: phone.wrongPin(i) })));
    expect(left).toEqual([{ attemptsLeft: 2 }, { attemptsLeft: 1 }, { attemptsLeft: 0 }]);
    expect(await shop.statusOf(login, 'CANCELLED')).toBe('CANCELLED');
    expect(login.expiresAt).toBeGreaterThan(Date.now() / 1000);
    const { status, lockedUntil } = expectOk(await phone.show());
    expect(status).toBe('LOCKED');
    expectSecondsAfter(began, 3 * 3600, lockedUntil);
  });

  it('wrong ones in a row add up over sessions', async () => {
    const phone = await staff.newPhone();
    const left = [];
    for (let i = 0; i < 3; i++) left.push(attemptsLeft(await phone.confirm((await shop.scanned(phone)).sessionId, { pin: phone.wrongPin(i) })));
    expect(left).toEqual([{ attemptsLeft: 2 }, { attemptsLeft: 1 }, { attemptsLeft: 0 }]);
  });

  it('comes before a wrong signature', async () => {
    const phone = await staff.newPhone();
    const { sessionId } = await shop.scanned(phone);
    attemptsLeft(await phone.confirm(sessionId, { pin: phone.wrongPin(), signature: Buffer.alloc(64).toString('base64') }));
  });

  it('of one phone does not touch another of the same person', async () => {
    const person = await staff.registerPerson();
    const [one, two] = [await staff.phoneOf(person), await staff.phoneOf(person)];
    await lock(one);
    await shop.confirmed(two);
  });
});

describe('device_locked', () => {
  it('is the answer to every later call of that device, the right PIN included, but GET device and decline', async () => {
    const phone = await staff.newPhone();
    const login = await shop.scanned(phone);
    await lock(phone);
    expectError(await phone.confirm(login.sessionId), 423, 'device_locked');
    expectError(await phone.scan((await shop.login()).sessionId), 423, 'device_locked');
    expectError(await phone.scan(UNKNOWN_SESSION), 423, 'device_locked');
    expect(await shop.statusOf(login, 'SCANNED')).toBe('SCANNED');
    expect(expectOk(await phone.decline(login.sessionId))).toEqual({ status: 'CANCELLED' });
  });

  it('leaves an earlier confirmation valid: it repeats itself and can be completed', async () => {
    const phone = await staff.newPhone();
    const login = await shop.confirmed(phone);
    await lock(phone);
    expectOk(await phone.confirm(login.sessionId));
    expectOk(await shop.complete(login));
  });

  it('LOCKED does not count for push: NO_DEVICE', async () => {
    const phone = await staff.newPhone();
    const subjectId = await shop.subjectOf(phone);
    await lock(phone);
    expect((await shop.login({ push: true, subject_id: subjectId })).pushStatus).toBe('NO_DEVICE');
  });
});

describe('invalid_signature', () => {
  it('right PIN, wrong signature: not confirmed, and the right one may follow', async () => {
    const phone = await staff.newPhone();
    const login = await shop.scanned(phone);
    const statement = Buffer.from(((await phone.scan(login.sessionId)).json ?? {})['toBeSigned'] as string, 'base64');
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const signatures = [
      sign('sha256', statement, { key: stranger, dsaEncoding: 'ieee-p1363' }).toString('base64'),
      sign('sha256', statement, phone.key).toString('base64'),
      phone.signature(login.sessionId, Buffer.concat([statement, Buffer.from(' ')]).toString('base64')),
      phone.signature(login.sessionId, Buffer.from('{}').toString('base64')),
      Buffer.alloc(64).toString('base64'),
      Buffer.alloc(63, 1).toString('base64'),
      Buffer.from('x').toString('base64'),
    ];
    for (const signature of signatures) expectError(await phone.confirm(login.sessionId, { signature }), 400, 'invalid_signature');
    expect(await shop.statusOf(login, 'SCANNED')).toBe('SCANNED');
    expectOk(await phone.confirm(login.sessionId));
  });

  it("another session's signature does not fit", async () => {
    const phone = await staff.newPhone();
    const [one, two] = [await shop.scanned(phone), await shop.scanned(phone)];
    expectError(await phone.confirm(one.sessionId, { signature: phone.signature(two.sessionId) }), 400, 'invalid_signature');
  });
});

describe('session_not_scanned', () => {
  it('a PENDING session cannot be confirmed', async () => {
    const phone = await staff.newPhone();
    const login = await shop.login();
    expectError(await phone.confirm(login.sessionId), 409, 'session_not_scanned');
    expect(await shop.statusOf(login)).toBe('PENDING');
  });
});

describe('session_not_found', () => {
  it('another device has the session', async () => {
    const [phone, other] = [await staff.newPhone(), await staff.newPhone()];
    for (const login of [await shop.scanned(phone), await shop.confirmed(phone)]) {
      expectError(await other.confirm(login.sessionId), 404, 'session_not_found');
    }
  });

  it('an unknown session', async () => {
    const phone = await staff.newPhone();
    for (const sessionId of [UNKNOWN_SESSION, 'x']) expectError(await phone.confirm(sessionId), 404, 'session_not_found');
  });
});

describe('session_expired', () => {
  it('a CANCELLED session cannot be confirmed', async () => {
    const phone = await staff.newPhone();
    const [declined, withdrawn] = [await shop.scanned(phone), await shop.scanned(phone)];
    await phone.decline(declined.sessionId);
    await shop.cancel(withdrawn);
    for (const login of [declined, withdrawn]) {
      expectError(await phone.confirm(login.sessionId), 410, 'session_expired');
      expect(await shop.statusOf(login, 'CANCELLED')).toBe('CANCELLED');
    }
  });
});

describe('the fields', () => {
  it.each(['pin_proof', 'signature'])('%s is required text', async (field) => {
    const phone = await staff.newPhone();
    const { sessionId } = await shop.scanned(phone);
    for (const [, value] of [...NOT_STRINGS, ['missing', undefined], ['empty', '']] as [string, unknown][]) {
      const body = { pin_proof: phone.pinProof(), signature: phone.signature(sessionId), [field]: value };
      expectError(await phone.call('POST', `/app/v1/session/${sessionId}/confirm`, body), 400, 'invalid_request', field);
    }
    expectOk(await phone.confirm(sessionId));
  });

  it.each(['123456', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`])('a malformed pin_proof is no attempt: %p', async (value) => {
    const phone = await staff.newPhone();
    const { sessionId } = await shop.scanned(phone);
    const body = { pin_proof: value, signature: phone.signature(sessionId) };
    for (let i = 0; i < 4; i++)
      expectError(await phone.call('POST', `/app/v1/session/${sessionId}/confirm`, body), 400, 'invalid_request', 'pin_proof');
    expectOk(await phone.confirm(sessionId));
  });

  it('the PIN itself is refused as an unknown field', async () => {
    const phone = await staff.newPhone();
    const { sessionId } = await shop.scanned(phone);
    const body = { pin: phone.pin, pin_proof: phone.pinProof(), signature: phone.signature(sessionId) };
    expectError(await phone.call('POST', `/app/v1/session/${sessionId}/confirm`, body), 400, 'invalid_request', 'pin');
  });
});
