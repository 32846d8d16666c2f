import { describe, expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, NOT_OBJECTS, NOT_STRINGS, OTHER_TYPES, setCookie, UNKNOWN_SESSION } from '../support/index.js';

const PATH = '/login-ui/v1/session/claim';

const { service, shop, phone } = await newCast();

const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
  service.send({ method: 'POST', path: PATH, raw: body, headers: { 'x-service-login': '1', ...headers } });

describe('the response', () => {
  it('carries sessionId, expiresAt and relyingPartyName, and nothing else', async () => {
    const { sessionId, expiresAt, handoffToken } = await shop.login({ hosted_page: true });
    expect(expectOk(await new Browser(service).claim(handoffToken))).toEqual({ sessionId, expiresAt, relyingPartyName: shop.name });
  });

  it('carries the login cookie svc_login: HttpOnly, Secure, SameSite=Lax, Path=/login-ui/v1, this host only', async () => {
    const { handoffToken } = await shop.login({ hosted_page: true });
    const { value, attributes } = setCookie(await new Browser(service).claim(handoffToken))!;
    expect(value).toMatch(/^[A-Za-z0-9_-]{32,}$/);
    expect(attributes).toMatchObject({ httponly: '', secure: '', samesite: 'Lax', path: '/login-ui/v1' });
    for (const attribute of ['domain', 'max-age', 'expires']) expect(attributes).not.toHaveProperty(attribute);
  });

  it('the cookie is neither the token nor the sessionId', async () => {
    const browser = new Browser(service);
    const { handoffToken, sessionId } = await shop.login({ hosted_page: true });
    await browser.claim(handoffToken);
    expect([handoffToken, sessionId]).not.toContain(browser.cookie);
  });

  it('tells nothing about the user', async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    expectOk(await phone.scan(login.sessionId));
    expectOk(await phone.confirm(login.sessionId));
    expect(await shop.statusOf(login, 'CONFIRMED')).toBe('CONFIRMED');
    expect(expectOk(await browser.status(login.sessionId))).toEqual({ status: 'CONFIRMED' });
  });
});

describe('invalid_handoff', () => {
  it.each([
    ['a word', 'x'],
    ['empty', ''],
    ['long', 'x'.repeat(10_000)],
    ['hostile text', '\u0000\u202e🦊\ud800'],
    ['a UUID', UNKNOWN_SESSION],
  ])('token unknown: %s', async (_, token) => {
    const answer = await new Browser(service).claim(token);
    expectError(answer, 400, 'invalid_handoff');
    expect(setCookie(answer)).toBeUndefined();
  });

  it('token altered', async () => {
    const { handoffToken } = await shop.login({ hosted_page: true });
    for (const at of [0, 1, 10, 30, 50, handoffToken.length - 1]) {
      const altered = handoffToken.slice(0, at) + (handoffToken[at] === 'A' ? 'g' : 'A') + handoffToken.slice(at + 1);
      expectError(await new Browser(service).claim(altered), 400, 'invalid_handoff');
    }
    for (const altered of [`${handoffToken}A`, handoffToken.slice(0, -1), ` ${handoffToken}`, `${handoffToken}=`]) {
      expectError(await new Browser(service).claim(altered), 400, 'invalid_handoff');
    }
    expectOk(await new Browser(service).claim(handoffToken));
  });

  it('token already claimed, by another browser or by the same', async () => {
    const browser = new Browser(service);
    const { handoffToken, sessionId } = await shop.login({ hosted_page: true });
    expectOk(await browser.claim(handoffToken));
    expectError(await new Browser(service).claim(handoffToken), 400, 'invalid_handoff');
    expectError(await browser.claim(handoffToken), 400, 'invalid_handoff');
    expectOk(await browser.status(sessionId));
  });

  it('its session no longer pending: SCANNED, CONFIRMED, COMPLETED, CANCELLED', async () => {
    const changes = { hosted_page: true };
    const cancelled = await shop.login(changes);
    await shop.cancel(cancelled);
    for (const login of [await shop.scanned(phone, changes), await shop.confirmed(phone, changes), await shop.completed(phone, changes), cancelled]) {
      expectError(await new Browser(service).claim(login.handoffToken), 400, 'invalid_handoff');
    }
  });

  it('a code, a cookie or a sessionId is no token', async () => {
    const browser = new Browser(service);
    const { handoffToken } = await shop.login({ hosted_page: true });
    await browser.claim(handoffToken);
    const { code } = await shop.completed(phone);
    const plain = await shop.login();
    for (const token of [browser.cookie, code, plain.sessionId]) expectError(await new Browser(service).claim(token), 400, 'invalid_handoff');
  });
});

describe('invalid_request', () => {
  it.each([...NOT_STRINGS, ['missing', undefined]])('handoffToken is %s', async (_, token) => {
    expectError(await new Browser(service).claim(token), 400, 'invalid_request', 'handoffToken');
  });

  it.each(NOT_OBJECTS)('malformed body: %s', async (_, body) => {
    expectError(await raw(body), 400, 'invalid_request');
  });

  it.each(['sessionId', 'client_id', 'handoff_token', '__proto__'])('an unknown field is refused by its name: %s', async (field) => {
    expectError(await raw(`{"handoffToken":"x","${field}":"x"}`), 400, 'invalid_request', field);
  });

  it.each(OTHER_TYPES)('a body of type %p', async (type) => {
    expectError(await raw('{"handoffToken":"x"}', { 'content-type': type }), 415, 'invalid_request');
  });

  it('a body over 64 KiB', async () => {
    expectError(await raw('{"handoffToken":"x"}'.padEnd(65_537)), 413, 'invalid_request');
  });
});

describe('without hosted_page', () => {
  it('no browser can claim the session: sessionId alone opens nothing', async () => {
    const login = await shop.login();
    expectError(await new Browser(service).claim(login.sessionId), 400, 'invalid_handoff');
    expectError(await new Browser(service).status(login.sessionId), 401, 'no_login_cookie');
    expectError(await new Browser(service).complete(login.sessionId), 401, 'no_login_cookie');
  });
});

describe('no client credential', () => {
  it('is asked for, or looked at', async () => {
    const { handoffToken } = await shop.login({ hosted_page: true });
    const answer = await new Browser(service).call('POST', PATH, { handoffToken }, { authorization: 'Basic wrong' });
    expectOk(answer);
  });
});
