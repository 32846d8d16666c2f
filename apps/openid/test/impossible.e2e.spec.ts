import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';

import { countCalls } from '#testkit/event-store/count-calls';
import { CODE_VERIFIER, REDIRECT_URI } from '#testkit/session/login-request';

import { basic, GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

let api: Awaited<ReturnType<typeof openIdFixture>>;
beforeAll(async () => {
  api = await openIdFixture();
  await api.allowPlainRequests();
});
afterAll(() => api.close());

const plain = (change: object = {}) => ({ ...REQUEST, client_id: api.client.clientId, ...change });
const ofOther = () => ({ authorization: basic(api.other) });
const errorOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => new URL(String(headers['location'])).searchParams.get('error');

describe('it is impossible', () => {
  it('to get a token without the signature of the phone, checked at the redemption', async () => {
    const sessionId = await api.begin();
    await api.enrol();
    await api.scan(sessionId);
    const at = api.platform.clock.now();
    // The writer of an event, even with a right MAC, does not have the key of the phone.
    const signature = api.sign('another statement');
    await api.append(sessionId, { type: 'SessionConfirmed', data: { signature, codeExpiresAt: at + 60_000, at } });
    const { completeSession } = api.platform.useCases.loginPageSessions();
    const code = new URL(await completeSession.execute(sessionId, api.client.clientId)).searchParams.get('code') ?? '';
    expect(await api.post('token', { ...GRANT, code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await api.events(sessionId)).not.toContain('CodeRedeemed');
  });

  it('to use a code, or a request_uri, a second time or at another client', async () => {
    const { code } = await api.login();
    expect(await api.post('token', { ...GRANT, code }, ofOther())).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await api.post('token', { ...GRANT, code })).status).toBe(200);
    expect(await api.post('token', { ...GRANT, code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });

    const { request_uri } = (await api.post('par', REQUEST)).body as { request_uri: string };
    expect((await api.get('authorize', { client_id: api.other.clientId, request_uri })).status).toBe(400);
    const query = { client_id: api.client.clientId, request_uri };
    const { sessionId } = await api.claim(api.tokenIn(await api.get('authorize', query)));
    await expect(api.claim(api.tokenIn(await api.get('authorize', query)))).rejects.toMatchObject({ code: 'invalid_handoff' });
    await api.finish(sessionId);
    expect((await api.get('authorize', query)).status).toBe(400);
  });

  it('to redeem a code after 60 seconds, for another redirect URI, or with another verifier', async () => {
    const { code } = await api.login();
    const other = { redirect_uri: `${REDIRECT_URI}&more=1` };
    expect((await api.post('token', { ...GRANT, code, ...other })).body).toEqual({ error: 'invalid_grant' });
    expect((await api.post('token', { ...GRANT, code, code_verifier: `${CODE_VERIFIER.slice(1)}x` })).body).toEqual({ error: 'invalid_grant' });
    api.platform.clock.advance(60_000);
    expect((await api.post('token', { ...GRANT, code })).body).toEqual({ error: 'invalid_grant' });
  });

  it('to redeem a code of OpenID Connect at the native token endpoint, or the other way round', async () => {
    const { exchangeToken, createSession, completeSession } = api.platform.useCases.relyingPartySessions();
    const client = (await api.platform.useCases.relyingParties().findClient.execute(api.client.clientId))!;
    const { code } = await api.login();
    await expect(exchangeToken.execute({ code, codeVerifier: CODE_VERIFIER }, client)).rejects.toMatchObject({ code: 'invalid_grant' });

    const { code_challenge: codeChallenge } = REQUEST;
    const request = { signatureType: 'AUTHENTICATION', redirectUri: REDIRECT_URI, codeChallenge, codeChallengeMethod: 'S256' } as const;
    const { sessionId } = await createSession.execute(request, client);
    await api.confirm(sessionId);
    const native = new URL(await completeSession.execute(sessionId, client.clientId)).searchParams.get('code') ?? '';
    expect((await api.post('token', { ...GRANT, code: native })).body).toEqual({ error: 'invalid_grant' });
  });

  it("to get one client's subject at another", async () => {
    const { code } = await api.login();
    const { id_token: idToken } = (await api.post('token', { ...GRANT, code })).body;
    const keys = createLocalJWKSet((await api.get('jwks')).body as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(String(idToken), keys, { currentDate: new Date(api.platform.clock.now()) });
    const { linkSubject } = api.platform.useCases.identity();
    expect(payload.sub).toBe(await linkSubject.execute(api.client.clientId, api.identityId));
    expect(payload.sub).not.toBe(await linkSubject.execute(api.other.clientId, api.identityId));
    expect(payload.aud).toBe(api.client.clientId);
  });

  it('to succeed with prompt=none', async () => {
    await api.login();
    expect(errorOf(await api.get('authorize', plain({ prompt: 'none' })))).toBe('login_required');
    expect((await api.post('par', { ...REQUEST, prompt: 'none' })).body).toMatchObject({ error: 'login_required' });
  });

  it('for a client without its secret', async () => {
    const { code } = await api.login();
    const answers = [
      await api.post('token', { ...GRANT, code, client_id: api.client.clientId }, {}),
      await api.post('token', { ...GRANT, code, client_id: api.client.clientId, client_secret: '' }, {}),
      await api.post('par', { ...REQUEST, client_id: api.client.clientId }, {}),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [401, { error: 'invalid_client' }]));
  });

  describe('to ask for the response type', () => {
    it.each(['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'code id_token token', 'none'])('%s', async (response_type) => {
      expect(errorOf(await api.get('authorize', plain({ response_type })))).toBe('unsupported_response_type');
    });
  });

  describe('to use the grant type', () => {
    it.each(['password', 'client_credentials', 'implicit', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'])(
      '%s',
      async (grant_type) => {
        const { code } = await api.login();
        const form = { ...GRANT, code, grant_type, username: 'x', password: 'y' };
        expect((await api.post('token', form)).body).toMatchObject({ error: 'unsupported_grant_type' });
      },
    );
  });

  it('to bring an ID token that is signed by nobody, by a shared secret, or by a key of the caller', async () => {
    const { code } = await api.login();
    const { id_token: idToken } = (await api.post('token', { ...GRANT, code })).body as { id_token: string };
    const [, payload = ''] = idToken.split('.');
    const unsigned = `${btoa(JSON.stringify({ alg: 'none' })).replaceAll('=', '')}.${payload}.`;
    const claims = { iss: 'http://localhost:3000/openid', aud: api.client.clientId, sub: '00000000-0000-4000-8000-000000000001' };
    const secret = Buffer.from(api.client.clientSecret.reveal());
    const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first-rs256' }).sign(secret);
    for (const hint of [unsigned, shared, `${idToken.slice(0, -4)}AAAA`])
      expect((await api.post('par', { ...REQUEST, id_token_hint: hint })).body).toMatchObject({ error: 'invalid_request' });
    const { id_token_signing_alg_values_supported: algorithms } = (await api.get('.well-known/openid-configuration')).body;
    expect(algorithms).toEqual(['RS256', 'PS256', 'ES256']);
  });

  describe('to be sent to an address that is not exactly a registered one', () => {
    it.each([
      'https://rp.example/callback',
      'https://rp.example/callback?tenant=2',
      'https://rp.example/callback?tenant=1#fragment',
      'https://rp.example/callback/?tenant=1',
      'https://RP.example/callback?tenant=1',
      'https://rp.example:443/callback?tenant=1',
      'https://evil.rp.example/callback?tenant=1',
      'https://rp.example@evil.example/callback?tenant=1',
      'https://rp.example/../callback?tenant=1',
      'https://*/callback?tenant=1',
    ])('%s', async (redirect_uri) => {
      const answer = await api.get('authorize', plain({ redirect_uri }));
      expect([answer.status, answer.headers['location']]).toEqual([400, undefined]);
      expect((await api.post('par', { ...REQUEST, redirect_uri })).body).toMatchObject({ error: 'invalid_request' });
    });
  });

  it('to be sent to any address below a registered one that holds an asterisk', async () => {
    const { changeClient } = api.platform.useCases.relyingParties();
    const pattern = 'https://rp.example/app/*';
    await changeClient.execute(api.client.clientId, { redirectUris: [REDIRECT_URI, pattern] });
    for (const redirect_uri of ['https://rp.example/app/', 'https://rp.example/app/evil', 'https://rp.example/app/%2a'])
      expect((await api.post('par', { ...REQUEST, redirect_uri })).body).toMatchObject({ error: 'invalid_request' });
    expect((await api.post('par', { ...REQUEST, redirect_uri: pattern })).status).toBe(201);
    await changeClient.execute(api.client.clientId, { redirectUris: [REDIRECT_URI] });
  });

  describe('to learn by a hint who is a customer', () => {
    it.each(['47101010033', 'EE47101010033', '+37255500000', 'mari@example.com'])('%s', async (login_hint) => {
      const known = await api.post('par', { ...REQUEST, login_hint });
      const unknown = await api.post('par', { ...REQUEST, login_hint: 'unknown-person' });
      expect([known.status, Object.keys(known.body)]).toEqual([unknown.status, Object.keys(unknown.body)]);
      const sessionId = await api.begin({ ...REQUEST, login_hint });
      const [created] = await api.platform.eventStore.read(`session-${sessionId}` as never);
      expect(created?.data).not.toHaveProperty('subjectId');
      expect(created?.data).toMatchObject({ pushStatus: 'NOT_REQUESTED' });
    });
  });

  it('to store anything by a plain request that no login page claims', async () => {
    const count = countCalls(api.platform.eventStore);
    for (const change of [{}, { scope: 'openid profile' }, { prompt: 'none' }, { redirect_uri: 'https://evil.example/' }, { client_id: 'none' }]) {
      const [, calls] = await count(() => api.get('authorize', plain(change)));
      expect([calls.appends, calls.events]).toEqual([0, 0]);
    }
  });

  it('to open anything but userinfo with an access token', async () => {
    const { code } = await api.login();
    const { access_token: token } = (await api.post('token', { ...GRANT, code })).body as { access_token: string };
    const authorization = `Bearer ${token}`;
    expect((await api.post('par', REQUEST, { authorization })).status).toBe(401);
    expect((await api.post('token', { ...GRANT, code: token })).body).toEqual({ error: 'invalid_grant' });
    await expect(api.claim(token)).rejects.toMatchObject({ code: 'invalid_handoff' });
    await expect(api.platform.useCases.loginPageSessions().authorizeLogin.current([token])).rejects.toMatchObject({ code: 'no_login_cookie' });
    expect(await api.platform.useCases.portalSessions().findApprovingDevice.execute(token)).toBeUndefined();
    expect((await api.get('userinfo', {}, { authorization })).status).toBe(200);
  });

  it('to bring a request by URL, whatever the URL', async () => {
    for (const request_uri of ['https://rp.example/request.jwt', 'http://169.254.169.254/', 'urn:other:request'])
      expect(errorOf(await api.get('authorize', plain({ request_uri })))).toBe('request_uri_not_supported');
  });
});
