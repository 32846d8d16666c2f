import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SessionId } from '#kernel';

import { backchannelFixture } from './backchannel.fixture.js';
import { GRANT, REQUEST } from './openid.fixture.js';

let api: Awaited<ReturnType<typeof backchannelFixture>>;
beforeAll(async () => {
  api = await backchannelFixture();
});
afterAll(() => api.close());

const REASONS = ['DECLINED', 'LEFT', 'WRONG_CODE', 'PIN_LOCKED', 'WITHDRAWN', 'ERASED', 'DEVICE_REVOKED'] as const;
const cancelled = (sessionId: SessionId, reason: (typeof REASONS)[number]) =>
  api.append(sessionId, { type: 'SessionCancelled', data: { reason, at: api.platform.clock.now() } });
/** A login that its page has claimed, and where this page sends the browser. */
const claimed = async () => {
  const { request_uri } = (await api.post('par', REQUEST)).body as { request_uri: string };
  const { sessionId, cookie } = await api.claim(api.tokenIn(await api.get('authorize', { client_id: api.client.clientId, request_uri })));
  const { authorizeLogin, describeLogin } = api.platform.useCases.loginPageSessions();
  const endUrl = async () => new URL(String((await describeLogin.execute(sessionId, (await authorizeLogin.current([cookie])).session)).endUrl));
  return { sessionId, endUrl };
};

describe('a login that is not approved', () => {
  it.each(REASONS)('ends as access_denied and nothing else: %s', async (reason) => {
    const { sessionId, endUrl } = await claimed();
    await cancelled(sessionId, reason);
    const end = await endUrl();
    expect(`${end.origin}${end.pathname}`).toBe('https://rp.example/callback');
    expect(Object.fromEntries(end.searchParams)).toEqual({
      tenant: '1',
      error: 'access_denied',
      state: REQUEST.state,
      iss: 'http://localhost:3000/openid',
    });
  });

  it.each(REASONS)('without a browser ends as access_denied: %s', async (reason) => {
    // Of its own, since pushes to one person are limited.
    const world = await backchannelFixture();
    const id = await world.ask({ login_hint: world.sub });
    await world.append(world.sessionOf(id), { type: 'SessionCancelled', data: { reason, at: world.platform.clock.now() } });
    expect(await world.poll(id)).toMatchObject({ status: 400, body: { error: 'access_denied', error_description: 'the login was not approved' } });
    await world.close();
  });
});

describe('a code whose login has ended since the approval', () => {
  it.each([
    ['the phone was revoked', (world: typeof api) => world.platform.useCases.phones().revokeDevice.execute(world.identityId, world.deviceId)],
    ['the person was erased', (world: typeof api) => world.platform.useCases.erasures().eraseIdentity.execute(world.identityId)],
    ['the client was disabled', (world: typeof api) => world.platform.useCases.relyingParties().enableClient.execute(world.client.clientId, false)],
  ])('gives no token: %s', async (what, end) => {
    const world = await backchannelFixture();
    const sessionId = await world.begin();
    const { toBeSigned } = await world.platform.useCases.deviceSessions().scanSession.execute({ sessionId }, await world.phone());
    await world.confirmSession(sessionId, toBeSigned);
    const back = new URL(await world.platform.useCases.loginPageSessions().completeSession.execute(sessionId, world.client.clientId));
    await end(world);
    const { status, body } = await world.post('token', { ...GRANT, code: back.searchParams.get('code') ?? '' });
    expect([status, body['error']]).toEqual(what.startsWith('the client') ? [401, 'invalid_client'] : [400, 'invalid_grant']);
    expect(await world.events(sessionId)).not.toContain('CodeRedeemed');
    await world.close();
  });
});
