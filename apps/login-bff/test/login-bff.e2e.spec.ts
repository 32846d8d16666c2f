import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { LocatingTokens, type SessionId } from '#kernel';
import { type SessionFixture, sessionFixture } from '#platform/testing';
import { CODE_CHALLENGE, REDIRECT_URI } from '#session/testing';

import { createLoginBffApp } from '../src/app.js';

const LOGIN_ORIGIN = 'http://localhost:3000';

let world: SessionFixture;
let app: NestFastifyApplication;

beforeAll(async () => {
  world = await sessionFixture();
  app = await createLoginBffApp(world.platform);
});

afterAll(async () => {
  world.platform.stop();
  await app.close();
  await world.platform.close();
});

interface Login {
  readonly sessionId: string;
  readonly handoffToken: string;
}

/** A stored session and its handoff token. */
const begin = async (hosted = true): Promise<Login> => {
  const { clock, randomness, keys, eventStore } = world.platform;
  const sessionId = randomness.uuid<SessionId>();
  const now = clock.now();
  await world.append(sessionId, {
    type: 'SessionCreated',
    data: {
      clientId: world.client.clientId,
      signatureType: 'AUTHENTICATION',
      redirectUri: REDIRECT_URI,
      codeChallenge: CODE_CHALLENGE,
      pushStatus: 'NOT_REQUESTED',
      ...(hosted && { handoffExpiresAt: now + 60_000 }),
      sealed: world.seal(sessionId, {}),
      at: now,
      expiresAt: now + 120_000,
    },
  });
  const [created] = await eventStore.read(`session-${sessionId}` as never);
  return { sessionId, handoffToken: new LocatingTokens(keys.token, 'handoff-token').make(sessionId, created?.id ?? '') };
};

const call = async (
  method: 'GET' | 'POST',
  path: string,
  options: { body?: object; cookie?: string | undefined; headers?: Record<string, string> } = {},
) => {
  const answer = await app.inject({
    method,
    url: `/login-ui/v1/session/${path}`,
    headers: { 'x-service-login': '1', ...(options.cookie && { cookie: `svc_login=${options.cookie}` }), ...options.headers },
    ...(options.body && { payload: options.body }),
  });
  return {
    status: answer.statusCode,
    body: answer.json<Record<string, unknown>>(),
    headers: answer.headers,
    cookie: answer.cookies.find(({ name }) => name === 'svc_login')?.value,
    setCookie: String(answer.headers['set-cookie'] ?? ''),
  };
};

const claim = (handoffToken: string, cookie?: string) => call('POST', 'claim', { body: { handoffToken }, cookie });

const claimed = async () => {
  const login = await begin();
  return { ...login, cookie: (await claim(login.handoffToken)).cookie };
};

describe('claim', () => {
  it('answers the session and sets the login cookie', async () => {
    const { sessionId, handoffToken } = await begin();
    const { status, body, setCookie } = await claim(handoffToken);
    expect(status).toBe(200);
    expect(body).toEqual({ sessionId, expiresAt: Math.floor(world.platform.clock.now() / 1000) + 120, relyingPartyName: 'Shop' });
    const [value, ...attributes] = setCookie.split('; ');
    expect(value).toMatch(/^svc_login=[A-Za-z0-9_-]{60,}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/login-ui/v1', 'SameSite=Lax', 'Secure']);
    expect(await world.events(sessionId)).toEqual(['SessionCreated', 'HandoffClaimed']);
  });

  it('answers the cookie to one of a hundred concurrent claims', async () => {
    const { handoffToken } = await begin();
    const answers = await Promise.all(Array.from({ length: 100 }, () => claim(handoffToken)));
    expect(answers.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.errorCode === 'invalid_handoff')).toHaveLength(99);
  });

  it('answers every cause of a refusal alike', async () => {
    const used = await begin();
    await claim(used.handoffToken);
    const late = await begin();
    world.platform.clock.advance(60_000);
    const scanned = await begin();
    await world.scan(scanned.sessionId);
    const notHosted = await begin(false);
    const fresh = await begin();
    const tokens = [used, late, scanned, notHosted].map(({ handoffToken }) => handoffToken);
    const answers = await Promise.all([...tokens, '', 'x'.repeat(5000), `${fresh.handoffToken.slice(0, -2)}AA`].map((token) => claim(token)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, body: { errorCode: 'invalid_handoff' } });
    expect((await claim(fresh.handoffToken)).status).toBe(200);
  });

  it.each([{}, { handoffToken: null }, { handoffToken: 1 }, { handoffToken: 'x', sessionId: 'y' }])(
    'refuses the body %j as invalid',
    async (body) => {
      expect(await call('POST', 'claim', { body })).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    },
  );
});

describe('the cookie', () => {
  it('shows the status of its login', async () => {
    const { sessionId, cookie } = await claimed();
    expect((await call('GET', `status?sessionId=${sessionId}`, { cookie })).body).toEqual({ status: 'PENDING', expiresAt: expect.any(Number) });
  });

  it.each(['GET status', 'POST completion'])('is checked before anything else: %s', async (endpoint) => {
    const [method, path] = endpoint.split(' ') as ['GET' | 'POST', string];
    expect(await call(method, path)).toMatchObject({ status: 401, body: { errorCode: 'no_login_cookie' } });
    expect(await call(method, path, { cookie: 'forged' })).toMatchObject({ status: 401, body: { errorCode: 'no_login_cookie' } });
    const { cookie } = await claimed();
    expect(await call(method, path, { cookie })).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    expect(await call(method, `${path}?sessionId=another`, { cookie })).toMatchObject({ status: 409, body: { errorCode: 'session_superseded' } });
  });

  it('lives for a minute after the end of its session', async () => {
    const { sessionId, cookie } = await claimed();
    world.platform.clock.advance(179_999);
    expect((await call('GET', `status?sessionId=${sessionId}`, { cookie })).body).toEqual({ status: 'EXPIRED' });
    world.platform.clock.advance(1);
    expect(await call('GET', `status?sessionId=${sessionId}`, { cookie })).toMatchObject({ status: 401, body: { errorCode: 'no_login_cookie' } });
  });

  it('completes the login once and is then cleared', async () => {
    const { sessionId, cookie } = await claimed();
    const completion = `completion?sessionId=${sessionId}`;
    expect(await call('POST', completion, { cookie })).toMatchObject({ status: 409, body: { errorCode: 'session_not_confirmed' } });
    await world.confirm(sessionId);
    const { status, body, setCookie } = await call('POST', completion, { cookie });
    expect(status).toBe(200);
    expect(body.redirect).toMatch(/^https:\/\/rp\.example\/callback\?tenant=1&code=/);
    expect(setCookie).toContain('svc_login=;');
    expect(await call('POST', completion, { cookie })).toMatchObject({ status: 409, body: { errorCode: 'session_already_completed' } });
  });
});

describe('a second login in the same browser', () => {
  it('supersedes the first', async () => {
    const first = await claimed();
    const second = await begin();
    const { cookie } = await claim(second.handoffToken, first.cookie);
    expect(await world.events(first.sessionId)).toEqual(['SessionCreated', 'HandoffClaimed', 'LoginSuperseded']);
    for (const held of [first.cookie, cookie]) {
      expect(await call('GET', `status?sessionId=${first.sessionId}`, { cookie: held })).toMatchObject({
        status: 409,
        body: { errorCode: 'session_superseded' },
      });
    }
    expect((await call('GET', `status?sessionId=${second.sessionId}`, { cookie })).body.status).toBe('PENDING');
  });

  it('leaves the first open when its token is invalid', async () => {
    const first = await claimed();
    await claim('nonsense', first.cookie);
    expect((await call('GET', `status?sessionId=${first.sessionId}`, { cookie: first.cookie })).body.status).toBe('PENDING');
  });

  it('affects neither phone nor client', async () => {
    const first = await claimed();
    await claim((await begin()).handoffToken, first.cookie);
    await world.confirm(first.sessionId);
    expect((await world.events(first.sessionId)).at(-1)).toBe('SessionConfirmed');
  });
});

describe('the header X-Service-Login', () => {
  it('is checked on every spelling of a path', async () => {
    for (const url of ['/%6cogin-ui/v1/session/claim', '/login-ui/v1/session/%63laim', '/login-ui/v1/nothing']) {
      const answer = await app.inject({ method: 'POST', url, payload: {} });
      expect([url, answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([url, 403, 'login_header_required']);
    }
  });

  it.each([{}, { 'x-service-login': '0' }, { 'x-service-login': '1, 1' }])('is checked before cookie and body: %j', async (headers) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/login-ui/v1/session/claim',
      headers: { 'content-type': 'application/json', ...headers },
      payload: '{broken',
    });
    expect([answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([403, 'login_header_required']);
  });

  it('is allowed by CORS to the login page only', async () => {
    const preflight = (origin: string) =>
      app.inject({
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
    const refused = await preflight('https://evil.example');
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    expect(refused.headers.vary).toContain('Origin');
  });
});
