import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';

import { epochSeconds } from '#kernel';
import { ASSERTION_TYPE } from '#domain/openid';
import { clientKeysIn } from '#domain/relying-party';
import { AssertionKey } from '#testkit/openid/assertion-key';
import { DpopKey } from '#testkit/openid/dpop-key';

import { GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';

let api: Awaited<ReturnType<typeof openIdFixture>>;
const key = new AssertionKey();
const change = (changes: object) => api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, changes);
beforeAll(async () => {
  api = await openIdFixture();
  await change({ jwks: clientKeysIn({ keys: [key.jwk] }) });
});
afterAll(() => api.close());

const now = (): number => epochSeconds(api.platform.clock.now());
const claims = () => {
  const { clientId } = api.client;
  return { ...REQUEST, client_id: clientId, iss: clientId, aud: ISSUER, iat: now(), nbf: now(), exp: now() + 60 };
};
const signed = (changes: object = {}, header: object = {}, by = key) => by.signClaims({ ...claims(), ...changes }, header);
const push = async (request: string, more: Readonly<Record<string, string>> = {}) => api.post('par', { request, ...more });

describe('a request that the client has signed', () => {
  it('begins a login with what was signed, whatever stands beside it', async () => {
    const request = await signed({ max_age: 60, claims: { id_token: { name: null } } }, { typ: 'oauth-authz-req+jwt' });
    const { status, body } = await push(request, { redirect_uri: 'https://evil.example/', scope: 'openid profile', nonce: 'other', state: 'other' });
    expect(status).toBe(201);
    const { request_uri } = body as { request_uri: string };
    const { sessionId } = await api.claim(api.tokenIn(await api.get('authorize', { client_id: api.client.clientId, request_uri })));
    const redirect = await api.finish(sessionId);
    expect(redirect.searchParams.get('state')).toBe(REQUEST.state);
    const token = (await api.post('token', { ...GRANT, code: redirect.searchParams.get('code') ?? '' })).body;
    const payload = JSON.parse(Buffer.from(String(token['id_token']).split('.')[1] ?? '', 'base64url').toString()) as object;
    expect([token['scope'], payload]).toEqual(['openid', expect.objectContaining({ nonce: REQUEST.nonce, name: 'Mari Maasikas' })]);
  });

  it('may name the issuer among others, and be eight seconds early', async () => {
    expect((await push(await signed({ aud: [ISSUER, 'https://other.example'] }))).status).toBe(201);
    expect((await push(await signed({ nbf: now() + 8 }))).status).toBe(201);
  });

  it('has no state but its own', async () => {
    const { body } = await push(await signed({ state: undefined }), { state: 'from outside' });
    const query = { client_id: api.client.clientId, request_uri: String(body['request_uri']) };
    const { sessionId } = await api.claim(api.tokenIn(await api.get('authorize', query)));
    expect((await api.finish(sessionId)).searchParams.get('state')).toBeNull();
  });

  it('is judged as any other request', async () => {
    expect((await push(await signed({ redirect_uri: 'https://evil.example/' }))).body).toMatchObject({ error: 'invalid_request' });
    expect((await push(await signed({ redirect_uri: undefined }), { redirect_uri: REQUEST.redirect_uri })).body).toMatchObject({
      error: 'invalid_request',
    });
    expect((await push(await signed({ code_challenge: undefined }), REQUEST)).body).toMatchObject({ error: 'invalid_request' });
    expect((await push(await signed({ prompt: 'none' }))).body).toMatchObject({ error: 'login_required' });
  });

  it.each<[string, () => Promise<string>]>([
    ['for another provider', () => signed({ aud: 'https://other.example' })],
    ['for the token endpoint', () => signed({ aud: `${ISSUER}/token` })],
    ['by another client', () => signed({ iss: api.other.clientId })],
    ['of another client', () => signed({ client_id: api.other.clientId })],
    ['of no client', () => signed({ client_id: undefined })],
    ['that is over', () => signed({ exp: now() - 11 })],
    ['that is early', () => signed({ nbf: now() + 11 })],
    ['without an end', () => signed({ exp: undefined })],
    ['that lasts more than an hour', () => signed({ exp: now() + 3_601, nbf: now() })],
    ['that was made more than an hour ago', () => signed({ nbf: now() - 3_611, exp: now() + 10 })],
    ['that holds another one', () => signed({ request: 'e30.e30.e30' })],
    ['that names an address', () => signed({ request_uri: 'https://rp.example/request' })],
    ['that might be an assertion', () => signed({ sub: api.client.clientId })],
    ['with a list in place of a text', () => signed({ scope: ['openid'] })],
    ['of another type', () => signed({}, { typ: 'dpop+jwt' })],
    ['with an unknown key id', () => signed({}, { kid: 'unknown' })],
    ['by another key', () => signed({}, {}, new AssertionKey())],
    ['that nobody has signed', async () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await signed()).split('.')[1]}.`],
    ['that is no JWT', async () => 'request'],
    ['that is an address', async () => 'https://rp.example/request'],
  ])('is refused %s', async (_, request) => {
    expect(await push(await request())).toMatchObject({ status: 400, body: { error: 'invalid_request_object' } });
  });

  it('is brought by no browser', async () => {
    await api.allowPlainRequests();
    const answer = await api.get('authorize', { ...REQUEST, client_id: api.client.clientId, request: await signed() });
    expect(new URL(String(answer.headers['location'])).searchParams.get('error')).toBe('request_not_supported');
    await change({ requirePushedAuthorizationRequests: true });
  });
});

describe('a client that signs each request', () => {
  beforeAll(() => change({ requireSignedRequestObject: true, dpopBoundAccessTokens: true, idTokenSignedResponseAlg: 'ES256' }));

  const assertion = async (audience = ISSUER, by = key) => ({
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: await by.sign({ clientId: api.client.clientId, audience, now: now() }),
  });
  const pushed = async (form: Readonly<Record<string, string>>) => api.post('par', { ...form, ...(await assertion()) }, {});

  it('logs in by its keys: the request, its own proof and the token are all bound to them', async () => {
    const dpopKey = new DpopKey();
    const { request_uri } = (await pushed({ request: await signed() })).body as { request_uri: string };
    const { sessionId } = await api.claim(api.tokenIn(await api.get('authorize', { client_id: api.client.clientId, request_uri })));
    const code = (await api.finish(sessionId)).searchParams.get('code') ?? '';
    const form = { ...GRANT, code, ...(await assertion()) };
    expect((await api.post('token', form, {})).body).toMatchObject({ error: 'invalid_dpop_proof' });
    const dpop = await dpopKey.proof({ htu: `${ISSUER}/token`, iat: now() });
    const { status, body } = await api.post('token', { ...form, ...(await assertion()) }, { dpop });
    expect([status, body['token_type'], decodeProtectedHeader(String(body['id_token'])).alg]).toEqual([200, 'DPoP', 'ES256']);
  });

  it('signs a request without a browser too', async () => {
    const ask = async (form: Readonly<Record<string, string>>) => (await api.post('bc-authorize', { ...form, ...(await assertion()) }, {})).body;
    const asked = { scope: 'openid', login_hint: '47101010033' };
    expect(await ask(asked)).toMatchObject({ error: 'invalid_request' });
    expect(await ask({ ...asked, request: await signed({ login_hint: undefined }) })).toMatchObject({ error: 'invalid_request' });
    expect(await ask({ request: await signed(asked) })).toMatchObject({ error: 'unknown_user_id' });
  });

  it('begins none by a request without its signature', async () => {
    expect((await pushed({ ...REQUEST })).body).toMatchObject({ error: 'invalid_request' });
    expect((await pushed({ request: await signed({ nbf: undefined }) })).body).toMatchObject({ error: 'invalid_request_object' });
    const plain = await api.get('authorize', { ...REQUEST, client_id: api.client.clientId });
    expect(new URL(String(plain.headers['location'])).searchParams.get('error')).toBe('invalid_request');
  });

  it('does not prove itself by its secret, nor by an assertion for an endpoint', async () => {
    const request = await signed();
    const secret = { client_id: api.client.clientId, client_secret: api.client.clientSecret.reveal() };
    const answers = [
      await push(request),
      await api.post('par', { request, ...secret }, {}),
      await api.post('token', { ...GRANT, code: 'code' }),
      await api.post('par', { request, ...(await assertion(`${ISSUER}/par`)) }, {}),
    ];
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual(answers.map(() => [401, 'invalid_client']));
  });

  it('keeps its protections', async () => {
    for (const off of [
      { requirePkce: false },
      { requirePushedAuthorizationRequests: false },
      { dpopBoundAccessTokens: false },
      { jwks: { keys: [] } },
    ])
      await expect(change(off)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
