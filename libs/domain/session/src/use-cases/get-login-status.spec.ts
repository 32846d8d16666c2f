import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { LocatingTokens, type SessionId } from '#kernel';

import { Sessions } from '../repositories/sessions.js';
import { SessionStatuses } from '../status/session-statuses.js';
import { MemoryStatusCache } from '#testkit/session/status/memory-status-cache';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { AuthorizeLogin } from './authorize-login.js';
import { GetLoginStatus } from './get-login-status.js';

describe('the status of a hosted login, with a cache', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let cache: MemoryStatusCache;
  let sessions: Sessions;
  let cookies: LocatingTokens;
  let getStatus: GetLoginStatus;
  let sessionId: SessionId;
  let reads: number;

  beforeEach(async () => {
    fixture = useCaseFixture();
    const { eventStore, unitOfWork, clock, keys } = fixture;
    cache = new MemoryStatusCache();
    sessions = new Sessions(unitOfWork, { statusCache: cache });
    cookies = new LocatingTokens(keys.token, 'login-cookie');
    const exact = new AuthorizeLogin(sessions, cookies, clock);
    getStatus = new GetLoginStatus(new AuthorizeLogin(new SessionStatuses(sessions, clock, cache), cookies, clock), exact);
    sessionId = await fixture.begin({ hosted: true });
    const read = eventStore.read.bind(eventStore);
    eventStore.read = (stream, options) => {
      reads += 1;
      return read(stream, options) as never;
    };
    reads = 0;
  });
  afterEach(() => fixture.eventStore.close());

  const claim = async (): Promise<string> => {
    const session = await sessions.handle(sessionId, { type: 'ClaimHandoff' });
    return cookies.make(sessionId, session.status === 'NONE' ? '' : session.login!.eventId);
  };

  it('costs no read of the store once the login is claimed', async () => {
    const cookie = await claim();
    reads = 0;
    for (let poll = 0; poll < 10; poll++) expect(await getStatus.execute([cookie], sessionId)).toMatchObject({ status: 'PENDING' });
    expect(reads).toBe(0);
  });

  it('refuses at once after another login has superseded it', async () => {
    const cookie = await claim();
    await sessions.handle(sessionId, { type: 'SupersedeLogin' });
    await expect(getStatus.execute([cookie], sessionId)).rejects.toMatchObject({ code: 'session_superseded' });
  });

  it('reads the session itself before it refuses, since a status may be too old', async () => {
    await new SessionStatuses(sessions, fixture.clock, cache).find(sessionId); // kept: not claimed yet
    cache.isAvailable = false;
    const cookie = await claim();
    cache.isAvailable = true;
    expect((await cache.get(sessionId))?.login).toBeUndefined();
    expect(await getStatus.execute([cookie], sessionId)).toMatchObject({ status: 'PENDING' });
    await cache.close();
  });

  it('refuses a forged cookie and a missing one', async () => {
    await claim();
    for (const given of [[], ['cookie'], [cookies.make(sessionId, fixture.randomness.uuid())]])
      await expect(getStatus.execute(given, sessionId)).rejects.toMatchObject({ code: 'no_login_cookie' });
  });

  it('keeps nothing but client, status, times and the id of the event that the cookie belongs to', async () => {
    await claim();
    expect(Object.keys((await cache.get(sessionId))!).sort()).toEqual(['clientId', 'endsAt', 'login', 'readableUntil', 'revision', 'status']);
  });
});
