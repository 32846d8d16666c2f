import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { openIdFixture, REQUEST } from './openid.fixture.js';

const SECOND = 1_000;

let api: Awaited<ReturnType<typeof openIdFixture>>;
beforeAll(async () => {
  api = await openIdFixture();
});
afterAll(() => api.close());

const pushed = async () => {
  const { request_uri } = (await api.post('par', REQUEST)).body as { request_uri: string };
  const query = { client_id: api.client.clientId, request_uri };
  return { query, open: async () => api.tokenIn(await api.get('authorize', query)) };
};
/** A browser with these login cookies. */
const claim = (token: string, ...cookies: readonly string[]) => api.platform.useCases.loginPageSessions().claimHandoff.execute(token, cookies, {});

describe('a browser that opens the address of its login again', () => {
  it('goes on with the same login before and after the scan, and nothing is stored', async () => {
    const { open } = await pushed();
    const { sessionId, cookie, expiresAt } = await claim(await open());
    const stored = ['SessionCreated', 'HandoffClaimed'];
    expect(await claim(await open(), cookie)).toMatchObject({ sessionId, cookie, expiresAt });
    expect(await api.events(sessionId)).toEqual(stored);
    await api.enrol();
    await api.scan(sessionId);
    expect(await claim(await open(), 'another cookie', cookie)).toMatchObject({ sessionId, cookie });
    expect(await api.events(sessionId)).toEqual([...stored, 'SessionScanned']);
  });

  it('does so by forty calls at once, and without the cookie none of them does', async () => {
    const { open } = await pushed();
    const { sessionId, cookie } = await claim(await open());
    const token = await open();
    const own = await Promise.all(Array.from({ length: 40 }, () => claim(token, cookie)));
    expect(new Set(own.map((login) => login.sessionId))).toEqual(new Set([sessionId]));
    const others = await Promise.allSettled(Array.from({ length: 40 }, () => claim(token)));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'HandoffClaimed']);
  });

  it('is sent nowhere after the approval, after 60 seconds, and when it has begun another login since', async () => {
    const approved = await pushed();
    const { sessionId, cookie } = await claim(await approved.open());
    const token = await approved.open();
    await api.finish(sessionId);
    expect((await api.get('authorize', approved.query)).status).toBe(400);
    await expect(claim(token, cookie)).rejects.toMatchObject({ code: 'invalid_handoff' });

    const late = await pushed();
    await claim(await late.open());
    api.platform.clock.advance(60 * SECOND);
    expect((await api.get('authorize', late.query)).status).toBe(400);

    const first = await pushed();
    const begun = await claim(await first.open());
    await claim(await (await pushed()).open(), begun.cookie);
    await expect(claim(await first.open(), begun.cookie)).rejects.toMatchObject({ code: 'invalid_handoff' });
  });

  it('does not take the cookie of another login for its own', async () => {
    const [first, second] = [await pushed(), await pushed()];
    const { cookie } = await claim(await first.open());
    await claim(await second.open());
    await expect(claim(await second.open(), cookie)).rejects.toMatchObject({ code: 'invalid_handoff' });
  });

  it('uses up the token of a native login all the same', async () => {
    const { createSession } = api.platform.useCases.relyingPartySessions();
    const client = (await api.platform.useCases.relyingParties().findClient.execute(api.client.clientId))!;
    const { redirect_uri: redirectUri, code_challenge: codeChallenge } = REQUEST;
    const terms = { signatureType: 'AUTHENTICATION', redirectUri, codeChallenge, codeChallengeMethod: 'S256', hostedPage: true } as const;
    const { handoffToken = '' } = await createSession.execute(terms, client);
    const { cookie } = await claim(handoffToken);
    await expect(claim(handoffToken, cookie)).rejects.toMatchObject({ code: 'invalid_handoff' });
  });
});
