import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';

import { epochSeconds } from '#kernel';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { withParts } from '#testkit/platform/test-platform';
import { DpopKey } from '#testkit/openid/dpop-key';

import { basic, GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';
const FORTY = Array.from({ length: 40 }, (_, number) => number);

let world: SessionFixture;
let api: Awaited<ReturnType<typeof openIdFixture>>;
const key = new DpopKey();
beforeAll(async () => {
  world = await sessionFixture();
  api = await openIdFixture(world);
});
afterAll(() => api.close());

const proofFor = (path: string, by = key, accessToken?: string, htm = 'POST') =>
  by.proof({ htm, htu: `${ISSUER}/${path}`, iat: epochSeconds(api.platform.clock.now()), ...(accessToken !== undefined && { accessToken }) });
const authorization = () => basic(api.client);
const redeem = async (code: string, dpop?: string) =>
  api.post('token', { ...GRANT, code }, { authorization: authorization(), ...(dpop !== undefined && { dpop }) });
/** An access token that is bound to the key. */
const boundToken = async (): Promise<string> => String((await redeem((await api.login()).code, await proofFor('token'))).body['access_token']);
const userInfo = (headers: Readonly<Record<string, string>>) => api.get('userinfo', {}, headers);
const requireProofs = (dpopBoundAccessTokens: boolean) =>
  api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { dpopBoundAccessTokens });

describe('a code that is redeemed with a proof of a key', () => {
  it('gives a token that userinfo takes with a proof of the same key alone', async () => {
    const { sessionId, code } = await api.login();
    const { status, body } = await redeem(code, await proofFor('token'));
    expect([status, body]).toEqual([200, expect.objectContaining({ token_type: 'DPoP', expires_in: 300, id_token: expect.any(String) })]);
    const stored = await api.platform.eventStore.read(`session-${sessionId}` as never);
    expect(stored.at(-1)).toMatchObject({ type: 'CodeRedeemed', data: { jkt: await calculateJwkThumbprint(key.jwk) }, metadata: { v: 4 } });

    const token = String(body['access_token']);
    const right = { authorization: `DPoP ${token}`, dpop: await proofFor('userinfo', key, token, 'GET') };
    expect((await userInfo(right)).status).toBe(200);
    const posted = { authorization: `dpop ${token}`, dpop: await proofFor('userinfo', key, token) };
    expect((await api.post('userinfo', {}, posted)).status).toBe(200);
    expect(await userInfo(right)).toMatchObject({ status: 401, body: { error: 'invalid_dpop_proof' } });
  });

  it('gives a token that a thief cannot use', async () => {
    const token = await boundToken();
    const stolen = async (dpop?: string, scheme = 'DPoP') => {
      const { status, body, headers } = await userInfo({ authorization: `${scheme} ${token}`, ...(dpop !== undefined && { dpop }) });
      return [status, body['error'], headers['www-authenticate']];
    };
    const noProof = [401, 'invalid_dpop_proof', 'DPoP error="invalid_dpop_proof", algs="PS256 ES256"'];
    expect(await stolen(undefined, 'Bearer')).toEqual([401, 'invalid_token', 'Bearer error="invalid_token"']);
    expect(await stolen(await proofFor('userinfo', key, token, 'GET'), 'Bearer')).toEqual([401, 'invalid_token', 'Bearer error="invalid_token"']);
    expect(await stolen()).toEqual(noProof);
    expect(await stolen(await proofFor('userinfo', new DpopKey(), token, 'GET'))).toEqual([
      401,
      'invalid_token',
      'DPoP error="invalid_token", algs="PS256 ES256"',
    ]);
    expect(await stolen(await proofFor('userinfo', key, undefined, 'GET'))).toEqual(noProof);
    expect(await stolen(await proofFor('userinfo', key, await boundToken(), 'GET'))).toEqual(noProof);
    expect(await stolen(await proofFor('token', key, token, 'GET'))).toEqual(noProof);
  });

  it('is not redeemed by a wrong proof, and still by a right one', async () => {
    const { code } = await api.login();
    for (const dpop of [await proofFor('par'), 'a.b.c', `${await proofFor('token')}, ${await proofFor('token')}`])
      expect(await redeem(code, dpop)).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
    expect((await redeem(code, await proofFor('token'))).status).toBe(200);
  });
});

describe('a token without a key', () => {
  it('is a Bearer token, and none of the scheme DPoP', async () => {
    const { body } = await redeem((await api.login()).code);
    const token = String(body['access_token']);
    expect([body['token_type'], (await userInfo({ authorization: `Bearer ${token}` })).status]).toEqual(['Bearer', 200]);
    const bound = await userInfo({ authorization: `DPoP ${token}`, dpop: await proofFor('userinfo', key, token, 'GET') });
    expect(bound).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
  });
});

describe('a request that names a key', () => {
  it.each([
    ['by dpop_jkt', async () => api.begin({ ...REQUEST, dpop_jkt: await calculateJwkThumbprint(key.jwk) })],
    [
      'by a proof at the endpoint of pushed requests',
      async () => {
        const headers = { authorization: authorization(), dpop: await proofFor('par') };
        const { request_uri } = (await api.post('par', REQUEST, headers)).body as { request_uri: string };
        return (await api.claim(api.tokenIn(await api.get('authorize', { client_id: api.client.clientId, request_uri })))).sessionId;
      },
    ],
    [
      'by dpop_jkt, brought by a browser',
      async () => {
        await api.allowPlainRequests();
        const form = { ...REQUEST, client_id: api.client.clientId, dpop_jkt: await calculateJwkThumbprint(key.jwk) };
        return (await api.claim(api.tokenIn(await api.get('authorize', form)))).sessionId;
      },
    ],
  ])('%s leads to a code for this key alone', async (_, begin) => {
    const code = (await api.finish(await begin())).searchParams.get('code') ?? '';
    expect((await redeem(code)).body).toEqual({ error: 'invalid_grant' });
    expect((await redeem(code, await proofFor('token', new DpopKey()))).body).toEqual({ error: 'invalid_grant' });
    expect((await redeem(code, await proofFor('token'))).body).toMatchObject({ token_type: 'DPoP' });
  });

  it('is refused for a thumbprint that is none, or that of another key than the proof', async () => {
    expect((await api.post('par', { ...REQUEST, dpop_jkt: 'key' })).body).toMatchObject({ error: 'invalid_request' });
    const headers = { authorization: authorization(), dpop: await proofFor('par') };
    const dpop_jkt = await calculateJwkThumbprint(new DpopKey().jwk);
    expect((await api.post('par', { ...REQUEST, dpop_jkt }, headers)).body).toMatchObject({ error: 'invalid_dpop_proof' });
    expect((await api.post('par', REQUEST, { authorization: authorization(), dpop: 'a.b.c' })).body).toMatchObject({ error: 'invalid_dpop_proof' });
  });
});

describe('a client whose tokens are all bound to a key', () => {
  it('gets none without a proof, also for a login that began before', async () => {
    const { code } = await api.login();
    await requireProofs(true);
    const later = (await api.login()).code;
    for (const each of [code, later]) {
      expect(await redeem(each)).toMatchObject({ status: 400, body: { error: 'invalid_dpop_proof' } });
      expect((await redeem(each, await proofFor('token'))).body).toMatchObject({ token_type: 'DPoP' });
    }
    await requireProofs(false);
  });

  it('gets none for a login that began while it was so', async () => {
    await requireProofs(true);
    const { code } = await api.login();
    await requireProofs(false);
    expect((await redeem(code)).body).toEqual({ error: 'invalid_grant' });
    expect((await redeem(code, await proofFor('token'))).status).toBe(200);
  });
});

describe('one proof, brought by forty calls at once to two replicas', () => {
  it('counts once at userinfo', async () => {
    const second = await openIdFixture({ ...world, platform: withParts(world.platform, {}) });
    const token = await boundToken();
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor('userinfo', key, token, 'GET') };
    const answers = await Promise.all(FORTY.map((number) => (number % 2 === 0 ? api : second).get('userinfo', {}, headers)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...FORTY.slice(1).map(() => 401)]);
    await second.app.close();
  });

  it('redeems one of several codes', async () => {
    const codes = await Promise.all(FORTY.slice(0, 4).map(async () => (await api.login()).code));
    const dpop = await proofFor('token');
    const answers = await Promise.all(FORTY.map((number) => redeem(codes[number % codes.length]!, dpop)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
