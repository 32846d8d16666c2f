import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { epochSeconds } from '#kernel';
import { ASSERTION_TYPE } from '#domain/openid';
import { clientKeysIn } from '#domain/relying-party';
import { REDIRECT_URI } from '#testkit/session/login-request';

import { basic, GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';

let api: Awaited<ReturnType<typeof openIdFixture>>;
beforeAll(async () => {
  api = await openIdFixture();
});
afterAll(() => api.close());

/** The claims of an ID token, verified by the published keys. */
const verified = async (idToken: unknown) => {
  const keys = createLocalJWKSet((await api.get('jwks')).body as unknown as JSONWebKeySet);
  const options = { issuer: ISSUER, audience: api.client.clientId, currentDate: new Date(api.platform.clock.now()) };
  return (await jwtVerify(String(idToken), keys, options)).payload;
};

describe('the metadata', () => {
  it('is the same at the path of Discovery and at that of RFC 8414, and names what works', async () => {
    const { status, body } = await api.get('.well-known/openid-configuration');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      userinfo_endpoint: `${ISSUER}/userinfo`,
      jwks_uri: `${ISSUER}/jwks`,
      pushed_authorization_request_endpoint: `${ISSUER}/par`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'urn:openid:params:grant-type:ciba'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      authorization_response_iss_parameter_supported: true,
      dpop_signing_alg_values_supported: ['PS256', 'ES256'],
      request_object_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
    });
    expect((await api.send({ method: 'GET', url: '/.well-known/oauth-authorization-server/openid' })).body).toEqual(body);
  });
});

describe('the published keys', () => {
  it('hold no private member', async () => {
    const { keys } = (await api.get('jwks')).body as unknown as JSONWebKeySet;
    expect(keys.map(({ alg, kty, use }) => [alg, kty, use])).toEqual([
      ['RS256', 'RSA', 'sig'],
      ['PS256', 'RSA', 'sig'],
      ['ES256', 'EC', 'sig'],
    ]);
    const members = new Set(keys.flatMap((key) => Object.keys(key)));
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) expect(members).not.toContain(secret);
  });
});

describe('a login by a pushed request', () => {
  it('answers a code with state and issuer, and an ID token for it', async () => {
    const { sessionId, redirect, code } = await api.login({ ...REQUEST, scope: 'openid email profile' });
    expect(`${redirect.origin}${redirect.pathname}`).toBe('https://rp.example/callback');
    expect(Object.fromEntries(redirect.searchParams)).toEqual({ tenant: '1', code, state: REQUEST.state, iss: ISSUER });
    const { status, body, headers } = await api.post('token', { ...GRANT, code });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{60,}$/),
      token_type: 'Bearer',
      expires_in: 300,
      // The client may ask for `name` and `email`; the person has no email.
      scope: 'openid email profile',
      id_token: expect.any(String),
    });
    const now = Math.floor(api.platform.clock.now() / 1000);
    const { sub, ...claims } = await verified(body['id_token']);
    expect(claims).toEqual({
      iss: ISSUER,
      aud: api.client.clientId,
      iat: now,
      exp: now + 300,
      auth_time: now,
      nonce: REQUEST.nonce,
      acr: 'urn:countersign:acr:phone-and-pin',
      amr: ['pin', 'swk', 'mfa'],
      name: 'Mari Maasikas',
    });
    expect(await api.events(sessionId)).toEqual([
      'SessionCreated',
      'HandoffClaimed',
      'SessionScanned',
      'SessionConfirmed',
      'SessionCompleted',
      'CodeRedeemed',
    ]);
    const info = await api.get('userinfo', {}, { authorization: `Bearer ${String(body['access_token'])}` });
    expect([info.status, info.body]).toEqual([200, { sub, name: 'Mari Maasikas' }]);
  });

  it('leaves out what the allow-list lacks and what does not exist, and answers the scope that remains', async () => {
    const { code } = await api.login({ ...REQUEST, scope: 'phone openid offline_access age_over_18 personal_code country_is_ee' });
    const { body } = await api.post('token', { ...GRANT, code });
    expect(body['scope']).toBe('openid age_over_18');
    expect(await verified(body['id_token'])).toMatchObject({ age_over_18: true });
    expect(Object.keys(await verified(body['id_token']))).not.toContain('personal_code');
  });

  it('reads the parameter claims', async () => {
    const claims = JSON.stringify({ id_token: { name: { essential: true }, auth_time: null }, userinfo: { age_over_21: null } });
    const { code } = await api.login({ ...REQUEST, claims });
    expect(await verified((await api.post('token', { ...GRANT, code })).body['id_token'])).toMatchObject({
      name: 'Mari Maasikas',
      age_over_21: true,
    });
  });

  it('gives the subject that the native API gives', async () => {
    const { code } = await api.login();
    const { sub } = await verified((await api.post('token', { ...GRANT, code })).body['id_token']);
    const { linkSubject } = api.platform.useCases.identity();
    expect(sub).toBe(await linkSubject.execute(api.client.clientId, api.identityId));
  });

  it('takes the credentials in the body as well', async () => {
    const credentials = { client_id: api.client.clientId, client_secret: api.client.clientSecret.reveal() };
    const pushed = await api.post('par', { ...REQUEST, ...credentials }, {});
    expect([pushed.status, pushed.body]).toEqual([
      201,
      { request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]+$/), expires_in: 60 },
    ]);
    const { code } = await api.login();
    expect((await api.post('token', { ...GRANT, code, ...credentials }, {})).status).toBe(200);
  });

  it('works without a code challenge where the client does without and sends a nonce', async () => {
    const { changeClient } = api.platform.useCases.relyingParties();
    const withoutPkce = { ...REQUEST, code_challenge: undefined, code_challenge_method: undefined };
    expect((await api.post('par', withoutPkce)).body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('code_challenge'),
    });
    await changeClient.execute(api.client.clientId, { requirePkce: false });
    expect((await api.post('par', { ...withoutPkce, nonce: undefined })).body).toMatchObject({ error: 'invalid_request' });
    const { code } = await api.login(withoutPkce);
    // A client that sends a verifier made another request (RFC 9700 section 2.1.1).
    expect((await api.post('token', { ...GRANT, code })).body).toEqual({ error: 'invalid_grant' });
    expect((await api.post('token', { ...GRANT, code, code_verifier: undefined })).status).toBe(200);
    await changeClient.execute(api.client.clientId, { requirePkce: true });
  });

  it.each(['RS256', 'PS256', 'ES256'] as const)('is signed with %s where the client says so', async (idTokenSignedResponseAlg) => {
    await api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { idTokenSignedResponseAlg });
    const { code } = await api.login();
    const { id_token: idToken } = (await api.post('token', { ...GRANT, code })).body;
    expect(decodeProtectedHeader(String(idToken))).toMatchObject({ alg: idTokenSignedResponseAlg, typ: 'JWT' });
    expect(await verified(idToken)).toMatchObject({ nonce: REQUEST.nonce });
    await api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { idTokenSignedResponseAlg: 'RS256' });
  });
});

describe('a plain request', () => {
  const plain = () => ({ ...REQUEST, client_id: api.client.clientId });

  it('is sent back unless the client allows it', async () => {
    const { status, headers } = await api.get('authorize', plain());
    const address = new URL(String(headers['location']));
    expect([status, address.searchParams.get('error'), address.searchParams.get('state')]).toEqual([303, 'invalid_request', REQUEST.state]);
  });

  it('stores nothing until the login page claims it, and then begins the session in one append', async () => {
    await api.allowPlainRequests();
    for (const answer of [await api.get('authorize', plain()), await api.post('authorize', plain(), {})]) {
      expect(answer.status).toBe(303);
      const token = api.tokenIn(answer);
      const { sessionId } = await api.claim(token);
      expect(await api.events(sessionId)).toEqual(['SessionCreated', 'HandoffClaimed']);
      await expect(api.claim(token)).rejects.toMatchObject({ code: 'invalid_handoff' });
      const code = (await api.finish(sessionId)).searchParams.get('code') ?? '';
      expect((await api.post('token', { ...GRANT, code })).status).toBe(200);
    }
  });

  it('is over after 60 seconds', async () => {
    const token = api.tokenIn(await api.get('authorize', plain()));
    api.platform.clock.advance(60_000);
    await expect(api.claim(token)).rejects.toMatchObject({ code: 'invalid_handoff' });
  });

  it('is over when its redirect URI is no longer registered', async () => {
    const { changeClient } = api.platform.useCases.relyingParties();
    const token = api.tokenIn(await api.get('authorize', plain()));
    await changeClient.execute(api.client.clientId, { redirectUris: ['https://rp.example/other'] });
    await expect(api.claim(token)).rejects.toMatchObject({ code: 'invalid_handoff' });
    await changeClient.execute(api.client.clientId, { redirectUris: [REDIRECT_URI] });
  });
});

describe('the client', () => {
  it.each([
    ['no credentials', {}],
    ['a wrong secret', { authorization: `Basic ${btoa('00000000-0000-4000-8000-000000000000:wrong')}` }],
    ['another scheme', { authorization: 'Bearer token' }],
  ])('is refused with %s, before its request is judged', async (_, headers) => {
    for (const path of ['par', 'token']) {
      const { status, body, headers: answered } = await api.post(path, {}, headers);
      expect([path, status, body]).toEqual([path, 401, { error: 'invalid_client' }]);
      expect(answered['www-authenticate']).toBe('authorization' in headers ? 'Basic realm="openid"' : undefined);
    }
  });

  it('may encode its credentials as a form, as RFC 6749 section 2.3.1 says', async () => {
    const { clientId, clientSecret } = api.client;
    const form = (text: string) => [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    const authorization = `Basic ${btoa(`${form(clientId)}:${form(clientSecret.reveal())}`)}`;
    expect((await api.post('par', REQUEST, { authorization })).status).toBe(201);
  });

  it('uses one way of authentication', async () => {
    const secret = { client_secret: api.client.clientSecret.reveal() };
    expect(await api.post('par', { ...REQUEST, ...secret })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await api.post('par', { ...REQUEST, client_id: api.other.clientId })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(await api.post('par', { ...REQUEST, client_id: api.client.clientId })).toMatchObject({ status: 201 });
  });

  it('proves itself by its own keys, which it rotates without a failed login', async () => {
    const { clientId } = api.client;
    const pair = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
    const [first, second] = [pair('first'), pair('second')];
    const register = (...pairs: readonly (typeof first)[]) => {
      const jwks = clientKeysIn({ keys: pairs.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid })) });
      return api.platform.useCases.relyingParties().changeClient.execute(clientId, { jwks });
    };
    const byKey = async ({ kid, privateKey }: typeof first) => {
      const claims = { iss: clientId, sub: clientId, aud: ISSUER, jti: randomUUID(), exp: epochSeconds(api.platform.clock.now()) + 60 };
      const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
      return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
    };
    const push = (form: object) => api.post('par', { ...REQUEST, ...form }, {});

    await register(first);
    const { code } = await api.login();
    const used = await byKey(first);
    expect((await api.post('token', { ...GRANT, code, ...used }, {})).status).toBe(200);
    expect(await push(used)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await push(await byKey(second))).status).toBe(401);
    await register(first, second);
    expect([(await push(await byKey(first))).status, (await push({ ...(await byKey(second)), client_id: clientId })).status]).toEqual([201, 201]);
    await register(second);
    expect([(await push(await byKey(first))).status, (await push(await byKey(second))).status]).toEqual([401, 201]);

    const invalid = { status: 400, body: { error: 'invalid_request' } };
    expect(await push({ ...(await byKey(second)), client_id: api.other.clientId })).toMatchObject(invalid);
    expect(await push({ ...(await byKey(second)), client_assertion_type: 'jwt' })).toMatchObject(invalid);
    expect(await push({ ...(await byKey(second)), client_secret: 'secret' })).toMatchObject(invalid);
    expect(await api.post('par', { ...REQUEST, ...(await byKey(second)) })).toMatchObject(invalid);
    await register();
    expect((await push(await byKey(second))).status).toBe(401);
  });

  it('is answered 401 whatever the number of its failures, beyond the limit with Retry-After', async () => {
    const limited = await openIdFixture();
    const failures = Array.from({ length: 301 }, () => limited.post('token', {}, { authorization: 'Basic wrong' }));
    const last = (await Promise.all(failures)).at(-1);
    expect(last).toMatchObject({ status: 401, body: { error: 'invalid_client' }, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    expect((await limited.post('par', REQUEST)).status).toBe(201);
    await limited.close();
  });

  it('reads its answers in the form of RFC 6749 section 5.2, whatever is wrong', async () => {
    const authorization = basic(api.client);
    const answers = [
      await api.send({ method: 'POST', url: '/openid/par', headers: { authorization, 'content-type': 'application/json' }, payload: '{}' }),
      await api.send({
        method: 'POST',
        url: '/openid/token',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'a=1&a=2',
      }),
      await api.send({
        method: 'POST',
        url: '/openid/token',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'a=%zz',
      }),
      await api.post('token', { grant_type: 'password', username: 'x', password: 'y' }),
      await api.post('token', { ...GRANT }),
      await api.post('token', { ...GRANT, code: 'x'.repeat(256) }),
      await api.post('token', { ...GRANT, code: 'none' }),
      await api.get('none'),
    ];
    expect(answers.map(({ status, body: { error } }) => [status, error])).toEqual([
      [415, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'unsupported_grant_type'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_grant'],
      [404, 'not_found'],
    ]);
  });
});

describe('a request that breaks a rule', () => {
  it.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['a scope without openid', { scope: 'profile' }, 'invalid_scope'],
    ['a plain code challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a code challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a short code challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a long state', { state: 'x'.repeat(501) }, 'invalid_request'],
    ['a long nonce', { nonce: 'x'.repeat(501) }, 'invalid_request'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
    ['prompt=none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request'],
    ['claims that are no JSON', { claims: '{' }, 'invalid_request'],
    ['a member of claims that is no object', { claims: '{"userinfo":[]}' }, 'invalid_request'],
    ['a request by URL', { request_uri: 'https://rp.example/request' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
    ['a forged id_token_hint', { id_token_hint: 'e30.e30.e30' }, 'invalid_request'],
  ] as const)('is refused: %s', async (_, change, error) => {
    const form = { ...REQUEST, ...change };
    expect(await api.post('par', form)).toMatchObject({ status: 400, body: { error } });
    await api.allowPlainRequests();
    const { headers } = await api.get('authorize', { ...form, client_id: api.client.clientId });
    const address = new URL(String(headers['location']));
    expect(`${address.origin}${address.pathname}`).toBe('https://rp.example/callback');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ error, iss: ISSUER, tenant: '1' });
  });

  it.each([
    ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['a client_id that is none', { client_id: 'shop' }],
    ['no client_id', { client_id: undefined }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect URI below a registered one', { redirect_uri: `${REDIRECT_URI}&more=1` }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a request_uri that nobody has pushed', { request_uri: 'urn:ietf:params:oauth:request_uri:none' }],
  ] as const)('is shown to the person and sent nowhere: %s', async (_, change) => {
    const { status, text, headers } = await api.get(
      'authorize',
      { ...REQUEST, client_id: api.client.clientId, ...change },
      { 'accept-language': 'et' },
    );
    expect([status, headers['location'], headers['content-type']]).toEqual([400, undefined, 'text/html; charset=utf-8']);
    expect(text).toContain('Sisselogimist ei saa alustada');
    expect(text).not.toContain('evil.example');
  });
});

describe('a hint', () => {
  it('by the subject, or by an ID token of the client, restricts the login to the person', async () => {
    const { code } = await api.login();
    const { id_token: idToken } = (await api.post('token', { ...GRANT, code })).body;
    const { sub } = await verified(idToken);
    api.platform.clock.advance(86_400_000);
    for (const hint of [{ login_hint: sub ?? '' }, { id_token_hint: String(idToken) }]) {
      const sessionId = await api.begin({ ...REQUEST, ...hint });
      const [created] = await api.platform.eventStore.read(`session-${sessionId}` as never);
      expect(created?.data).toMatchObject({ subjectId: sub });
    }
  });

  it('of another client is no ID token of this one', async () => {
    const { code } = await api.login();
    const { id_token: hint } = (await api.post('token', { ...GRANT, code })).body;
    const refused = await api.post('par', { ...REQUEST, id_token_hint: String(hint) }, { authorization: basic(api.other) });
    expect(refused.body).toMatchObject({ error: 'invalid_request' });
  });
});

describe('the access token', () => {
  const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
  const tokens = async () => (await api.post('token', { ...GRANT, code: (await api.login()).code })).body;

  it('opens userinfo for 300 seconds', async () => {
    const { access_token: token } = await tokens();
    api.platform.clock.advance(299_999);
    expect((await api.get('userinfo', {}, bearer(token))).status).toBe(200);
    expect((await api.post('userinfo', {}, bearer(token))).status).toBe(200);
    api.platform.clock.advance(1);
    const late = await api.get('userinfo', {}, bearer(token));
    expect([late.status, late.body, late.headers['www-authenticate']]).toEqual([401, { error: 'invalid_token' }, 'Bearer error="invalid_token"']);
  });

  it('comes in a form too, but not in two ways, and never in the address', async () => {
    const { access_token } = (await tokens()) as { access_token: string };
    const asked = [
      await api.post('userinfo', { access_token }, {}),
      await api.post('userinfo', { access_token }, bearer(access_token)),
      await api.post('userinfo', { access_token: 'x' }, {}),
      await api.get('userinfo', { access_token }),
      await api.post('userinfo', {}, {}),
    ];
    expect(asked.map(({ status, body }) => [status, body['error']])).toEqual([
      [200, undefined],
      [400, 'invalid_request'],
      [401, 'invalid_token'],
      [401, 'invalid_token'],
      [401, 'invalid_token'],
    ]);
  });

  it('is none without a redemption, or altered', async () => {
    const { code } = await api.login();
    const { access_token: token } = await tokens();
    for (const wrong of [code, 'x', `${String(token).slice(0, -2)}AA`])
      expect([wrong, (await api.get('userinfo', {}, bearer(wrong))).status]).toEqual([wrong, 401]);
    expect((await api.get('userinfo')).headers['www-authenticate']).toBe('Bearer');
  });

  it('ends with the client, and with the person', async () => {
    const world = await openIdFixture();
    const { code } = await world.login();
    const { access_token: token } = (await world.post('token', { ...GRANT, code })).body;
    const { enableClient } = world.platform.useCases.relyingParties();
    const status = async () => (await world.get('userinfo', {}, bearer(token))).status;
    await enableClient.execute(world.client.clientId, false);
    expect(await status()).toBe(401);
    await enableClient.execute(world.client.clientId, true);
    expect(await status()).toBe(200);
    await world.platform.useCases.erasures().eraseIdentity.execute(world.identityId);
    expect(await status()).toBe(401);
    await world.close();
  });
});
