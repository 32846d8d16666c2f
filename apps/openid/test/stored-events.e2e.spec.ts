import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { categoryOf } from '#engines/event-store';
import { STREAMS } from '#service/platform';
import { CODE_CHALLENGE, CODE_VERIFIER, REDIRECT_URI } from '#testkit/session/login-request';

import { backchannelFixture } from './backchannel.fixture.js';
import { GRANT } from './openid.fixture.js';

const LOGIN = {
  signatureType: 'AUTHENTICATION',
  redirectUri: REDIRECT_URI,
  codeChallenge: CODE_CHALLENGE,
  codeChallengeMethod: 'S256',
} as const;

let api: Awaited<ReturnType<typeof backchannelFixture>>;
beforeAll(async () => {
  api = await backchannelFixture();
  // The first logins link the subject, and begin the stream of the person's pushes.
  const { code } = await api.login();
  await api.post('token', { ...GRANT, code });
  const id = await api.ask({ login_hint: api.sub });
  await api.approve(id);
  await api.poll(id);
});
afterAll(() => api.close());

/** All streams of the store with the types of their events. */
const everything = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const streams = new Map<string, string[]>();
  const end = new AbortController();
  const categories = STREAMS.map(({ category }) => category);
  for await (const item of api.platform.eventStore.subscribe({ categories, signal: end.signal })) {
    if (item === 'caught-up') end.abort();
    else streams.set(item.stream, [...(streams.get(item.stream) ?? []), item.type]);
  }
  return streams;
};
/** What the work has stored: each event by the category of its stream, and how many streams are new. */
const storedBy = async (work: () => Promise<unknown>): Promise<{ readonly events: readonly string[]; readonly streams: number }> => {
  const before = await everything();
  await work();
  const after = await everything();
  const events = [...after].flatMap(([stream, types]) =>
    types.slice(before.get(stream)?.length ?? 0).map((type) => `${categoryOf(stream as never)} ${type}`),
  );
  return { events: events.toSorted(), streams: after.size - before.size };
};
const clientOf = async () => (await api.platform.useCases.relyingParties().findClient.execute(api.client.clientId))!;

describe('a login by OpenID Connect stores no stream and no event more than a native one', () => {
  it('on the hosted page', async () => {
    const { createSession, exchangeToken } = api.platform.useCases.relyingPartySessions();
    const native = await storedBy(async () => {
      const { handoffToken } = await createSession.execute({ ...LOGIN, hostedPage: true }, await clientOf());
      const { sessionId } = await api.claim(handoffToken!);
      const code = (await api.finish(sessionId)).searchParams.get('code')!;
      await exchangeToken.execute({ code, codeVerifier: CODE_VERIFIER }, await clientOf());
    });
    const openid = await storedBy(async () => {
      const { code } = await api.login();
      const { body } = await api.post('token', { ...GRANT, code });
      expect((await api.get('userinfo', {}, { authorization: `Bearer ${String(body['access_token'])}` })).status).toBe(200);
    });
    expect(native.events).toContain('session CodeRedeemed');
    expect(openid).toEqual(native);
  });

  it('without a browser', async () => {
    const { createSession, exchangeToken, completeSession } = api.platform.useCases.relyingPartySessions();
    const { deviceSessions } = api.platform.useCases;
    const native = await storedBy(async () => {
      const { sessionId } = await createSession.execute({ ...LOGIN, push: true, subjectId: api.sub }, await clientOf());
      const { toBeSigned } = await deviceSessions().scanSession.execute({ sessionId, via: 'push' }, await api.phone());
      await api.confirmSession(sessionId, toBeSigned);
      const code = new URL(await completeSession.execute(sessionId, api.client.clientId)).searchParams.get('code')!;
      await exchangeToken.execute({ code, codeVerifier: CODE_VERIFIER }, await clientOf());
    });
    const openid = await storedBy(async () => {
      const id = await api.ask({ login_hint: api.sub });
      expect((await api.poll(id)).body).toMatchObject({ error: 'authorization_pending' });
      await api.approve(id);
      expect((await api.poll(id)).status).toBe(200);
    });
    expect(native.events).toContain('session CodeRedeemed');
    expect(openid).toEqual(native);
  });
});
