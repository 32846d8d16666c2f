import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, pause, RelyingParty } from '../support/index.js';

const { service, staff, shop } = await newCast();
const phone = await staff.newPhone();
const coded = await RelyingParty.register(service, { verification_code: true });

const representation = { prefer: 'return=representation' };

/** A pushed login on the hosted page of a client that has registered nothing for it. */
const hosted = async () => {
  const login = await shop.login({ hosted_page: true, push: true, subject_id: await subject() });
  expect(login.pushStatus).toBe('DISPATCHED');
  const browser = new Browser(service);
  const code = expectOk(await browser.claim(login.handoffToken))['verificationCode'] as string;
  const choices = expectOk(await phone.scan(login.sessionId, { via: 'push' }))['verificationCodes'] as string[];
  return { ...login, browser, code, choices, wrong: choices.find((choice) => choice !== code)! };
};

let known: Promise<string> | undefined;
const subject = (): Promise<string> => (known ??= shop.subjectOf(phone));

describe('a pushed login of the hosted page', () => {
  it('has two digits, of the claim and of GET session, which are one of three on the phone', async () => {
    const { sessionId, browser, code, choices } = await hosted();
    expect(code).toMatch(/^\d\d$/);
    expect(choices).toHaveLength(3);
    expect(new Set(choices)).toContain(code);
    expect(expectOk(await browser.describe())['verificationCode']).toBe(code);
    expect(expectOk(await phone.scan(sessionId))['verificationCodes']).toEqual(choices);
    expect(expectOk(await phone.confirm(sessionId, { code }))).toEqual({ status: 'CONFIRMED' });
    expect(expectOk(await phone.confirm(sessionId))).toEqual({ status: 'CONFIRMED' });
    expectOk(await browser.complete(sessionId));
  });

  it('is cancelled by a wrong choice, which the page is told; the right one comes too late', async () => {
    const { sessionId, browser, code, wrong } = await hosted();
    expectError(await phone.confirm(sessionId, { code: wrong, pin: phone.wrongPin() }), 403, 'wrong_verification_code');
    expectError(await phone.confirm(sessionId, { code }), 410, 'session_expired');
    expect(expectOk(await browser.status(sessionId))['status']).toBe('CANCELLED');
    const { reason, ...described } = expectOk(await browser.describe());
    expect([reason, described['verificationCode']]).toEqual(['WRONG_CODE', undefined]);
    // The wrong PIN was not judged.
    expect((await phone.judgePin((await hosted()).sessionId, { pin: phone.wrongPin() })).status).toBe(400);
  });

  it('is not approved without a choice, and goes on waiting for one', async () => {
    const { sessionId, code } = await hosted();
    for (const choice of [undefined, null, 42, 'abc'])
      expectError(await phone.confirm(sessionId, { code: choice as string }), 400, 'invalid_request', 'verification_code');
    expectOk(await phone.confirm(sessionId, { code }));
  });

  it('is decided by the first of all choices that are sent at once', async () => {
    const { sessionId, choices } = await hosted();
    const answers = await Promise.all(choices.map((code) => phone.confirm(sessionId, { code })));
    // If the right choice was first, the other ones repeat a confirmation, and also get 200.
    const isConfirmed = answers.some(({ status }) => status === 200);
    const again = await phone.confirm(sessionId, { code: choices[0]! });
    expect([again.status, expectOk(await shop.status({ sessionId }))['status']]).toEqual(isConfirmed ? [200, 'CONFIRMED'] : [410, 'CANCELLED']);
  });
});

describe('a client that is registered with verification_code', () => {
  it('gets the code of a pushed session for its own page, and of no other session', async () => {
    const subjectId = await coded.subjectOf(phone);
    const pushed = expectOk(await coded.post({ push: true, subject_id: subjectId }));
    expect(pushed['verificationCode']).toMatch(/^\d\d$/);
    const sessionId = pushed['sessionId'] as string;
    expectOk(await phone.scan(sessionId, { via: 'push' }));
    expectOk(await phone.confirm(sessionId, { code: pushed['verificationCode'] as string }));
    for (const body of [{}, { subject_id: subjectId }, { hosted_page: true, push: true, subject_id: subjectId }])
      expect(expectOk(await coded.post(body))).not.toHaveProperty('verificationCode');
  });

  it('may be changed, and no other client gets a code', async () => {
    const other = await RelyingParty.register(service);
    expect(expectOk(await other.post({ push: true, subject_id: await other.subjectOf(phone) }))).not.toHaveProperty('verificationCode');
    expectOk(await staff.call('PATCH', `/clients/${coded.clientId}`, { verification_code: false }));
    await pause(service.staleness);
    expect(expectOk(await coded.post({ push: true, subject_id: await coded.subjectOf(phone) }))).not.toHaveProperty('verificationCode');
    expectError(await staff.call('PATCH', `/clients/${coded.clientId}`, { verification_code: 'yes' }), 400, 'invalid_request', 'verification_code');
  });
});

describe('a session that is not pushed', () => {
  it('has no code, on the hosted page and on the phone', async () => {
    const login = await shop.login({ hosted_page: true });
    expect(expectOk(await new Browser(service).claim(login.handoffToken, representation))).not.toHaveProperty('verificationCode');
    expect(expectOk(await phone.scan(login.sessionId))).not.toHaveProperty('verificationCodes');
    expectOk(await phone.confirm(login.sessionId));
  });
});

describe('POST pin', () => {
  it('accepts the right PIN without a signature, counts a wrong one, and confirms nothing', async () => {
    const person = await staff.newPhone();
    const login = await shop.scanned(person);
    expectError(await person.judgePin(login.sessionId, { pin: person.wrongPin() }), 403, 'wrong_pin');
    expect(expectOk(await person.judgePin(login.sessionId))).toEqual({ accepted: true });
    expect(await shop.statusOf(login)).toBe('SCANNED');
    expectError(await phone.judgePin(login.sessionId), 404, 'session_not_found');
    expectOk(await person.confirm(login.sessionId));
    expect(expectOk(await person.judgePin(login.sessionId))).toEqual({ accepted: true });
  });
});
