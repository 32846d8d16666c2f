import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { epochSeconds } from '#kernel';
import { clientKeysIn } from '#domain/relying-party';
import { AssertionKey } from '#testkit/openid/assertion-key';
import { withParts } from '#testkit/platform/test-platform';
import { LOGIN } from '#testkit/session/login-request';

import { sessionApiFixture } from './session-api.fixture.js';

const BASE_URL = 'http://localhost:3000';

let api: Awaited<ReturnType<typeof sessionApiFixture>>;
const key = new AssertionKey();
beforeAll(async () => {
  api = await sessionApiFixture();
  await api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { jwks: clientKeysIn({ keys: [key.jwk] }) });
});
afterAll(() => api.close());

const assertion = (audience = BASE_URL, by = key, { clientId } = api.client): Promise<string> =>
  by.sign({ clientId, audience, now: epochSeconds(api.platform.clock.now()) });
const create = (token: string, { call } = api) => call('POST', '/session', LOGIN, { authorization: `Bearer ${token}` });

describe('an assertion of a client', () => {
  it('takes the place of the secret, for each call a new one', async () => {
    const { status, body } = await create(await assertion());
    expect([status, await api.events(String(body['sessionId']))]).toEqual([200, ['SessionCreated']]);
    const authorization = `bearer ${await assertion()}`;
    expect((await api.call('GET', `/session/${String(body['sessionId'])}/status`, undefined, { authorization })).body).toMatchObject({
      status: 'PENDING',
    });
    // A session of another client.
    const other = await api.call('POST', '/session', LOGIN, {}, api.other);
    const strangers = await api.call('GET', `/session/${String(other.body['sessionId'])}/status`, undefined, {
      authorization: `Bearer ${await assertion()}`,
    });
    expect([strangers.status, strangers.body['errorCode']]).toEqual([404, 'session_not_found']);
  });

  it('counts once, whatever calls it is brought to', async () => {
    const used = await assertion();
    expect((await create(used)).status).toBe(200);
    expect([(await create(used)).status, (await api.call('GET', '/nothing', undefined, { authorization: `Bearer ${used}` })).status]).toEqual([
      401, 401,
    ]);
  });

  it('counts once by forty calls at once on two replicas', async () => {
    const second = await sessionApiFixture({ ...api, platform: withParts(api.platform, {}) });
    const used = await assertion();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, number) => create(used, number % 2 === 0 ? api : second)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 39 }, () => 401)]);
    await second.app.close();
  });

  it('is verified by the keys that the client publishes as well', async () => {
    const published = new AssertionKey('published');
    const host = createServer((_, response) => response.end(JSON.stringify({ keys: [published.jwk] })));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const jwksUri = `http://127.0.0.1:${(host.address() as AddressInfo).port}/jwks`;
    await api.platform.useCases.relyingParties().changeClient.execute(api.other.clientId, { jwksUri });
    expect((await create(await assertion(BASE_URL, published, api.other))).status).toBe(200);
    expect((await create(await assertion(BASE_URL, key, api.other))).status).toBe(401);
    host.close();
  });

  it.each([
    ['for the issuer of OpenID Connect', () => assertion(`${BASE_URL}/openid`)],
    ['for its token endpoint', () => assertion(`${BASE_URL}/openid/token`)],
    ['for another server', () => assertion('https://other.example')],
    ['by another key', () => assertion(BASE_URL, new AssertionKey())],
    ['of a client without keys', () => assertion(BASE_URL, key, { ...api.other })],
    ['that is over', async () => key.sign({ clientId: api.client.clientId, audience: BASE_URL, now: epochSeconds(api.platform.clock.now()) - 71 })],
    ['that is none', async () => 'a.b.c'],
    ['that is the secret', async () => api.client.clientSecret.reveal()],
  ])('is refused %s, as wrong credentials are', async (_, made) => {
    const wrong = await api.call('POST', '/session', LOGIN, { authorization: `Basic ${btoa(`${api.client.clientId}:wrong`)}` });
    const { status, body, headers } = await create(await made());
    const shown = ({ date: _date, 'x-request-id': _id, ...rest }: Readonly<Record<string, unknown>>) => rest;
    expect([status, body, shown(headers)]).toEqual([wrong.status, wrong.body, shown(wrong.headers)]);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="Realm"']);
  });

  it('of a disabled client is refused', async () => {
    const { enableClient } = api.platform.useCases.relyingParties();
    await enableClient.execute(api.client.clientId, false);
    expect((await create(await assertion())).status).toBe(401);
    await enableClient.execute(api.client.clientId, true);
    expect((await create(await assertion())).status).toBe(200);
  });
});
