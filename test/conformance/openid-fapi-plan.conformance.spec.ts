import { generateKeyPairSync } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose';

import { DpopKey } from '#testkit/openid/dpop-key';

import { type Answer, Browser, decline, newCast } from '../support/index.js';
import { FapiParty } from './support/fapi-party.js';
import type { Form } from './support/openid-party.js';

/*
 * The plan fapi2-security-profile-final of the suite of the OpenID Foundation, module by module: plain FAPI with OpenID Connect, `private_key_jwt`, DPoP, and requests that are pushed and
 * not signed. What needs the time to pass is shown on a clock that can be moved (docs/conformance.md has the list).
 */
const { service, phone } = await newCast();

let fapi: FapiParty;
let other: FapiParty;
beforeAll(async () => {
  fapi = await FapiParty.register(service);
  other = await FapiParty.register(service);
});

const now = (): number => Math.floor(Date.now() / 1_000);
const outcome = ({ status, json }: Answer) => [status, json?.['error']];
const REFUSED_CLIENT = [401, 'invalid_client'];
const WRONG_CODE = [400, 'invalid_grant'];
/** A token that userinfo takes with a proof. */
const boundToken = async (): Promise<string> => String((await fapi.redeem(await fapi.approve(phone))).json!['access_token']);

describe('the plan fapi2-security-profile-final: requests', () => {
  it('discovery-end-point-verification', async () => {
    const { json } = await fapi.party.get('.well-known/openid-configuration');
    expect(json).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      pushed_authorization_request_endpoint: `${fapi.party.issuer}/par`,
      code_challenge_methods_supported: ['S256'],
      dpop_signing_alg_values_supported: ['PS256', 'ES256'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
    });
  });

  it('happy-flow, par-without-duplicate-parameters', async () => {
    const form = fapi.request({ scope: 'openid profile email' });
    const back = await fapi.approve(phone, form);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([form['state'], fapi.party.issuer]);
    const answer = await fapi.redeem(back);
    expect([answer.status, answer.json!['token_type'], answer.headers['cache-control']]).toEqual([200, 'DPoP', 'no-store']);
    const { payload, protectedHeader } = await fapi.party.idToken(answer);
    expect([protectedHeader.alg, payload['nonce']]).toEqual(['ES256', form['nonce']]);
    const token = String(answer.json!['access_token']);
    expect((await fapi.userInfo(token)).json).toMatchObject({ sub: payload.sub, name: expect.any(String) });
    // DisallowAccessTokenInQuery.
    const inQuery = await fapi.party.get(
      'userinfo',
      { access_token: token },
      { dpop: await fapi.proof('userinfo', { htm: 'GET', accessToken: token }) },
    );
    expect(inQuery.status).toBe(401);
  });

  it('user-rejects-authentication', async () => {
    const form = fapi.request();
    const query = await fapi.pushed(form);
    const address = `${fapi.party.issuer}/authorize?${new URLSearchParams(query as Record<string, string>).toString()}`;
    const back = await decline(address, service, phone);
    expect([back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([
      'access_denied',
      form['state'],
      fapi.party.issuer,
    ]);
  });

  it.each<[string, Form]>([
    ['ensure-other-scope-order-succeeds', { scope: 'email openid' }],
    ['ensure-authorization-request-without-state-success', { state: undefined }],
    ['ensure-authorization-request-without-nonce-success', { nonce: undefined }],
    ['ensure-authorization-request-with-64-char-nonce-success', { nonce: 'n'.repeat(64) }],
    ['ensure-authorization-request-with-long-nonce', { nonce: 'n'.repeat(384) }],
    ['test-claims-parameter-identity-claims', { claims: JSON.stringify({ id_token: { email: null }, userinfo: { name: null } }) }],
  ])('%s', async (_, changes) => {
    const form = fapi.request(changes);
    const back = await fapi.approve(phone, form);
    expect(back.searchParams.get('state')).toBe(form['state'] ?? null);
    const answer = await fapi.redeem(back);
    expect(answer.status).toBe(200);
    expect((await fapi.party.idToken(answer)).payload['nonce']).toBe(form['nonce']);
  });

  it('ensure-authorization-request-with-long-state: refused, and never shortened', async () => {
    expect(outcome(await fapi.push(fapi.request({ state: 's'.repeat(1_000) })))).toEqual([400, 'invalid_request']);
  });

  it.each<[string, Form, string]>([
    ['par-pkce-required', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['par-plain-pkce-rejected', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['ensure-response-type-code-idtoken-fails', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['ensure-response-type-token-fails', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'ensure-request-object-without-redirect-uri-fails, ensure-redirect-uri-in-authorization-request',
      { redirect_uri: undefined },
      'invalid_request',
    ],
    ['ensure-registered-redirect-uri, tolerate-unregistered-redirect-uri', { redirect_uri: 'https://suite.example/another' }, 'invalid_request'],
    ['par-authorization-request-containing-request_uri-form-param', { request_uri: 'urn:suite' }, 'request_uri_not_supported'],
    ['ensure-mismatched-dpop-jkt-fails', { dpop_jkt: 'x'.repeat(43) }, 'invalid_dpop_proof'],
  ])('%s', async (module, changes, error) => {
    const dpop = module.includes('dpop') ? { dpop: await fapi.proof('par') } : {};
    expect(outcome(await fapi.push(fapi.request(changes), dpop))).toEqual([400, error]);
  });

  it('par-attempt-invalid-http-method', async () => {
    const { status } = await fapi.party.get('par', fapi.request());
    expect([404, 405]).toContain(status);
  });

  it('ensure-unsigned-authorization-request-without-using-par-fails', async () => {
    const back = fapi.party.locationOf(await fapi.party.get('authorize', fapi.request()));
    expect(back.searchParams.get('error')).toBe('invalid_request');
  });

  it('par-attempt-to-use-request_uri-for-different-client', async () => {
    const answer = await fapi.party.get('authorize', { ...(await fapi.pushed()), client_id: other.clientId });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  });

  it('par-attempt-reuse-request_uri', async () => {
    const query = await fapi.pushed();
    await fapi.party.approve(query, phone);
    const answer = await fapi.party.get('authorize', query);
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  });

  it('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds: in the browser that began', async () => {
    const query = await fapi.pushed();
    const open = async () => fapi.party.locationOf(await fapi.party.get('authorize', query)).searchParams.get('t');
    const browser = new Browser(service);
    const { sessionId } = (await browser.claim(await open())).json!;
    const again = await browser.claim(await open());
    expect([again.status, again.json!['sessionId']]).toEqual([200, sessionId]);
    expect((await new Browser(service).claim(await open())).json).toMatchObject({ errorCode: 'invalid_handoff' });
    expect((await phone.scan(String(sessionId))).status).toBe(200);
    expect((await browser.claim(await open())).status).toBe(200);
    expect((await phone.confirm(String(sessionId))).status).toBe(200);
    const { json } = await browser.complete(String(sessionId));
    expect((await fapi.redeem(new URL(String(json!['redirect'])))).status).toBe(200);
  });
});

describe('the plan fapi2-security-profile-final: the client', () => {
  it.each<[string, (party: FapiParty) => Promise<Form>]>([
    ['ensure-client-assertion-with-wrong-aud-fails', (party) => party.assertion({ aud: 'https://other.example' })],
    ['ensure-client-assertion-with-no-sub-fails', (party) => party.assertion({ sub: undefined })],
    [
      'ensure-client-assertion-with-exp-is-5-minutes-in-past-fails',
      (party) => party.assertion({ iat: now() - 360, nbf: undefined, exp: now() - 300 }),
    ],
    ['par-endpoint-as-audience-fails', (party) => party.assertion({ aud: `${party.party.issuer}/par` })],
    ['par-token-endpoint-as-audience-fails', (party) => party.assertion({ aud: `${party.party.issuer}/token` })],
    ['par-test-array-as-audience-fails', (party) => party.assertion({ aud: [party.party.issuer, 'https://other.example'] })],
    ['par-…-nbf-over-60-seconds-in-the-future-fails', (party) => party.assertion({ iat: now() + 75, nbf: now() + 75, exp: now() + 135 })],
    ['ensure-signed-client-assertion-with-RS256-fails', (party) => party.assertion({}, 'RS256')],
    ['ensure-client-assertion-in-token-endpoint-fails', async (party) => ({ client_id: party.clientId })],
    ['(the secret)', async ({ party: { shop } }) => ({ client_id: shop.clientId, client_secret: shop.clientSecret })],
  ])('%s', async (_, credentials) => {
    expect(outcome(await fapi.push(fapi.request(), { credentials: await credentials(fapi) }))).toEqual(REFUSED_CLIENT);
    const back = await fapi.approve(phone);
    expect(outcome(await fapi.redeem(back, { credentials: await credentials(fapi) }))).toEqual(REFUSED_CLIENT);
    expect((await fapi.redeem(back)).status).toBe(200);
  });

  it('par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted, and PS256', async () => {
    const soon = { iat: now() + 8, nbf: now() + 8 };
    expect((await fapi.push(fapi.request(), { credentials: await fapi.assertion(soon) })).status).toBe(201);
    expect((await fapi.push(fapi.request(), { credentials: await fapi.assertion({}, 'PS256') })).status).toBe(201);
  });

  it('an assertion counts once', async () => {
    const credentials = await fapi.assertion();
    expect((await fapi.push(fapi.request(), { credentials })).status).toBe(201);
    expect(outcome(await fapi.push(fapi.request(), { credentials }))).toEqual(REFUSED_CLIENT);
  });

  it('ensure-client-id-in-token-endpoint: an assertion of the second client by the key of the first', async () => {
    const back = await fapi.approve(phone);
    const claims = { iss: other.clientId, sub: other.clientId, aud: fapi.party.issuer, jti: 'x', iat: now(), exp: now() + 60 };
    const credentials = { ...(await fapi.assertion()), client_assertion: await fapi.sign(claims), client_id: other.clientId };
    expect(outcome(await fapi.redeem(back, { credentials }))).toEqual(REFUSED_CLIENT);
  });
});

describe('the plan fapi2-security-profile-final: codes and tokens', () => {
  it('ensure-authorization-code-is-bound-to-client', async () => {
    const back = await fapi.approve(phone);
    const credentials = await other.assertion();
    expect(outcome(await fapi.redeem(back, { credentials }))).toEqual(WRONG_CODE);
    expect((await fapi.redeem(back)).status).toBe(200);
  });

  it('attempt-reuse-authorization-code-after-one-second', async () => {
    const back = await fapi.approve(phone);
    expect((await fapi.redeem(back)).status).toBe(200);
    expect(outcome(await fapi.redeem(back))).toEqual(WRONG_CODE);
  });

  it('ensure-pkce-code-verifier-required, incorrect-pkce-code-verifier-rejected', async () => {
    const back = await fapi.approve(phone);
    expect(outcome(await fapi.redeem(back, { form: { code_verifier: undefined } }))).toEqual(WRONG_CODE);
    expect(outcome(await fapi.redeem(back, { form: { code_verifier: 'v'.repeat(43) } }))).toEqual(WRONG_CODE);
    expect((await fapi.redeem(back)).status).toBe(200);
  });

  it('ensure-holder-of-key-required', async () => {
    const back = await fapi.approve(phone);
    expect(outcome(await fapi.redeem(back, { dpop: '' }))).toEqual([400, 'invalid_dpop_proof']);
  });

  it('ensure-dpop-auth-code-binding-success, ensure-token-endpoint-fails-with-mismatched-dpop-jkt', async () => {
    const back = await fapi.approve(phone, fapi.request({ dpop_jkt: await calculateJwkThumbprint(fapi.dpop.jwk) }));
    expect(outcome(await fapi.redeem(back, { dpop: await fapi.proof('token', { by: new DpopKey() }) }))).toEqual(WRONG_CODE);
    expect((await fapi.redeem(back)).status).toBe(200);
  });

  it('ensure-dpop-proof-at-par-endpoint-binding-success, ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt', async () => {
    const { json } = await fapi.push(fapi.request(), { dpop: await fapi.proof('par') });
    const back = await fapi.party.approve({ client_id: fapi.clientId, request_uri: String(json!['request_uri']) }, phone);
    expect(outcome(await fapi.redeem(back, { dpop: await fapi.proof('token', { by: new DpopKey() }) }))).toEqual(WRONG_CODE);
    expect((await fapi.redeem(back)).status).toBe(200);
  });

  it.each([
    ['ensure-dpop-proof-with-iat-10seconds-before-succeeds', () => ({ iat: now() - 10 })],
    ['ensure-dpop-proof-with-iat-10seconds-after-succeeds', () => ({ iat: now() + 10 })],
    ['check-dpop-proof-nbf-exp', () => ({ nbf: now(), exp: now() + 300 })],
  ])('%s', async (_, changes) => {
    const answer = await fapi.redeem(await fapi.approve(phone), { dpop: await fapi.proof('token', { changes: changes() }) });
    expect(answer.status).toBe(200);
    expect((await fapi.userInfo(String(answer.json!['access_token']), { changes: changes() })).status).toBe(200);
  });

  it('access-token-type-header-case-sensitivity', async () => {
    expect((await fapi.userInfo(await boundToken(), {}, 'dPOp')).status).toBe(200);
  });

  it('refresh-token: skipped, since none is given', async () => {
    const answer = await fapi.redeem(await fapi.approve(phone, fapi.request({ scope: 'openid offline_access', prompt: 'consent' })));
    expect([answer.status, answer.json!['scope'], 'refresh_token' in answer.json!]).toEqual([200, 'openid', false]);
  });
});

describe('the plan fapi2-security-profile-final: dpop-negative-tests', () => {
  let token: string;
  beforeAll(async () => {
    token = await boundToken();
  });
  const ask = async (dpop: string | string[], scheme = 'DPoP') =>
    fapi.party.get('userinfo', {}, { authorization: `${scheme} ${token}`, ...(dpop.length > 0 && { dpop: dpop as string }) });
  const proof = (changes: object = {}, header: object = {}, by = fapi.dpop) =>
    fapi.proof('userinfo', { htm: 'GET', accessToken: token, changes, header, by });
  const url = () => `${fapi.party.issuer}/userinfo`;

  it.each<[string, () => Promise<string | string[]>]>([
    ['more than one proof', async () => [await proof(), await proof()]],
    ['no well-formed JWT', async () => `${await proof()}.x`],
    ['no typ', () => proof({}, { typ: undefined })],
    ['another typ', () => proof({}, { typ: 'JWT' })],
    ['no alg', async () => withHeader(await proof(), ({ alg: _, ...header }) => header)],
    ['none as alg', async () => withHeader(await proof(), (header) => ({ ...header, alg: 'none' }))],
    ['no jwk', () => proof({}, { jwk: undefined })],
    ['a private jwk', () => proof({}, { jwk: fapi.dpop.pair.privateKey.export({ format: 'jwk' }) })],
    ['RS256', byRs256],
    ['no jti', () => proof({ jti: undefined })],
    ['no htm', () => proof({ htm: undefined })],
    ['another htm', () => proof({ htm: 'PUT' })],
    ['no htu', () => proof({ htu: undefined })],
    ['another htu', () => proof({ htu: `${url()}/other` })],
    ['no iat', () => proof({ iat: undefined })],
    ['iat an hour ahead', () => proof({ iat: now() + 3_600 })],
    ['iat an hour ago', () => proof({ iat: now() - 3_600 })],
    ['no ath', () => proof({ ath: undefined })],
    ['another ath', () => proof({ ath: 'x'.repeat(43) })],
    ['a wrong signature', async () => `${(await proof()).slice(0, -8)}AAAAAAAA`],
    ['another key', () => proof({}, {}, new DpopKey())],
    ['no proof', async () => ''],
  ])('%s is refused', async (_, made) => {
    expect((await ask(await made())).status).toBe(401);
  });

  it('the token is none of the scheme Bearer, with a proof and without one', async () => {
    expect([(await ask('', 'Bearer')).status, (await ask(await proof(), 'Bearer')).status]).toEqual([401, 401]);
  });

  it('a proof counts once', async () => {
    const once = await proof();
    expect([(await ask(once)).status, (await ask(once)).status]).toEqual([200, 401]);
  });

  it.each<[string, () => Promise<string>]>([
    ['with a query and a fragment in htu', () => proof({ htu: `${url()}?a=1#b` })],
    ['with more members', () => proof({ more: 'x' }, { more: 'x' })],
    ['with the host in capitals', () => proof({ htu: url().replace(new URL(url()).host, (host) => host.toUpperCase()) })],
    ['with nothing changed', () => proof()],
  ])('a proof is taken %s', async (_, made) => {
    expect((await ask(await made())).status).toBe(200);
  });

  async function byRs256(): Promise<string> {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const header = { typ: 'dpop+jwt', alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) as JWK };
    return new SignJWT({ htm: 'GET', htu: url(), iat: now(), jti: 'rs256' }).setProtectedHeader(header).sign(privateKey);
  }
});

/** The JWT with another header: its signature no longer fits. */
const withHeader = (jwt: string, change: (header: Record<string, unknown>) => object): string => {
  const [header = '', ...rest] = jwt.split('.');
  const changed = change(JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>);
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.');
};
