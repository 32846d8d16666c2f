import { describe, expect, it } from '@jest/globals';

import { Browser, codeIn, expectError, expectOk, type HostedLogin, newCast, setCookie } from '../support/index.js';

const PATH = '/login-ui/v1/session/completion';

const { service, shop, phone } = await newCast();

const confirmed = async (): Promise<HostedLogin> => {
  const { browser, login } = await shop.claimed();
  expectOk(await phone.scan(login.sessionId));
  expectOk(await phone.confirm(login.sessionId));
  return { browser, login };
};

describe('the response', () => {
  it('is the same { redirect } as of the relying-party completion, and leads to a subjectId', async () => {
    const { browser, login } = await confirmed();
    const answer = expectOk(await browser.complete(login.sessionId));
    expect(Object.keys(answer)).toEqual(['redirect']);
    const url = new URL(answer['redirect'] as string);
    expect(`${url.origin}${url.pathname}`).toBe(shop.redirectUri);
    expect(url.searchParams.get('state')).toBe(login.state);
    expectOk(await shop.token(codeIn(url.href), login.verifier));
  });

  it('clears the cookie on success', async () => {
    const { browser, login } = await confirmed();
    const { value, attributes } = setCookie(await browser.complete(login.sessionId))!;
    expect(value).toBe('');
    expect(attributes['path']).toBe('/login-ui/v1');
    expect(attributes['max-age'] === '0' || Date.parse(attributes['expires'] ?? '') < Date.now()).toBe(true);
    expect(browser.cookie).toBeUndefined();
    expectError(await browser.status(login.sessionId), 401, 'no_login_cookie');
  });

  it('is single-use, for the client too', async () => {
    const { browser, login } = await confirmed();
    const replay = new Browser(service);
    replay.cookie = browser.cookie;
    expectOk(await browser.complete(login.sessionId));
    expectError(await shop.complete(login), 409, 'session_already_completed');
    expectError(await replay.complete(login.sessionId), 409, 'session_already_completed');
  });

  it("answers session_already_completed after the client's own completion", async () => {
    const { browser, login } = await confirmed();
    await shop.redeemableCode(login);
    expectError(await browser.complete(login.sessionId), 409, 'session_already_completed');
  });

  it('needs no body, and any is ignored', async () => {
    const { browser, login } = await confirmed();
    const answer = await service.send({
      method: 'POST',
      path: `${PATH}?sessionId=${login.sessionId}`,
      headers: { 'x-service-login': '1', cookie: `svc_login=${browser.cookie}`, 'content-type': 'text/plain' },
      raw: '{',
    });
    codeIn(expectOk(answer)['redirect'] as string);
  });
});

describe('session_not_confirmed', () => {
  it('is the answer before the confirmation; the cookie stays', async () => {
    const { browser, login } = await shop.claimed();
    const answer = await browser.complete(login.sessionId);
    expectError(answer, 409, 'session_not_confirmed');
    expect(setCookie(answer)).toBeUndefined();
    await phone.scan(login.sessionId);
    expectError(await browser.complete(login.sessionId), 409, 'session_not_confirmed');
    await phone.confirm(login.sessionId);
    expectOk(await browser.complete(login.sessionId));
  });

  it('is the answer after a refusal', async () => {
    const { browser, login } = await shop.claimed();
    await phone.scan(login.sessionId);
    await phone.decline(login.sessionId);
    expectError(await browser.complete(login.sessionId), 409, 'session_not_confirmed');
  });
});

describe('no_login_cookie', () => {
  it('no cookie, or a forged one', async () => {
    const { login } = await confirmed();
    expectError(await new Browser(service).complete(login.sessionId), 401, 'no_login_cookie');
    const stranger = new Browser(service);
    stranger.cookie = 'x';
    expectError(await stranger.complete(login.sessionId), 401, 'no_login_cookie');
  });

  it('comes before a missing sessionId', async () => {
    expectError(await new Browser(service).call('POST', PATH), 401, 'no_login_cookie');
  });
});

describe('sessionId', () => {
  it('is required', async () => {
    const { browser } = await confirmed();
    expectError(await browser.call('POST', PATH), 400, 'invalid_request', 'sessionId');
  });
});

describe('session_superseded', () => {
  it('the cookie belongs to a different login', async () => {
    const { browser } = await confirmed();
    const { login: other } = await confirmed();
    expectError(await browser.complete(other.sessionId), 409, 'session_superseded');
  });

  it('a second login in the same browser closes the completion of the first', async () => {
    const { browser, login: first } = await confirmed();
    const old = new Browser(service);
    old.cookie = browser.cookie;
    const { login: second } = await shop.claimed(browser);
    expectError(await old.complete(first.sessionId), 409, 'session_superseded');
    expectError(await browser.complete(first.sessionId), 409, 'session_superseded');
    expectError(await browser.complete(second.sessionId), 409, 'session_not_confirmed');
  });
});
