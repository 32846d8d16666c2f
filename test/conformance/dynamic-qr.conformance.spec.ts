import { createHmac } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, pause, RelyingParty } from '../support/index.js';

const { service, staff, shop, phone } = await newCast();
const dynamicShop = await RelyingParty.register(service, { dynamic_qr: true });

/** A session on the client's own page, and its frames. */
const selfHosted = async () => {
  const answer = expectOk(await dynamicShop.post());
  const sessionId = answer['sessionId'] as string;
  const secret = answer['qrSecret'] as string;
  const begunAt = Date.now();
  const frame = (t: number, of = sessionId) => ({
    t,
    a: createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${of}.${t}`).digest('base64url'),
  });
  const frameOfNow = () => frame(Math.floor((Date.now() - begunAt) / 1000));
  return { sessionId, secret, frame, frameOfNow };
};

const frameIn = (qrPayload: unknown) => {
  const query = new URL(String(qrPayload)).searchParams;
  return { t: Number(query.get('t')), a: query.get('a') ?? '' };
};

describe('a client that is registered with dynamic_qr', () => {
  it('gets qrSecret with a session on its own page, 256 bits in base64url; no other client does', async () => {
    expect((await selfHosted()).secret).toMatch(/^[\w-]{43}$/);
    expect(expectOk(await dynamicShop.post({ hosted_page: true }))).not.toHaveProperty('qrSecret');
    expect(expectOk(await shop.post())).not.toHaveProperty('qrSecret');
  });

  it('gets qrMode DYNAMIC beside qrSecret, and nowhere else', async () => {
    expect(expectOk(await dynamicShop.post())).toMatchObject({ qrMode: 'DYNAMIC', qrSecret: expect.any(String) });
    for (const answer of [await dynamicShop.post({ hosted_page: true }), await shop.post()]) expect(expectOk(answer)).not.toHaveProperty('qrMode');
  });

  it('gets the same one for the same Idempotency-Key, and others for other sessions', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const same = { state: 'the same', code_challenge: 'c'.repeat(43) };
    const first = expectOk(await dynamicShop.post(same, key));
    expect(expectOk(await dynamicShop.post(same, key))).toEqual(first);
    expect((await selfHosted()).secret).not.toBe(first['qrSecret']);
  });

  it('has a frame accepted that was made with it just now, and the repetition of that scan', async () => {
    const { sessionId, frameOfNow } = await selfHosted();
    const shown = expectOk(await phone.scan(sessionId, frameOfNow()));
    expect(expectOk(await phone.scan(sessionId))).toEqual(shown);
    expectOk(await phone.confirm(sessionId));
  });
});

describe('invalid_qr', () => {
  it('is the answer to no frame, a frame of another time, of another session or of no session; the session stays PENDING', async () => {
    const { sessionId, frame, frameOfNow } = await selfHosted();
    const other = await selfHosted();
    const { t, a } = frame(0);
    for (const body of [
      {},
      { t },
      { a },
      { t: null, a: null },
      frame(60),
      frame(-60),
      { t, a: '' },
      { t: 1, a },
      other.frame(0),
      other.frame(0, sessionId),
    ])
      expectError(await phone.scan(sessionId, body), 400, 'invalid_qr');
    const { defaultTranslation } = (await phone.scan(sessionId, {})).json as Record<string, string>;
    expect(defaultTranslation).toMatch(/no frame.*\bt and a\b.*docs\/relying-party\/frames\.md/);
    for (const via of ['link', 'push', 'qr']) expectError(await phone.scan(sessionId, { via }), 400, 'invalid_qr');
    expectOk(await phone.scan(sessionId, frameOfNow()));
  });

  it('is never the answer for a client with static codes', async () => {
    const login = await shop.login();
    expectOk(await phone.scan(login.sessionId, { t: 99_999, a: 'x' }));
  });
});

describe('the preview of a session with a code that changes', () => {
  it('takes a frame of now, and the device scans by the admission of the answer', async () => {
    const { sessionId, frameOfNow } = await selfHosted();
    const { admission } = expectOk(await phone.preview(sessionId, frameOfNow()));
    expectOk(await phone.scan(sessionId, { admission }));
  });

  it('is refused without a frame of now; the session stays PENDING', async () => {
    const { sessionId, frame, frameOfNow } = await selfHosted();
    for (const wrong of [{}, frame(60), { t: 0, a: 'x' }]) expectError(await phone.preview(sessionId, wrong), 400, 'invalid_qr');
    expectError(await phone.preview(sessionId, { t: 'x' }), 400, 'invalid_request');
    expectOk(await phone.scan(sessionId, frameOfNow()));
  });

  it('admits no other device, and to no other session', async () => {
    const [{ sessionId, frameOfNow }, another] = [await selfHosted(), await selfHosted()];
    const { admission } = expectOk(await phone.preview(sessionId, frameOfNow()));
    const thief = await staff.newPhone();
    expectError(await thief.scan(sessionId, { admission }), 400, 'invalid_qr');
    expectError(await phone.scan(another.sessionId, { admission }), 400, 'invalid_qr');
    for (const forged of ['', 'x', `${String(admission)}A`]) expectError(await phone.scan(sessionId, { admission: forged }), 400, 'invalid_qr');
  });

  it('has no admission for a client with static codes', async () => {
    const { sessionId } = await shop.login();
    expect(expectOk(await phone.preview(sessionId, { t: 1, a: 'x' }))).not.toHaveProperty('admission');
  });
});

describe('the hosted page', () => {
  it('gets the code of now with the claim and with the status while the login is PENDING, and never the secret', async () => {
    const login = await dynamicShop.login({ hosted_page: true });
    const browser = new Browser(service);
    const claim = expectOk(await browser.claim(login.handoffToken, { prefer: 'return=representation' }));
    const status = expectOk(await browser.status(login.sessionId));
    for (const { qrPayload } of [claim, status, expectOk(await browser.describe())]) {
      const url = new URL(String(qrPayload));
      expect(url.searchParams.get('sessionId')).toBe(login.sessionId);
      expect(url.searchParams.get('returnUrl')).toBe(`${service.loginUrl.replace(/\/+$/, '')}/#r`);
      expect([...url.searchParams.keys()]).toEqual(['sessionId', 'returnUrl', 't', 'a']);
    }
    expectOk(await phone.scan(login.sessionId, frameIn(status['qrPayload'])));
    const later = `/login-ui/v1/session/status?sessionId=${login.sessionId}&since=PENDING`;
    const scanned = expectOk(await browser.call('GET', later, undefined, { prefer: 'wait=20' }));
    expect([scanned['status'], scanned['qrPayload']]).toEqual(['SCANNED', undefined]);
  });

  it('gets none for a client with static codes', async () => {
    const { browser, login } = await shop.claimed();
    expect(expectOk(await browser.status(login.sessionId))).not.toHaveProperty('qrPayload');
  });
});

describe('a pushed session', () => {
  it('needs no frame, since it comes without a code', async () => {
    const person = await staff.newPhone();
    const changed = await RelyingParty.register(service);
    const subjectId = await changed.subjectOf(person);
    expectOk(await staff.call('PATCH', `/clients/${changed.clientId}`, { dynamic_qr: true }));
    await pause(service.staleness);
    const login = await changed.login({ push: true, subject_id: subjectId });
    expect(login.pushStatus).toBe('DISPATCHED');
    expectOk(await person.scan(login.sessionId, { via: 'push' }));
  });
});
