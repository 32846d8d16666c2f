import { describe, expect, it } from '@jest/globals';

import { basic, Browser, expectError, expectOk, newCast, SigningClient, UNKNOWN_SESSION } from '../support/index.js';

const { service, shop, phone } = await newCast();

/** The specification's table "Errors", row by row; `support/universal-rules.ts` holds every answer of the suite against the shape. */
describe('the error envelope', () => {
  it('is errorCode, defaultTranslation, resultMessageLangCode and payload null', async () => {
    const { json } = await shop.status({ sessionId: UNKNOWN_SESSION });
    expect(json).toEqual({ errorCode: 'session_not_found', defaultTranslation: expect.any(String), resultMessageLangCode: 'en', payload: null });
  });

  it('is JSON in UTF-8 whatever the caller accepts', async () => {
    for (const accept of ['text/html', 'application/xml', '*/*', 'nonsense']) {
      const answer = await shop.call('GET', `/relying-party/v1/session/${UNKNOWN_SESSION}/status`, undefined, { accept, 'accept-language': 'et' });
      expectError(answer, 404, 'session_not_found');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

describe('each row', () => {
  it('400 invalid_request: POST session', async () => expectError(await shop.post({ redirect_uri: 'https://x.example/' }), 400, 'invalid_request'));
  it('400 invalid_request: POST token', async () => expectError(await shop.token('', ''), 400, 'invalid_request'));
  it('400 invalid_request: GET result', async () => expectError(await shop.result(await shop.login()), 400, 'invalid_request'));
  it('400 invalid_scope: POST session', async () =>
    expectError(await shop.post({ properties: Buffer.from('{"attributes":["email"]}').toString('base64url') }), 400, 'invalid_scope'));
  it('400 invalid_grant: POST token', async () => expectError(await shop.token('x', 'a'.repeat(43)), 400, 'invalid_grant'));
  it('400 invalid_handoff: POST claim', async () => expectError(await new Browser(service).claim('x'), 400, 'invalid_handoff'));
  it('401 none (no envelope): Basic authentication failed', async () => {
    const answer = await service.send({
      method: 'POST',
      path: '/relying-party/v1/session',
      headers: { authorization: basic(shop.clientId, 'wrong') },
    });
    expect([answer.status, answer.text]).toEqual([401, '']);
  });
  it('401 no_login_cookie: hosted status and completion', async () => {
    expectError(await new Browser(service).status(UNKNOWN_SESSION), 401, 'no_login_cookie');
    expectError(await new Browser(service).complete(UNKNOWN_SESSION), 401, 'no_login_cookie');
  });
  it('404 session_not_found: status, completion, result', async () => {
    for (const answer of [
      await shop.status({ sessionId: UNKNOWN_SESSION }),
      await shop.complete({ sessionId: UNKNOWN_SESSION }),
      await shop.result({ sessionId: UNKNOWN_SESSION }),
    ]) {
      expectError(answer, 404, 'session_not_found');
    }
  });
  it('409 session_already_completed: completion', async () =>
    expectError(await shop.complete(await shop.completed(phone)), 409, 'session_already_completed'));
  it('409 not_signed: result', async () => expectError(await shop.result(await SigningClient.of(shop).begin()), 409, 'not_signed'));
  it('409 session_superseded: hosted status and completion', async () => {
    const browser = new Browser(service);
    await browser.claim((await shop.login({ hosted_page: true })).handoffToken);
    expectError(await browser.status(UNKNOWN_SESSION), 409, 'session_superseded');
    expectError(await browser.complete(UNKNOWN_SESSION), 409, 'session_superseded');
  });
});

describe('paths', () => {
  it.each([
    '/',
    '/relying-party',
    '/login-ui/v1/nothing',
    '/app/v1/nothing',
    '/nothing',
    '/%zz',
    '/..%2f',
    '//',
    '/admin',
    '/relying-partyx/v1/session',
  ])('an unknown one is 4xx and never a failure: %s', async (path) => {
    const { status } = await service.sendUnchecked({ method: 'GET', path, headers: { 'x-service-login': '1' } });
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(500);
  });

  it.each(['/v1/session', '/relying-party/session', '/relying-party/v2/session', '/login-ui/v2/session/claim', '/relying-party/v1/Session'])(
    'all endpoints carry a v1 segment; nothing answers at %s',
    async (path) => {
      const answer = await shop.call('POST', path, {}, { 'x-service-login': '1' });
      expect(answer.status).toBe(404);
    },
  );

  it('every path has one spelling: a slash more is another path', async () => {
    const { status } = await shop.call('POST', '/relying-party/v1/session/', shop.sessionBody());
    expect(status).toBe(404);
  });
});

describe('headers of hostile requests', () => {
  it.each([
    ['a request id with a line break in it', { 'x-request-id': 'a%0d%0ab' }],
    ['a request id of 8 KiB', { 'x-request-id': 'x'.repeat(8000) }],
    ['another host', { host: 'evil.example' }],
    ['forwarded headers', { 'x-forwarded-for': "'; DROP TABLE", 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }],
    ['a method override', { 'x-http-method-override': 'DELETE' }],
    ['a long cookie', { cookie: `svc_login=${'x'.repeat(8000)}` }],
  ])('%s changes nothing', async (_, headers) => {
    const login = await shop.login();
    expect(expectOk(await shop.status(login, headers as Record<string, string>))['status']).toBe('PENDING');
  });
});
