import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { loginBffFixture } from './login-bff.fixture.js';

const LOGIN_ORIGIN = 'http://localhost:3000';

let api: Awaited<ReturnType<typeof loginBffFixture>>;

beforeAll(async () => {
  api = await loginBffFixture();
});

afterAll(() => api.close());

describe('claim', () => {
  it('answers the session and sets the login cookie', async () => {
    const { sessionId, handoffToken } = await api.begin();
    const { status, body, setCookie } = await api.claim(handoffToken);
    expect(status).toBe(200);
    expect(body).toEqual({ sessionId, expiresAt: Math.floor(api.platform.clock.now() / 1000) + 120, relyingPartyName: 'Shop' });
    const [value, ...attributes] = setCookie.split('; ');
    expect(value).toMatch(/^svc_login=[A-Za-z0-9_-]{60,}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/login-ui/v1', 'SameSite=Lax', 'Secure']);
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'HandoffClaimed']);
  });

  it('answers the cookie to one of a hundred concurrent claims', async () => {
    const { handoffToken } = await api.begin();
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.claim(handoffToken)));
    expect(answers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.errorCode === 'invalid_handoff')).toHaveLength(99);
  });

  it('answers every cause of a refusal alike', async () => {
    const used = await api.begin();
    await api.claim(used.handoffToken);
    const late = await api.begin();
    api.platform.clock.advance(60_000);
    const scanned = await api.begin();
    await api.scan(scanned.sessionId);
    const notHosted = await api.begin(false);
    const fresh = await api.begin();
    const tokens = [used, late, scanned, notHosted].map(({ handoffToken }) => handoffToken);
    const answers = await Promise.all([...tokens, '', 'x'.repeat(5000), `${fresh.handoffToken.slice(0, -2)}AA`].map((token) => api.claim(token)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, body: { errorCode: 'invalid_handoff' } });
    expect((await api.claim(fresh.handoffToken)).status).toBe(200);
  });

  it.each([{}, { handoffToken: null }, { handoffToken: 1 }, { handoffToken: 'x', sessionId: 'y' }])(
    'refuses the body %j as invalid',
    async (body) => {
      expect(await api.call('POST', 'claim', { body })).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    },
  );
});

describe('the cookie', () => {
  it('shows the status of its login', async () => {
    const { sessionId, cookie } = await api.claimed();
    expect((await api.call('GET', `status?sessionId=${sessionId}`, { cookie })).body).toEqual({ status: 'PENDING', expiresAt: expect.any(Number) });
  });

  it.each(['GET status', 'POST completion'])('is checked before anything else: %s', async (endpoint) => {
    const [method, path] = endpoint.split(' ') as ['GET' | 'POST', string];
    expect(await api.call(method, path)).toMatchObject({ status: 401, body: { errorCode: 'no_login_cookie' } });
    expect(await api.call(method, path, { cookie: 'forged' })).toMatchObject({ status: 401, body: { errorCode: 'no_login_cookie' } });
    const { cookie } = await api.claimed();
    expect(await api.call(method, path, { cookie })).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    expect(await api.call(method, `${path}?sessionId=another`, { cookie })).toMatchObject({ status: 409, body: { errorCode: 'session_superseded' } });
  });

  it.each([
    ['before', (good: string) => `svc_login=bad; svc_login=${good}`],
    ['behind', (good: string) => `svc_login=${good}; svc_login=bad`],
    ['on both sides of', (good: string) => `svc_login=${'A'.repeat(good.length)}; svc_login=${good}; other=1; svc_login=`],
  ])('counts although the browser sends a bad one %s it', async (_, header) => {
    const { sessionId, cookie } = await api.claimed();
    const headers = { cookie: header(cookie ?? '') };
    expect(await api.call('GET', `status?sessionId=${sessionId}`, { headers })).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    expect((await api.app.inject({ url: '/login-ui/v1/session', headers: { 'x-service-login': '1', ...headers } })).json()).toMatchObject({
      sessionId,
    });
    const second = await api.begin();
    expect((await api.call('POST', 'claim', { body: { handoffToken: second.handoffToken }, headers })).status).toBe(200);
    expect(await api.call('POST', `completion?sessionId=${sessionId}`, { headers })).toMatchObject({
      status: 409,
      body: { errorCode: 'session_superseded' },
    });
  });

  it('is valid for a minute after the end of its session', async () => {
    const { sessionId, cookie } = await api.claimed();
    api.platform.clock.advance(179_999);
    expect((await api.call('GET', `status?sessionId=${sessionId}`, { cookie })).body).toEqual({ status: 'EXPIRED' });
    api.platform.clock.advance(1);
    expect(await api.call('GET', `status?sessionId=${sessionId}`, { cookie })).toMatchObject({ status: 401, body: { errorCode: 'no_login_cookie' } });
  });

  it('completes the login once and is then cleared', async () => {
    const { sessionId, cookie } = await api.claimed();
    const completion = `completion?sessionId=${sessionId}`;
    expect(await api.call('POST', completion, { cookie })).toMatchObject({ status: 409, body: { errorCode: 'session_not_confirmed' } });
    await api.confirm(sessionId);
    const { status, body, setCookie } = await api.call('POST', completion, { cookie });
    expect(status).toBe(200);
    expect(body.redirect).toMatch(/^https:\/\/rp\.example\/callback\?tenant=1&code=/);
    expect(setCookie).toContain('svc_login=;');
    expect(await api.call('POST', completion, { cookie })).toMatchObject({ status: 409, body: { errorCode: 'session_already_completed' } });
  });
});

describe('a second login in the same browser', () => {
  it('supersedes the first', async () => {
    const first = await api.claimed();
    const second = await api.begin();
    const { cookie } = await api.claim(second.handoffToken, first.cookie);
    expect(await api.events(first.sessionId)).toEqual(['SessionCreated', 'HandoffClaimed', 'LoginSuperseded']);
    for (const held of [first.cookie, cookie]) {
      expect(await api.call('GET', `status?sessionId=${first.sessionId}`, { cookie: held })).toMatchObject({
        status: 409,
        body: { errorCode: 'session_superseded' },
      });
    }
    expect((await api.call('GET', `status?sessionId=${second.sessionId}`, { cookie })).body.status).toBe('PENDING');
  });

  it('leaves the first open when its token is invalid', async () => {
    const first = await api.claimed();
    await api.claim('nonsense', first.cookie);
    expect((await api.call('GET', `status?sessionId=${first.sessionId}`, { cookie: first.cookie })).body.status).toBe('PENDING');
  });

  it('affects neither phone nor client', async () => {
    const first = await api.claimed();
    await api.claim((await api.begin()).handoffToken, first.cookie);
    await api.confirm(first.sessionId);
    expect((await api.events(first.sessionId)).at(-1)).toBe('SessionConfirmed');
  });
});

describe('the header X-Service-Login', () => {
  it('is checked on every spelling of a path', async () => {
    for (const url of ['/%6cogin-ui/v1/session/claim', '/login-ui/v1/session/%63laim', '/login-ui/v1/nothing']) {
      const answer = await api.app.inject({ method: 'POST', url, payload: {} });
      expect([url, answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([url, 403, 'login_header_required']);
    }
  });

  it.each([{}, { 'x-service-login': '0' }, { 'x-service-login': '1, 1' }])('is checked before cookie and body: %j', async (headers) => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/login-ui/v1/session/claim',
      headers: { 'content-type': 'application/json', ...headers },
      payload: '{broken',
    });
    expect([answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([403, 'login_header_required']);
  });

  it('is allowed by CORS to the login page only', async () => {
    const preflight = (origin: string) =>
      api.app.inject({
        method: 'OPTIONS',
        url: '/login-ui/v1/session/claim',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-service-login,content-type' },
      });
    const allowed = await preflight(LOGIN_ORIGIN);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': LOGIN_ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': expect.stringMatching(/x-service-login/i),
      vary: expect.stringContaining('Origin'),
    });
    const { headers } = await api.app.inject({ url: '/login-ui/v1/session', headers: { origin: LOGIN_ORIGIN, 'x-service-login': '1' } });
    expect(headers['access-control-expose-headers']).toBe('Preference-Applied, Date, Retry-After');
    const refused = await preflight('https://evil.example');
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    expect(refused.headers.vary).toContain('Origin');
  });
});
