import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';

import { type SigningPairs } from '#testkit/openid/signing-pairs';

import { GRANT, openIdFixture, REQUEST } from './openid.fixture.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let api: Awaited<ReturnType<typeof openIdFixture>>;
beforeAll(async () => {
  api = await openIdFixture();
});
afterAll(() => api.close());

const keySet = async () => (await api.get('jwks')).body as unknown as JSONWebKeySet;
const idToken = async (): Promise<string> => String((await api.post('token', { ...GRANT, code: (await api.login()).code })).body['id_token']);

describe('a relying party that keeps the published keys for a day', () => {
  it('verifies every ID token through a rotation, hour by hour, by the copy that it has', async () => {
    const { clock } = api.platform;
    let [copy, copiedAt] = [await keySet(), clock.now()];
    const signedBy = new Set<string>();
    // The operator rotates right after the copy was made, which is the worst moment.
    (api.platform.keys.openid as SigningPairs).rotate(clock.now() + DAY);
    for (let hours = 0; hours < 72; hours += 1) {
      if (clock.now() - copiedAt >= DAY) [copy, copiedAt] = [await keySet(), clock.now()];
      const token = await idToken();
      const verified = await jwtVerify(token, createLocalJWKSet(copy), { audience: api.client.clientId, currentDate: new Date(clock.now()) });
      signedBy.add(String(verified.protectedHeader.kid));
      clock.advance(HOUR);
    }
    expect(signedBy).toEqual(new Set(['first-rs256', 'pair-1-rs256']));
    expect(new Set((await keySet()).keys.map(({ kid }) => kid))).toEqual(new Set(['pair-1-rs256', 'pair-1-ps256', 'pair-1-es256']));
  });

  it('may bring an ID token of the former key as a hint still', async () => {
    const hint = await idToken();
    (api.platform.keys.openid as SigningPairs).rotate(api.platform.clock.now() + 1);
    api.platform.clock.advance(2 * DAY);
    expect((await keySet()).keys.map(({ kid }) => kid)).not.toContain(decodeProtectedHeader(hint).kid);
    expect((await api.post('par', { ...REQUEST, id_token_hint: hint })).status).toBe(201);
  });
});
