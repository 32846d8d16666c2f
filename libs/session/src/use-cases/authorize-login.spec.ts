import { beforeEach, describe, expect, it } from '@jest/globals';

import { LocatingTokens, type SessionId } from '#kernel';

import { useCaseFixture } from '../testing/use-case-fixture.js';
import { AuthorizeLogin } from './authorize-login.js';

describe('authorizing a login by its cookie', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let cookies: LocatingTokens;
  let authorizeLogin: AuthorizeLogin;
  let sessionId: SessionId;
  let eventId: string;

  beforeEach(async () => {
    fixture = useCaseFixture();
    const { sessions, keys, clock, history } = fixture;
    cookies = new LocatingTokens(keys.token, 'login-cookie');
    authorizeLogin = new AuthorizeLogin(sessions, cookies, clock);
    sessionId = await fixture.begin({ hosted: true });
    await history.append(sessionId, { type: 'HandoffClaimed', data: { at: clock.now() } });
    const session = await sessions.get(sessionId);
    eventId = session.login?.eventId ?? '';
  });
  afterEach(() => fixture.eventStore.close());

  it('finds the login of a genuine cookie', async () => {
    const login = await authorizeLogin.execute(cookies.make(sessionId, eventId), sessionId);
    expect(login).toMatchObject({ sessionId, session: { status: 'PENDING' } });
  });

  it.each([
    ['derived from another event', () => cookies.make(sessionId, fixture.randomness.uuid())],
    ['made for another purpose', () => new LocatingTokens(fixture.keys.token, 'handoff-token').make(sessionId, eventId)],
    ['that is no token', () => 'cookie'],
  ])('refuses a cookie %s', async (_, cookie) => {
    await expect(authorizeLogin.execute(cookie(), sessionId)).rejects.toMatchObject({ code: 'no_login_cookie', reason: 'no live login' });
  });

  it('refuses a request without a cookie', async () => {
    await expect(authorizeLogin.execute(undefined, sessionId)).rejects.toMatchObject({ code: 'no_login_cookie', reason: 'no cookie' });
  });

  it('accepts the cookie until a minute after the end of the session', async () => {
    const cookie = cookies.make(sessionId, eventId);
    fixture.clock.advance(120_000 + 59_999);
    expect(await authorizeLogin.liveLogin(cookie)).toMatchObject({ session: { status: 'EXPIRED' } });
    fixture.clock.advance(1);
    expect(await authorizeLogin.liveLogin(cookie)).toBeUndefined();
  });
});
