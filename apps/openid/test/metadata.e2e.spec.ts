import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';

import { epochSeconds } from '#kernel';
import { ASSERTION_TYPE } from '#domain/openid';
import type { ClientTerms } from '#domain/relying-party';
import { AssertionKey } from '#testkit/openid/assertion-key';

import { openIdFixture, REQUEST, GRANT } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';
/** Each member of the metadata. A new one needs a test of what it promises. */
const MEMBERS = [
  'acr_values_supported',
  'authorization_endpoint',
  'authorization_response_iss_parameter_supported',
  'backchannel_authentication_endpoint',
  'backchannel_authentication_request_signing_alg_values_supported',
  'backchannel_logout_session_supported',
  'backchannel_logout_supported',
  'backchannel_token_delivery_modes_supported',
  'backchannel_user_code_parameter_supported',
  'claim_types_supported',
  'claims_parameter_supported',
  'claims_supported',
  'code_challenge_methods_supported',
  'dpop_signing_alg_values_supported',
  'grant_types_supported',
  'id_token_signing_alg_values_supported',
  'issuer',
  'jwks_uri',
  'pushed_authorization_request_endpoint',
  'request_object_signing_alg_values_supported',
  'request_parameter_supported',
  'request_uri_parameter_supported',
  'require_signed_request_object',
  'response_modes_supported',
  'response_types_supported',
  'scopes_supported',
  'subject_types_supported',
  'token_endpoint',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
  'userinfo_endpoint',
];

let api: Awaited<ReturnType<typeof openIdFixture>>;
let metadata: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  api = await openIdFixture();
  metadata = (await api.get('.well-known/openid-configuration')).body;
});
afterAll(() => api.close());

const list = (member: string): readonly string[] => metadata[member] as readonly string[];
const change = (terms: Partial<ClientTerms>) => api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, terms);
const credentials = () => ({ client_id: api.client.clientId, client_secret: api.client.clientSecret.reveal() });

describe('what the metadata names works', () => {
  it('is the whole list', () => {
    expect(Object.keys(metadata).toSorted()).toEqual(MEMBERS);
  });

  it('at each endpoint', async () => {
    const endpoints = Object.entries(metadata).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
    expect(endpoints).toHaveLength(6);
    for (const [name, url] of endpoints) {
      const path = String(url).slice(`${ISSUER}/`.length);
      const { status } =
        /jwks|userinfo|authorization_endpoint$/.test(name) && name !== 'pushed_authorization_request_endpoint'
          ? await api.get(path)
          : await api.post(path, {});
      expect([name, status]).not.toEqual([name, 404]);
    }
  });

  it('with each scope, whose claims are all named', async () => {
    const attributes = ['name', 'givenName', 'familyName', 'dateOfBirth', 'email', 'phoneNumber', 'personalCode', 'country'];
    await change({ allowedAttributes: attributes as never, allowedPredicates: ['ageOver*'] as never });
    const scope = list('scopes_supported').join(' ');
    const { code } = await api.login({ ...REQUEST, scope });
    const { body } = await api.post('token', { ...GRANT, code });
    expect([body['scope'], body['evidence']]).toEqual([scope, expect.any(String)]);
    const claims = Object.keys(decodeJwt(String(body['id_token'])));
    expect(claims).toEqual(
      expect.arrayContaining(['sub', 'auth_time', 'acr', 'amr', 'name', 'given_name', 'family_name', 'birthdate', 'personal_code']),
    );
    expect(claims.filter((claim) => !list('claims_supported').includes(claim))).toEqual(['age_over_18']);
    expect(list('acr_values_supported')).toEqual([decodeJwt(String(body['id_token']))['acr']]);
  });

  it('with each algorithm of ID tokens', async () => {
    for (const alg of list('id_token_signing_alg_values_supported')) {
      await change({ idTokenSignedResponseAlg: alg as never });
      const { code } = await api.login();
      const { body } = await api.post('token', { ...GRANT, code });
      expect(decodeProtectedHeader(String(body['id_token'])).alg).toBe(alg);
    }
    await change({ idTokenSignedResponseAlg: 'RS256' });
  });

  it('by each way of client authentication, and by no other', async () => {
    const { clientId } = api.client;
    const key = new AssertionKey();
    await change({ jwks: { keys: [key.jwk] } as never });
    const now = epochSeconds(api.platform.clock.now());
    const assertion = { client_assertion_type: ASSERTION_TYPE, client_assertion: await key.sign({ clientId, audience: ISSUER, now }) };
    const ways: Readonly<Record<string, () => ReturnType<typeof api.post>>> = {
      client_secret_basic: () => api.post('par', REQUEST),
      client_secret_post: () => api.post('par', { ...REQUEST, ...credentials() }, {}),
      private_key_jwt: () => api.post('par', { ...REQUEST, ...assertion }, {}),
    };
    expect(Object.keys(ways)).toEqual(list('token_endpoint_auth_methods_supported'));
    for (const way of Object.values(ways)) expect((await way()).status).toBe(201);
    // `none`, and `client_secret_jwt`: an assertion by the secret.
    expect((await api.post('par', { ...REQUEST, client_id: clientId }, {})).status).toBe(401);
    await change({ jwks: { keys: [] } as never });
  });

  it('with each grant, response type, mode and code challenge method, and with no other', async () => {
    for (const grant_type of list('grant_types_supported'))
      expect((await api.post('token', { grant_type })).body).toMatchObject({ error: 'invalid_request' });
    for (const grant_type of ['refresh_token', 'client_credentials', 'password'])
      expect((await api.post('token', { grant_type })).body).toMatchObject({ error: 'unsupported_grant_type' });
    for (const response_type of list('response_types_supported')) expect((await api.post('par', { ...REQUEST, response_type })).status).toBe(201);
    for (const response_mode of list('response_modes_supported')) expect((await api.post('par', { ...REQUEST, response_mode })).status).toBe(201);
    for (const response_mode of ['fragment', 'form_post', 'jwt', 'query.jwt'])
      expect([response_mode, (await api.post('par', { ...REQUEST, response_mode })).body]).toMatchObject([
        response_mode,
        { error: 'invalid_request' },
      ]);
    expect(list('code_challenge_methods_supported')).toEqual(['S256']);
    expect((await api.post('par', { ...REQUEST, code_challenge_method: 'plain' })).body).toMatchObject({ error: 'invalid_request' });
  });
});

describe('what does not work is not named', () => {
  it('tokens that are bound to certificates, and so no FAPI-CIBA', async () => {
    const named = JSON.stringify(metadata);
    for (const absent of [
      'tls_client',
      'mtls',
      'certificate_bound',
      '"push"',
      'HS256',
      '"none"',
      'client_secret_jwt',
      'registration_endpoint',
      'end_session_endpoint',
    ])
      expect([absent, named.includes(absent)]).toEqual([absent, false]);
    expect(list('backchannel_token_delivery_modes_supported')).toEqual(['poll', 'ping']);
  });

  it('signing by RSA with PKCS #1 of proofs, and of requests of a client that proves itself by its keys alone, as FAPI 2.0 forbids it', async () => {
    expect(list('dpop_signing_alg_values_supported')).toEqual(['PS256', 'ES256']);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await change({ jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'rsa' }] } as never });
    const { clientId } = api.client;
    const now = epochSeconds(api.platform.clock.now());
    const signed = (claims: object, alg: string) => new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: 'rsa' }).sign(privateKey);
    const ask = async (alg: string) => {
      const request = await signed({ ...REQUEST, iss: clientId, client_id: clientId, aud: ISSUER, nbf: now, exp: now + 60 }, alg);
      const assertion = await signed({ iss: clientId, sub: clientId, aud: ISSUER, jti: randomUUID(), exp: now + 60 }, 'PS256');
      const { status, body } = await api.post('par', { request, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion }, {});
      return [status, body['error']];
    };
    for (const alg of list('request_object_signing_alg_values_supported').filter((name) => name !== 'ES256'))
      expect([alg, ...(await ask(alg))]).toEqual([alg, 201, undefined]);
    await change({ tokenEndpointAuthMethod: 'private_key_jwt' });
    expect([await ask('PS256'), await ask('RS256')]).toEqual([
      [201, undefined],
      [400, 'invalid_request_object'],
    ]);
    await change({ jwks: { keys: [] } as never, tokenEndpointAuthMethod: '' });
  });
});
