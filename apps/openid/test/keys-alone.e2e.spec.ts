import { generateKeyPairSync, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';

import { epochSeconds, sha256 } from '#kernel';
import { ASSERTION_TYPE } from '#domain/openid';
import { clientKeysIn } from '#domain/relying-party';
import { CODE_VERIFIER } from '#testkit/session/login-request';

import { openIdFixture, REQUEST } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';

let api: Awaited<ReturnType<typeof openIdFixture>>;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const change = (changes: object) => api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, changes);
beforeAll(async () => {
  api = await openIdFixture();
  await change({ jwks: clientKeysIn({ keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' }] }) });
});
afterAll(() => api.close());

const asserted = async (audience: string | readonly string[] = ISSUER, alg = 'PS256') => {
  const { clientId } = api.client;
  const claims = { iss: clientId, sub: clientId, aud: audience as string, jti: randomUUID(), exp: epochSeconds(api.platform.clock.now()) + 60 };
  const assertion = await new SignJWT(claims).setProtectedHeader({ alg, kid: 'rsa' }).sign(rsa.privateKey);
  return { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
};
const pushed = async (credentials: object) => (await api.post('par', { ...REQUEST, ...credentials }, {})).status;
const secret = () => ({ client_id: api.client.clientId, client_secret: api.client.clientSecret.reveal() });
const inHeader = async () => (await api.post('par', REQUEST)).status;

describe('a client that proves itself by its keys alone', () => {
  it('is refused by its secret, by RS256, and by an assertion for more than the issuer, none of which was refused before', async () => {
    const ways = async () => [
      await inHeader(),
      await pushed(secret()),
      await pushed(await asserted(ISSUER, 'RS256')),
      await pushed(await asserted(`${ISSUER}/par`)),
      await pushed(await asserted(`${ISSUER}/token`)),
      await pushed(await asserted([ISSUER, `${ISSUER}/token`])),
      await pushed(await asserted([ISSUER])),
      await pushed(await asserted()),
    ];
    expect(await ways()).toEqual([201, 201, 201, 201, 201, 201, 201, 201]);
    await change({ tokenEndpointAuthMethod: 'private_key_jwt' });
    expect(await ways()).toEqual([401, 401, 401, 401, 401, 401, 401, 201]);
    await change({ tokenEndpointAuthMethod: '' });
    expect(await inHeader()).toBe(201);
  });

  it('pushes requests that it has not signed, and still has its secret for the native API', async () => {
    await change({ tokenEndpointAuthMethod: 'private_key_jwt' });
    expect(await pushed(await asserted())).toBe(201);
    const { authenticateClient } = api.platform.useCases.relyingParties();
    expect(await authenticateClient.execute(api.client.clientId, sha256(api.client.clientSecret.reveal()))).toBeDefined();
    expect(await api.post('token', { grant_type: 'authorization_code', code: 'code', code_verifier: CODE_VERIFIER })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    await change({ tokenEndpointAuthMethod: '' });
  });

  it('keeps a key as long as it is one', async () => {
    await change({ tokenEndpointAuthMethod: 'private_key_jwt' });
    await expect(change({ jwks: { keys: [] } })).rejects.toMatchObject({ code: 'invalid_request' });
    await change({ jwks: { keys: [] }, tokenEndpointAuthMethod: '' });
  });
});
