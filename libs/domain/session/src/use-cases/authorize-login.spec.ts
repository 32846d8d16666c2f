import { beforeEach, describe, expect, it } from '@jest/globals';

import { LocatingTokens, type SessionId } from '#kernel';

import { statusRecord } from '../status/status-record.js';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
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
    const login = await authorizeLogin.execute([cookies.make(sessionId, eventId)], sessionId);
    expect(login).toMatchObject({ sessionId, session: { status: 'PENDING' } });
  });

  it.each([
    ['derived from another event', () => cookies.make(sessionId, fixture.randomness.uuid())],
    ['made for another purpose', () => new LocatingTokens(fixture.keys.token, 'handoff-token').make(sessionId, eventId)],
    ['that is no token', () => 'cookie'],
  ])('refuses a cookie %s', async (_, cookie) => {
    await expect(authorizeLogin.execute([cookie()], sessionId)).rejects.toMatchObject({ code: 'no_login_cookie', reason: 'no live login' });
  });

  it('refuses a request without a cookie', async () => {
    await expect(authorizeLogin.execute([], sessionId)).rejects.toMatchObject({ code: 'no_login_cookie', reason: 'no cookie' });
  });

  it.each([
    ['a forged one first', () => ['cookie', cookies.make(sessionId, fixture.randomness.uuid()), cookies.make(sessionId, eventId)]],
    ['a forged one last', () => [cookies.make(sessionId, eventId), 'cookie']],
  ])('takes the genuine one of several cookies: %s', async (_, given) => {
    expect(await authorizeLogin.execute(given(), sessionId)).toMatchObject({ sessionId });
  });

  it('takes the cookie of the login that the page expects, before and behind those of others', async () => {
    const other = await fixture.begin({ hosted: true });
    await fixture.history.append(other, { type: 'HandoffClaimed', data: { at: fixture.clock.now() } });
    await fixture.history.append(other, { type: 'LoginSuperseded', data: { at: fixture.clock.now() } });
    const own = cookies.make(sessionId, eventId);
    const superseded = cookies.make(other, (await fixture.sessions.get(other)).login?.eventId ?? '');
    for (const given of [
      [own, superseded],
      [superseded, own],
    ]) {
      expect(await authorizeLogin.execute(given, sessionId)).toMatchObject({ sessionId });
      await expect(authorizeLogin.execute(given, other)).rejects.toMatchObject({ code: 'session_superseded', reason: 'superseded' });
      await expect(authorizeLogin.execute(given, undefined)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('takes the id of the session in either case', async () => {
    expect(await authorizeLogin.execute([cookies.make(sessionId, eventId)], sessionId.toUpperCase())).toMatchObject({ sessionId });
  });

  it.each([undefined, '', 7, ['a', 'b']])('refuses a request that names no session: %j', async (given) => {
    await expect(authorizeLogin.execute([cookies.make(sessionId, eventId)], given)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: '`sessionId` is required in the query',
    });
  });

  it('refuses the cookie for another session than its own', async () => {
    const other = await fixture.begin({ hosted: true });
    const refused = authorizeLogin.execute([cookies.make(sessionId, eventId)], other);
    await expect(refused).rejects.toMatchObject({ code: 'session_superseded', reason: 'cookie of a different login' });
  });

  it('refuses the cookie of a login that the browser has left for another one', async () => {
    await fixture.history.append(sessionId, { type: 'LoginSuperseded', data: { at: fixture.clock.now() } });
    const refused = authorizeLogin.execute([cookies.make(sessionId, eventId)], sessionId);
    await expect(refused).rejects.toMatchObject({ code: 'session_superseded', reason: 'superseded' });
  });

  it('refuses the cookie of a session that does not exist, and of one that no page has claimed', async () => {
    const unclaimed = await fixture.begin({ hosted: true });
    for (const id of [fixture.randomness.uuid<SessionId>(), unclaimed])
      expect(await authorizeLogin.liveLogin(cookies.make(id, eventId))).toBeUndefined();
  });

  it('accepts the cookie until a minute after the end that the status holds', async () => {
    const { clock, sessions } = fixture;
    const endedAgo = async (milliseconds: number) => {
      const record = { ...statusRecord(await sessions.get(sessionId)), endsAt: clock.now() - milliseconds };
      return new AuthorizeLogin({ find: async () => record }, cookies, clock).liveLogin(cookies.make(sessionId, eventId));
    };
    expect(await endedAgo(59_999)).toMatchObject({ sessionId });
    expect(await endedAgo(60_000)).toBeUndefined();
  });

  it('accepts the cookie until a minute after the end of the session', async () => {
    const cookie = cookies.make(sessionId, eventId);
    fixture.clock.advance(120_000 + 59_999);
    expect(await authorizeLogin.liveLogin(cookie)).toMatchObject({ session: { status: 'EXPIRED' } });
    fixture.clock.advance(1);
    expect(await authorizeLogin.liveLogin(cookie)).toBeUndefined();
  });
});
