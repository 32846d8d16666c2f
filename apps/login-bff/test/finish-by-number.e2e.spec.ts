import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { streamName } from '#engines/event-store';
import { LocatingTokens, type SessionId } from '#kernel';
import { FinishNumbers } from '#domain/session';
import { DEVICE } from '#testkit/session/session-history';

import { loginBffFixture } from './login-bff.fixture.js';

let api: Awaited<ReturnType<typeof loginBffFixture>>;

beforeAll(async () => {
  api = await loginBffFixture();
});
afterAll(() => api.close());

/** A login that a browser has claimed, and that a phone has confirmed after a link. */
const confirmedByLink = async ({ finishByNumber = true, via = 'link' as 'link' | 'push' | 'qr' } = {}) => {
  const { platform, client, identityId } = api;
  const at = platform.clock.now();
  const sessionId = await api.beginWith(client.clientId, { handoffExpiresAt: at + 60_000, ...(finishByNumber && { finishByNumber: true }) });
  const stream = streamName('session', sessionId);
  const [created] = await platform.eventStore.read(stream);
  const { cookie } = await api.claim(new LocatingTokens(platform.keys.token, 'handoff-token').make(sessionId, created?.id ?? ''));
  const scan = { deviceId: DEVICE, identityId, sealed: api.seal(sessionId, {}), at, ...(via !== 'qr' && { via }) };
  await api.append(sessionId, { type: 'SessionScanned', data: scan });
  await api.append(sessionId, { type: 'SessionConfirmed', data: { signature: 'c2lnbmF0dXJl', codeExpiresAt: at + 60_000, at } });
  const events = await platform.eventStore.read(stream);
  const [scanned, confirmed] = events.slice(-2);
  return {
    sessionId,
    cookie,
    number: new FinishNumbers(platform.keys.index.key).shown(confirmed?.id ?? ''),
    returnToken: new LocatingTokens(platform.keys.token, 'return-token').make(sessionId, scanned?.id ?? ''),
  };
};
type Login = Awaited<ReturnType<typeof confirmedByLink>>;

const wrongFor = (number: string): string => String((Number(number) + 1) % 1_000_000).padStart(6, '0');
const type = ({ sessionId, cookie }: Pick<Login, 'sessionId' | 'cookie'>, number: unknown) =>
  api.call('POST', `number?sessionId=${sessionId}`, { cookie, body: { number } });
const complete = ({ sessionId, cookie }: Login, returnToken?: string) =>
  api.call('POST', `completion?sessionId=${sessionId}`, { cookie, ...(returnToken && { body: { return_token: returnToken } }) });
const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['errorCode']];
const REQUIRED = [403, 'return_token_required'];
const BEFORE = ['SessionCreated', 'HandoffClaimed', 'SessionScanned', 'SessionConfirmed'];
const stored = async (sessionId: SessionId) => (await api.events(sessionId)).slice(BEFORE.length);

let login: Login;
beforeEach(async () => {
  login = await confirmedByLink();
});

describe('the right number', () => {
  it('finishes the login once, and clears the cookie', async () => {
    const { status, body, setCookie } = await type(login, login.number);
    expect(status).toBe(200);
    expect(body).toEqual({ redirect: expect.stringMatching(/^https:\/\/rp\.example\/callback\?tenant=1&code=/) });
    expect(setCookie).toContain('svc_login=;');
    expect(refusal(await type(login, login.number))).toEqual([409, 'session_already_completed']);
    expect(await stored(login.sessionId)).toEqual(['SessionCompleted']);
    const [last] = await api.platform.eventStore.read(streamName('session', login.sessionId), { direction: 'backwards', limit: 1 });
    expect(last?.data).toEqual({ finishedBy: 'number', at: api.platform.clock.now() });
  });

  it('wins or loses against the ordinary completion, so that one redirect is handed out', async () => {
    const answers = await Promise.all([type(login, login.number), complete(login, login.returnToken), type(login, login.number)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body['errorCode'] === 'session_already_completed')).toHaveLength(2);
    expect(await stored(login.sessionId)).toEqual(['SessionCompleted']);
  });

  it('finishes nothing after 60 s, and no event is stored', async () => {
    api.platform.clock.advance(60_000);
    expect(refusal(await type(login, login.number))).toEqual(REQUIRED);
    expect(refusal(await type(login, wrongFor(login.number)))).toEqual(REQUIRED);
    expect(await stored(login.sessionId)).toEqual([]);
    expect((await complete(login, login.returnToken)).status).toBe(200);
  });

  it('finishes no login by the number of another one', async () => {
    const other = await confirmedByLink();
    expect(refusal(await type(login, other.number === login.number ? wrongFor(login.number) : other.number))).toEqual(REQUIRED);
    expect((await type(other, other.number)).status).toBe(200);
  });
});

describe('a wrong number', () => {
  it('is the only try: neither the right one nor the return token finishes the login afterwards', async () => {
    expect(refusal(await type(login, wrongFor(login.number)))).toEqual(REQUIRED);
    for (const number of [login.number, wrongFor(login.number)]) expect(refusal(await type(login, number))).toEqual(REQUIRED);
    expect(refusal(await complete(login, login.returnToken))).toEqual(REQUIRED);
    expect(refusal(await complete(login))).toEqual(REQUIRED);
    expect(await stored(login.sessionId)).toEqual(['NumberRefused']);
    expect((await api.call('GET', `status?sessionId=${login.sessionId}`, { cookie: login.cookie })).body).toMatchObject({ status: 'CONFIRMED' });
  });

  it('is stored once, whatever number of them comes at the same instant', async () => {
    const guesses = Array.from({ length: 50 }, (_, index) => wrongFor(String((Number(login.number) + index) % 1_000_000)));
    const answers = await Promise.all([...guesses.filter((guess) => guess !== login.number)].map((guess) => type(login, guess)));
    expect(new Set(answers.map((answer) => JSON.stringify(refusal(answer))))).toEqual(new Set([JSON.stringify(REQUIRED)]));
    expect(await stored(login.sessionId)).toEqual(['NumberRefused']);
  });

  it('counts only with the live cookie of its login', async () => {
    const other = await confirmedByLink();
    for (const cookie of [undefined, 'forged'])
      expect(refusal(await type({ sessionId: login.sessionId, cookie }, wrongFor(login.number)))).toEqual([401, 'no_login_cookie']);
    expect(refusal(await type({ sessionId: login.sessionId, cookie: other.cookie }, wrongFor(login.number)))).toEqual([409, 'session_superseded']);
    expect((await type(login, login.number)).status).toBe(200);
  });

  it('is no text that is no number: nothing is counted', async () => {
    for (const number of [undefined, null, '', '12345', 'abcdef', Number(login.number), [login.number], { $: login.number }])
      expect(refusal(await type(login, number))).toEqual([400, 'invalid_request']);
    for (const payload of ['{broken', '"123456"', '[]', JSON.stringify({ number: login.number, code: 'x' })]) {
      const answer = await api.app.inject({
        method: 'POST',
        url: `/login-ui/v1/session/number?sessionId=${login.sessionId}`,
        headers: { 'x-service-login': '1', cookie: `svc_login=${login.cookie}`, 'content-type': 'application/json' },
        payload,
      });
      expect([payload, answer.statusCode]).toEqual([payload, 400]);
    }
    expect(await stored(login.sessionId)).toEqual([]);
    expect((await type(login, login.number)).status).toBe(200);
  });
});

describe('the order of checks', () => {
  it('is that of the completion', async () => {
    const url = '/login-ui/v1/session/number';
    const headers = { 'x-service-login': '1', 'content-type': 'application/json' };
    const post = async (path: string, more: Record<string, string> = {}) => {
      const answer = await api.app.inject({ method: 'POST', url: path, headers: more, payload: '{broken' });
      return [answer.statusCode, answer.json<Record<string, unknown>>()['errorCode']];
    };
    expect(await post(url)).toEqual([403, 'login_header_required']);
    expect(await post(url, headers)).toEqual([401, 'no_login_cookie']);
    const cookie = `svc_login=${login.cookie}`;
    expect(await post(url, { ...headers, cookie })).toEqual([400, 'invalid_request']);
    expect(await post(`${url}?sessionId=another`, { ...headers, cookie })).toEqual([409, 'session_superseded']);
    expect(await post(`${url}?sessionId=${login.sessionId}`, { ...headers, cookie })).toEqual([400, 'invalid_request']);
  });

  it('refuses a login that was superseded', async () => {
    await api.append(login.sessionId, { type: 'LoginSuperseded', data: { at: api.platform.clock.now() } });
    expect(refusal(await type(login, login.number))).toEqual([409, 'session_superseded']);
    expect(refusal(await type(login, wrongFor(login.number)))).toEqual([409, 'session_superseded']);
    expect(await stored(login.sessionId)).toEqual(['LoginSuperseded']);
  });

  it('refuses a login that is not confirmed', async () => {
    const pending = await api.claimed();
    expect(refusal(await type(pending, '123456'))).toEqual([409, 'session_not_confirmed']);
  });
});

describe('a login that no number finishes', () => {
  it.each([{ finishByNumber: false }, { via: 'qr' as const }, { via: 'push' as const }])('with %j', async (options) => {
    const other = await confirmedByLink(options);
    expect(refusal(await type(other, other.number))).toEqual(REQUIRED);
    expect(await stored(other.sessionId)).toEqual([]);
    expect((await complete(other, other.returnToken)).status).toBe(200);
  });
});

describe('GET session', () => {
  const told = async ({ cookie }: Pick<Login, 'cookie'>) => (await api.call('GET', '', { cookie })).body['finishByNumber'];
  it('tells the page whether a number may finish the login, and never the number', async () => {
    expect(await told(login)).toBe(true);
    expect(JSON.stringify((await api.call('GET', '', { cookie: login.cookie })).body)).not.toContain(login.number);
    await type(login, wrongFor(login.number));
    expect(await told(login)).toBeUndefined();
    expect(await told(await confirmedByLink({ finishByNumber: false }))).toBeUndefined();
    const late = await confirmedByLink();
    api.platform.clock.advance(60_000);
    expect(await told(late)).toBeUndefined();
  });
});
