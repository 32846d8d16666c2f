import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, HASH, type HostedLogin, newCast, type Phone, Staff } from '../support/index.js';

const { service, shop, phone } = await newCast();

const WHOLE = { prefer: 'return=representation' };

const claimed = (changes: Record<string, unknown> = {}): Promise<HostedLogin> => shop.claimed(new Browser(service), changes);

const SIGNING = { signature_type: 'SIGNING', code_challenge: undefined, code_challenge_method: undefined, signed_data_hash: HASH };

const statusOf = async ({ browser, login }: HostedLogin, wanted: string): Promise<Record<string, unknown>> => {
  await shop.statusOf(login, wanted);
  return expectOk(await browser.describe());
};

describe('GET session', () => {
  it('describes the login of the cookie without being told its id', async () => {
    const { browser, login } = await claimed();
    const { host, origin } = new URL(shop.redirectUri);
    expect(expectOk(await browser.describe())).toEqual({
      sessionId: login.sessionId,
      status: 'PENDING',
      expiresAt: login.expiresAt,
      signatureType: 'AUTHENTICATION',
      pushStatus: 'NOT_REQUESTED',
      relyingPartyName: shop.name,
      relyingPartyDomain: host,
      relyingPartyUrl: `${origin}/`,
    });
  });

  it('names the document of a signature, its size and its hash', async () => {
    const { browser } = await claimed({ ...SIGNING, signed_data_name: 'contract.pdf', signed_data_size: 14_200 });
    expect(expectOk(await browser.describe())).toMatchObject({
      signatureType: 'SIGNING',
      signedDataName: 'contract.pdf',
      signedDataSize: 14_200,
      signedDataHash: HASH,
    });
  });

  it('names neither the scanning person nor the texts of the client', async () => {
    const { browser, login } = await claimed({ title: 'A title for the phone alone' });
    await phone.scan(login.sessionId);
    const { text } = await browser.describe();
    for (const hidden of [login.state, 'A title for the phone alone', phone.deviceId, login.challenge]) expect(text).not.toContain(hidden);
  });

  it('is refused without a cookie, with a forged one, and after another login superseded it', async () => {
    expectError(await new Browser(service).describe(), 401, 'no_login_cookie');
    const forger = new Browser(service);
    forger.cookie = 'forged';
    expectError(await forger.describe(), 401, 'no_login_cookie');
    const { browser } = await claimed();
    const older = browser.cookie;
    expectOk(await browser.claim((await shop.login({ hosted_page: true })).handoffToken));
    browser.cookie = older;
    expectError(await browser.describe(), 409, 'session_superseded');
  });

  it('says that the phone declined', async () => {
    const opened = await claimed();
    await phone.scan(opened.login.sessionId);
    await phone.decline(opened.login.sessionId);
    expect(await statusOf(opened, 'CANCELLED')).toMatchObject({ status: 'CANCELLED', reason: 'DECLINED' });
  });

  it('says that the relying party withdrew', async () => {
    const opened = await claimed();
    await shop.cancel(opened.login);
    expect(await statusOf(opened, 'CANCELLED')).toMatchObject({ reason: 'WITHDRAWN' });
  });
});

describe('POST claim', () => {
  it('answers the description where Prefer: return=representation asks for it', async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    const answer = await browser.claim(login.handoffToken, WHOLE);
    expect(expectOk(answer)).toEqual(expectOk(await browser.describe()));
    expect(answer.headers['preference-applied']).toEqual('return=representation');
  });
});

describe('DELETE session', () => {
  it('withdraws the request, from PENDING and SCANNED', async () => {
    for (const scanned of [false, true]) {
      const { browser, login } = await claimed();
      if (scanned) await phone.scan(login.sessionId);
      expect((await browser.withdraw(login.sessionId)).status).toBe(204);
      expect(await statusOf({ browser, login }, 'CANCELLED')).toMatchObject({ reason: 'WITHDRAWN' });
      expectError(await phone.confirm(login.sessionId), 410, 'session_expired');
    }
  });

  it('may be repeated', async () => {
    const { browser, login } = await claimed();
    for (let times = 0; times < 2; times++) expect((await browser.withdraw(login.sessionId)).status).toBe(204);
  });

  it('comes too late for a confirmed login, which continues', async () => {
    const { browser, login } = await claimed();
    await phone.scan(login.sessionId);
    await phone.confirm(login.sessionId);
    expectError(await browser.withdraw(login.sessionId), 409, 'session_not_cancellable');
    expectOk(await browser.complete(login.sessionId));
  });

  it('of a cancel and a confirm at once, one wins', async () => {
    const { browser, login } = await claimed();
    await phone.scan(login.sessionId);
    const [withdrawn, confirmed] = await Promise.all([browser.withdraw(login.sessionId), phone.confirm(login.sessionId)]);
    expect([
      [204, 410],
      [409, 200],
    ]).toContainEqual([withdrawn.status, confirmed.status]);
  });

  it('is checked like a completion: header, cookie, id, login', async () => {
    const { browser, login } = await claimed();
    const bare = await service.send({ method: 'DELETE', path: `/login-ui/v1/session?sessionId=${login.sessionId}` });
    expectError(bare, 403, 'login_header_required');
    expectError(await new Browser(service).withdraw(login.sessionId), 401, 'no_login_cookie');
    expectError(await browser.withdraw(''), 400, 'invalid_request');
    const other = await claimed();
    expectError(await browser.withdraw(other.login.sessionId), 409, 'session_superseded');
    expect(await shop.statusOf(other.login)).toBe('PENDING');
  });
});

describe('POST push', () => {
  const pushed = async (): Promise<HostedLogin & { own: Phone }> => {
    const own = await new Staff(service).newPhone();
    const subject = await shop.subjectOf(own);
    return { ...(await claimed({ push: true, subject_id: subject })), own };
  };

  it('sends the request once more; the phone still shows it once', async () => {
    const { browser, login, own } = await pushed();
    expect(expectOk(await browser.pushAgain(login.sessionId))).toEqual({ pushStatus: 'DISPATCHED' });
    expect(await own.pendingIds()).toEqual([login.sessionId]);
  });

  it('does nothing for a login that was not pushed', async () => {
    const { browser, login } = await claimed();
    expect(expectOk(await browser.pushAgain(login.sessionId))).toEqual({ pushStatus: 'NOT_REQUESTED' });
  });

  it('is refused once a phone has the request, and after its end', async () => {
    const { browser, login, own } = await pushed();
    await own.scan(login.sessionId);
    expectError(await browser.pushAgain(login.sessionId), 409, 'session_already_scanned');
    await own.decline(login.sessionId);
    await shop.statusOf(login, 'CANCELLED');
    expectError(await browser.pushAgain(login.sessionId), 410, 'session_expired');
  });
});
