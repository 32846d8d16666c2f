import { describe, expect, it } from '@jest/globals';

import { Browser, codeIn, expectError, expectOk, newCast, type Phone, secret } from '../support/index.js';

const { service, shop, staff, phone } = await newCast();

/** A hosted login that a phone has confirmed after a link, and the address to which the app returns. */
const confirmedByLink = async (by: Phone = phone) => {
  const { browser, login } = await shop.claimed();
  expectOk(await by.scan(login.sessionId, { via: 'link' }));
  const { returnUrl, ...answer } = expectOk(await by.confirm(login.sessionId));
  expect(answer).toEqual({ status: 'CONFIRMED' });
  return { browser, login, returnUrl: returnUrl as string };
};

const tokenIn = (returnUrl: string): string => secret('return token', new URL(returnUrl).hash.split('.')[1] ?? '');

describe('a hosted login that was opened by a link', () => {
  it('returns to {login_url}/#<sessionId>.<return token>, and repeats it', async () => {
    const { login, returnUrl } = await confirmedByLink();
    const start = `${service.loginUrl.replace(/\/+$/, '')}/#${login.sessionId}.`;
    expect(returnUrl.startsWith(start)).toBe(true);
    expect(returnUrl.slice(start.length)).toMatch(/^[\w-]{43,}$/);
    expect(expectOk(await phone.confirm(login.sessionId))['returnUrl']).toBe(returnUrl);
  });

  it('is finished with the token by the browser that comes back', async () => {
    const { browser, login, returnUrl } = await confirmedByLink();
    const { redirect } = expectOk(await browser.complete(login.sessionId, { return_token: tokenIn(returnUrl) }));
    expectOk(await shop.token(codeIn(redirect as string), login.verifier));
  });

  it.each([
    ['no body', undefined],
    ['no token', {}],
    ['null', { return_token: null }],
    ['an empty token', { return_token: '' }],
    ['a list', { return_token: ['x'] }],
    ['any text', { return_token: 'x'.repeat(2000) }],
  ])('return_token_required: with %s the browser that only waits gets nothing, and the login stays open', async (_, body) => {
    const { browser, login, returnUrl } = await confirmedByLink();
    expectError(await browser.complete(login.sessionId, body), 403, 'return_token_required');
    expectOk(await browser.complete(login.sessionId, { return_token: tokenIn(returnUrl) }));
  });

  it('takes no return token of another login, and no token without the cookie', async () => {
    const [one, other] = [await confirmedByLink(), await confirmedByLink(await staff.newPhone())];
    expectError(await one.browser.complete(one.login.sessionId, { return_token: tokenIn(other.returnUrl) }), 403, 'return_token_required');
    const stranger = new Browser(service);
    expectError(await stranger.complete(one.login.sessionId, { return_token: tokenIn(one.returnUrl) }), 401, 'no_login_cookie');
    expectError(await other.browser.complete(one.login.sessionId, { return_token: tokenIn(one.returnUrl) }), 409, 'session_superseded');
  });

  it('takes no second scan of the same phone as a scan of the code', async () => {
    const { browser, login } = await shop.claimed();
    expectOk(await phone.scan(login.sessionId, { via: 'link' }));
    expectOk(await phone.scan(login.sessionId, { via: 'qr' }));
    expectOk(await phone.confirm(login.sessionId));
    expectError(await browser.complete(login.sessionId), 403, 'return_token_required');
  });

  it('can be completed by the client itself', async () => {
    const { login } = await confirmedByLink();
    expectOk(await shop.complete(login));
  });
});

describe('via', () => {
  it.each(['qr', 'push', undefined, null])('%p: needs no return token', async (via) => {
    const { browser, login } = await shop.claimed();
    expectOk(await phone.scan(login.sessionId, { via }));
    expect(expectOk(await phone.confirm(login.sessionId))).toEqual({ status: 'CONFIRMED' });
    expectOk(await browser.complete(login.sessionId));
  });

  it('link: changes nothing on a page of the client', async () => {
    const login = await shop.login();
    expectOk(await phone.scan(login.sessionId, { via: 'link' }));
    expect(expectOk(await phone.confirm(login.sessionId))).toEqual({ status: 'CONFIRMED' });
    expectOk(await shop.complete(login));
  });

  it.each(['LINK', 'nfc', '', 1, ['link']])('may not be %p', async (via) => {
    const login = await shop.login();
    expectError(await phone.scan(login.sessionId, { via }), 400, 'invalid_request', 'via');
  });
});
