import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, NOT_UUIDS, RelyingParty, UNKNOWN_SESSION } from '../support/index.js';

const PATH = '/login-ui/v1/session/status';

const { service, shop, phone } = await newCast();

describe('the response', () => {
  it('is the same as of the relying-party status endpoint, in every status', async () => {
    const { browser, login } = await shop.claimed();
    const both = async (status: string) => {
      expect(await shop.statusOf(login, status)).toBe(status);
      expect(expectOk(await browser.status(login.sessionId))).toEqual(expectOk(await shop.status(login)));
    };
    await both('PENDING');
    await phone.scan(login.sessionId);
    await both('SCANNED');
    await phone.confirm(login.sessionId);
    await both('CONFIRMED');
    await shop.complete(login);
    await both('COMPLETED');
  });

  it('CANCELLED is seen by the page', async () => {
    const { browser, login } = await shop.claimed();
    await phone.scan(login.sessionId);
    await phone.decline(login.sessionId);
    await shop.statusOf(login, 'CANCELLED');
    expect(expectOk(await browser.status(login.sessionId))).toEqual({ status: 'CANCELLED' });
  });

  it('finds its cookie among others', async () => {
    const { browser, login } = await shop.claimed();
    const answer = await service.send({
      method: 'GET',
      path: `${PATH}?sessionId=${login.sessionId}`,
      headers: { 'x-service-login': '1', cookie: `a=b; svc_login_old=x; svc_login=${browser.cookie}; Svc_Login=y; z="1"` },
    });
    expectOk(answer);
  });
});

describe('no_login_cookie', () => {
  it('no cookie', async () => {
    const { login } = await shop.claimed();
    expectError(await new Browser(service).status(login.sessionId), 401, 'no_login_cookie');
  });

  it.each(['', 'x', 'null', 'x'.repeat(3000), '%00', 'a.b.c', '""', '====', UNKNOWN_SESSION])('a cookie that is none: %p', async (value) => {
    const { login } = await shop.claimed();
    const stranger = new Browser(service);
    stranger.cookie = value;
    expectError(await stranger.status(login.sessionId), 401, 'no_login_cookie');
  });

  it('an altered cookie', async () => {
    const { browser, login } = await shop.claimed();
    const cookie = browser.cookie!;
    for (const at of [0, 1, 10, 30, 50, cookie.length - 1]) {
      const stranger = new Browser(service);
      stranger.cookie = cookie.slice(0, at) + (cookie[at] === 'A' ? 'g' : 'A') + cookie.slice(at + 1);
      expectError(await stranger.status(login.sessionId), 401, 'no_login_cookie');
    }
  });

  it('a handoff token, a code or a sessionId is no cookie', async () => {
    const login = await shop.login({ hosted_page: true });
    const { code } = await shop.completed(phone);
    for (const value of [login.handoffToken, code, login.sessionId]) {
      const stranger = new Browser(service);
      stranger.cookie = value;
      expectError(await stranger.status(login.sessionId), 401, 'no_login_cookie');
    }
  });

  it('comes before a missing sessionId', async () => {
    expectError(await new Browser(service).call('GET', PATH), 401, 'no_login_cookie');
  });
});

describe('sessionId', () => {
  it.each([PATH, `${PATH}?sessionId=`, `${PATH}?sessionid=x`, `${PATH}?session_id=x`])('is required: %s', async (path) => {
    const { browser } = await shop.claimed();
    expectError(await browser.call('GET', path), 400, 'invalid_request', 'sessionId');
  });

  it('given twice is refused', async () => {
    const { browser, login } = await shop.claimed();
    expectError(await browser.call('GET', `${PATH}?sessionId=${login.sessionId}&sessionId=${login.sessionId}`), 400, 'invalid_request', 'sessionId');
  });

  it.each(NOT_UUIDS.filter((id) => !id.includes('%') && id.length < 100))(
    'only selects the login the page believes it shows; another is session_superseded: %s',
    async (sessionId) => {
      const { browser } = await shop.claimed();
      expectError(await browser.status(sessionId), 409, 'session_superseded');
    },
  );
});

describe('session_superseded', () => {
  it('a second login started in the same browser supersedes the first', async () => {
    const { browser, login: first } = await shop.claimed();
    const old = new Browser(service);
    old.cookie = browser.cookie;
    const { login: second } = await shop.claimed(browser);
    expectOk(await browser.status(second.sessionId));
    expectError(await browser.status(first.sessionId), 409, 'session_superseded');
    expectError(await old.status(first.sessionId), 409, 'session_superseded');
    expectError(await old.status(second.sessionId), 409, 'session_superseded');
  });

  it('a bad token supersedes nothing', async () => {
    const { browser, login } = await shop.claimed();
    expectError(await browser.claim('x'), 400, 'invalid_handoff');
    expectOk(await browser.status(login.sessionId));
  });

  it('a login in another browser supersedes nothing', async () => {
    const { browser, login } = await shop.claimed();
    await shop.claimed();
    expectOk(await browser.status(login.sessionId));
  });

  it('closes the hosted endpoints only: the phone, the status and the completion by the client still work', async () => {
    const { browser, login } = await shop.claimed();
    await shop.claimed(browser);
    expectOk(await phone.scan(login.sessionId));
    expectOk(await phone.confirm(login.sessionId));
    expect(await shop.statusOf(login, 'CONFIRMED')).toBe('CONFIRMED');
    expectOk(await shop.token(await shop.redeemableCode(login), login.verifier));
  });

  it('a login of another client supersedes as well', async () => {
    const { browser, login: first } = await shop.claimed();
    const other = await RelyingParty.register(service);
    const old = new Browser(service);
    old.cookie = browser.cookie;
    const second = await other.login({ hosted_page: true });
    expectOk(await browser.claim(second.handoffToken));
    expectError(await old.status(first.sessionId), 409, 'session_superseded');
  });

  it('an older tab gets 401 no_login_cookie once the second login has completed', async () => {
    const { browser, login: first } = await shop.claimed();
    const cookieOfFirst = browser.cookie;
    const { login: second } = await shop.claimed(browser);
    expectOk(await phone.scan(second.sessionId));
    expectOk(await phone.confirm(second.sessionId));
    expectOk(await browser.complete(second.sessionId));
    // The completion has deleted the cookie that both tabs share.
    expectError(await browser.status(first.sessionId), 401, 'no_login_cookie');
    expectError(await browser.complete(first.sessionId), 401, 'no_login_cookie');
    browser.cookie = cookieOfFirst;
    expectError(await browser.status(first.sessionId), 409, 'session_superseded');
  });

  it('a third login supersedes the second', async () => {
    const { browser, login: first } = await shop.claimed();
    const { login: second } = await shop.claimed(browser);
    const { login: third } = await shop.claimed(browser);
    expectError(await browser.status(first.sessionId), 409, 'session_superseded');
    expectError(await browser.status(second.sessionId), 409, 'session_superseded');
    expectOk(await browser.status(third.sessionId));
  });
});
