import { beforeAll, describe, expect, it } from '@jest/globals';

import { newCast, newPkce } from '../support/index.js';
import { type Form, OpenIdParty } from './support/openid-party.js';

/*
 * The plans oidcc-config and oidcc-basic of the suite of the OpenID Foundation, module by module: what each sends, and what it looks at. Their clients send plain requests without a
 * code challenge. docs/conformance.md has the list.
 */
const { service, phone } = await newCast();

const TERMS = {
  allowed_attributes: ['name', 'givenName', 'familyName', 'dateOfBirth', 'email', 'phoneNumber'],
  require_pushed_authorization_requests: false,
  require_pkce: false,
};
/** What may stand in an ID token that asks for nothing (OpenID Connect Core section 2). */
const USUAL_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr'];

let party: OpenIdParty;
beforeAll(async () => {
  party = await OpenIdParty.register(service, TERMS);
});

const login = async (changes: Form = {}) => {
  const request = party.request(changes);
  const back = await party.approve(request, phone);
  const answer = await party.redeem(back);
  expect([back.searchParams.get('state'), back.searchParams.get('iss'), answer.status]).toEqual([request['state'], party.issuer, 200]);
  const { payload, protectedHeader } = await party.idToken(answer);
  return { request, back, answer, claims: payload, header: protectedHeader };
};
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const userInfo = async (token: unknown) => (await party.get('userinfo', {}, bearer(token))).json!;
/** What the browser brings back where the request is refused. */
const refusal = async (changes: Form) => {
  const request = party.request(changes);
  const { error, state, iss, code } = Object.fromEntries(party.locationOf(await party.get('authorize', request)).searchParams);
  expect([state, iss, code]).toEqual([request['state'], party.issuer, undefined]);
  return error;
};

describe('the plan oidcc-config', () => {
  it('oidcc-discovery-endpoint-verification', async () => {
    const { status, headers, json } = await party.get('.well-known/openid-configuration');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json).toMatchObject({
      issuer: party.issuer,
      response_types_supported: ['code'],
      subject_types_supported: ['pairwise'],
      grant_types_supported: expect.arrayContaining(['authorization_code']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      scopes_supported: expect.arrayContaining(['openid']),
      claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'acr']),
      claims_parameter_supported: true,
      request_uri_parameter_supported: false,
      request_object_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      code_challenge_methods_supported: ['S256'],
    });
    const endpoints = Object.entries(json!).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(endpoints).toHaveLength(6);
    for (const [name, url] of endpoints) expect([name, String(url).startsWith(`${party.issuer}/`)]).toEqual([name, true]);
    // RFC 6749 section 3.3.
    for (const scope of json!['scopes_supported'] as string[]) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);

    const set = await party.get('jwks');
    // No proxy keeps a copy, so a rotation reaches everybody who asks.
    expect([set.headers['content-type'], set.headers['cache-control']]).toEqual(['application/json; charset=utf-8', 'no-store']);
    const { keys } = set.json as { keys: Readonly<Record<string, string>>[] };
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    for (const key of keys) expect(Object.keys(key).filter((member) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].includes(member))).toEqual([]);
  });
});

describe('a page of another origin', () => {
  it('reads nothing of the provider: its callers are servers', async () => {
    const origin = { origin: 'https://application.example' };
    const answers = [
      await party.get('.well-known/openid-configuration', {}, origin),
      await party.get('jwks', {}, origin),
      await party.post('token', {}, origin),
      await party.get('userinfo', {}, origin),
    ];
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual(answers.map(() => undefined));
  });
});

describe('the plan oidcc-basic', () => {
  it('oidcc-server, oidcc-idtoken-signature', async () => {
    const { back, answer, claims, header } = await login();
    // 128 bits at least.
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{43,}$/);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid',
      id_token: expect.any(String),
    });
    expect(header).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    expect(Object.keys(claims).filter((claim) => !USUAL_CLAIMS.includes(claim))).toEqual([]);
    expect(claims.sub).toMatch(/^[\x20-\x7e]{1,255}$/);
    expect(claims.exp! - claims.iat!).toBe(300);
  });

  it('oidcc-response-type-missing', async () => {
    expect(await refusal({ response_type: undefined })).toBe('invalid_request');
  });

  it('oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body', async () => {
    const { answer, claims } = await login({ scope: 'openid profile' });
    const token = String(answer.json!['access_token']);
    const answers = [
      await party.get('userinfo', {}, bearer(token)),
      await party.post('userinfo', {}, bearer(token)),
      await party.post('userinfo', { access_token: token }),
    ];
    for (const { status, headers, json } of answers) {
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(json).toMatchObject({ sub: claims.sub, name: expect.any(String) });
    }
  });

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: only with a code challenge, which protects the code in place of the nonce', async () => {
    expect(await refusal({ nonce: undefined })).toBe('invalid_request');
    const { verifier, challenge } = newPkce();
    const request = party.request({ nonce: undefined, code_challenge: challenge, code_challenge_method: 'S256' });
    const answer = await party.redeem(await party.approve(request, phone), { code_verifier: verifier });
    expect((await party.idToken(answer)).payload).not.toHaveProperty('nonce');
  });

  it.each([
    ['oidcc-scope-profile', 'openid profile', ['birthdate', 'family_name', 'given_name', 'name']],
    ['oidcc-scope-email', 'openid email', ['email']],
    ['oidcc-scope-phone', 'openid phone', ['phone_number']],
    ['oidcc-scope-all', 'openid profile email phone', ['birthdate', 'email', 'family_name', 'given_name', 'name', 'phone_number']],
    ['oidcc-alternate-happy-flow', 'email openid', ['email']],
  ])('%s', async (_, scope, names) => {
    const { answer } = await login({ scope });
    const { sub, ...claims } = await userInfo(answer.json!['access_token']);
    expect([answer.json!['scope'], Object.keys(claims).toSorted()]).toEqual([scope, names]);
    expect(sub).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('oidcc-scope-address: skipped, since the metadata names no such scope; who asks for it gets none', async () => {
    const { answer } = await login({ scope: 'openid address' });
    expect([answer.json!['scope'], Object.keys(await userInfo(answer.json!['access_token']))]).toEqual(['openid', ['sub']]);
  });

  it.each<[string, Form]>([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-login-hint', { login_hint: 'buffy@issuer.example' }],
  ])('%s', async (_, changes) => {
    expect((await login(changes)).claims).toMatchObject({ acr: 'urn:countersign:acr:phone-and-pin' });
  });

  it('oidcc-prompt-login, oidcc-max-age-1: each login is a new approval, and says when', async () => {
    const first = (await login()).claims;
    for (const changes of [{ prompt: 'login' }, { max_age: '1' }]) {
      const { claims } = await login(changes);
      expect(claims['auth_time']).toBeGreaterThanOrEqual(first['auth_time'] as number);
      expect([claims.sub, claims.iat! - (claims['auth_time'] as number)]).toEqual([first.sub, expect.any(Number)]);
      expect(claims['auth_time']).toBeLessThanOrEqual(claims.iat!);
    }
  });

  it('oidcc-prompt-none-not-logged-in', async () => {
    expect(await refusal({ prompt: 'none' })).toBe('login_required');
  });

  it('oidcc-prompt-none-logged-in, oidcc-id-token-hint, oidcc-max-age-10000: not passed, since no login is without the person', async () => {
    const { answer } = await login({ max_age: '15000' });
    expect(await refusal({ prompt: 'none' })).toBe('login_required');
    expect(await refusal({ prompt: 'none', id_token_hint: String(answer.json!['id_token']) })).toBe('login_required');
    const page = party.locationOf(await party.get('authorize', party.request({ max_age: '10000' })));
    expect([page.origin, page.searchParams.has('t')]).toEqual([service.loginOrigin, true]);
  });

  it('oidcc-codereuse, oidcc-codereuse-30seconds: the code works once; its access token goes on to its end, which is a warning of the suite', async () => {
    const { back, answer } = await login();
    const again = await party.redeem(back);
    expect([again.status, again.headers['content-type'], again.json]).toEqual([400, 'application/json; charset=utf-8', { error: 'invalid_grant' }]);
    expect(await userInfo(answer.json!['access_token'])).toHaveProperty('sub');
  });

  it('oidcc-ensure-registered-redirect-uri', async () => {
    const answer = await party.get('authorize', party.request({ redirect_uri: `${party.shop.redirectUri}/another` }));
    expect([answer.status, answer.headers.location, answer.headers['content-type']]).toEqual([400, undefined, 'text/html; charset=utf-8']);
  });

  it('oidcc-ensure-post-request-succeeds', async () => {
    const page = party.locationOf(await party.post('authorize', party.request()));
    expect([page.origin, page.searchParams.has('t')]).toEqual([service.loginOrigin, true]);
  });

  it('oidcc-server-client-secret-post', async () => {
    const { clientId, clientSecret } = party.shop;
    const back = await party.approve(party.request(), phone);
    expect((await party.redeem(back, { client_id: clientId, client_secret: clientSecret }, {})).status).toBe(200);
  });

  it('oidcc-request-uri-unsigned…, oidcc-unsigned-request-object…, oidcc-ensure-request-object-with-redirect-uri', async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`;
    expect(await refusal({ request_uri: 'https://suite.example/request.jwt' })).toBe('request_uri_not_supported');
    expect(await refusal({ request: unsigned })).toBe('request_not_supported');
    const elsewhere = await party.get('authorize', party.request({ request: unsigned, redirect_uri: `${party.shop.redirectUri}/another` }));
    expect([elsewhere.status, elsewhere.headers.location]).toEqual([400, undefined]);
  });

  it('oidcc-claims-essential', async () => {
    const { answer } = await login({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
    expect(await userInfo(answer.json!['access_token'])).toMatchObject({ name: expect.any(String) });
  });

  it('oidcc-refresh-token: skipped, since none is given', async () => {
    const { answer } = await login({ scope: 'openid offline_access', prompt: 'consent' });
    expect([answer.json!['scope'], 'refresh_token' in answer.json!]).toEqual(['openid', false]);
    const refused = await party.post('token', { grant_type: 'refresh_token', refresh_token: 'x' }, { authorization: party.shop.authorization });
    expect([refused.status, refused.json!['error']]).toEqual([400, 'unsupported_grant_type']);
  });

  it('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const { verifier, challenge } = newPkce();
    const back = await party.approve(party.request({ code_challenge: challenge, code_challenge_method: 'S256' }), phone);
    expect((await party.redeem(back)).json).toEqual({ error: 'invalid_grant' });
    expect((await party.redeem(back, { code_verifier: verifier })).status).toBe(200);
  });
});
