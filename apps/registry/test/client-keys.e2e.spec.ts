import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { testPlatform } from '#testkit/platform/test-platform';
import { INTERNAL_LITERALS, INTERNAL_NAMES } from '#testkit/webhook/internal-hosts';

import { type Answer, type AskedApproval, CLIENT, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const URI = 'https://keys.shop.example/jwks.json';

let registry: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  registry = await registryFixture(await testPlatform({ FOUR_EYES: 'true', WEBHOOK_ALLOWED_NETWORKS: ',' }));
});
afterEach(() => registry.close());

const refusal = ({ status, body }: Answer) => [status, body['errorCode']];

describe('the address of the keys of a relying party', () => {
  it('is https under a public name, in every spelling, at the registration and at a change', async () => {
    const clientId = await registry.client();
    const hosts = [...INTERNAL_LITERALS, ...INTERNAL_NAMES, 'user@keys.shop.example', 'keys.shop.example:22'];
    const uris = [...hosts.map((host) => `https://${host}/`), 'http://keys.shop.example/', 'file:///etc/passwd', `${URI}#first`, 'jwks.json'];
    for (const jwks_uri of uris) {
      expect([jwks_uri, ...refusal(await registry.send('POST', '/clients', { ...CLIENT, name: 'Other', jwks_uri }))]).toEqual([
        jwks_uri,
        400,
        'invalid_request',
      ]);
      expect([jwks_uri, ...refusal(await registry.send('PATCH', `/clients/${clientId}`, { jwks_uri }))]).toEqual([jwks_uri, 400, 'invalid_request']);
    }
    const { status, body } = await registry.call('POST', '/clients', { ...CLIENT, name: 'Other', jwks_uri: URI });
    expect(status).toBe(201);
    expect((await registry.call('GET', `/clients/${String(body['clientId'])}`)).body).toMatchObject({ jwksUri: URI });
  });

  it('does not stand beside keys', async () => {
    const jwks = {
      keys: [
        { kty: 'EC', crv: 'P-256', kid: 'first', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' },
      ],
    };
    expect(refusal(await registry.send('POST', '/clients', { ...CLIENT, jwks, jwks_uri: URI }))).toEqual([400, 'invalid_request']);
    expect((await registry.send('POST', '/clients', { ...CLIENT, jwks: { keys: [] }, jwks_uri: URI })).status).toBe(201);
  });

  describe('of a relying party', () => {
    let anna: PersonWithPhone;
    let annas: PersonHeaders;
    beforeEach(async () => {
      anna = await registry.newPerson();
      annas = await registry.member({ roles: ['security', 'operator'] }, anna);
      await registry.member({ roles: ['security', 'operator'] });
    });

    it('is changed when two persons have approved it on their phones, who read it in full', async () => {
      const clientId = await registry.client();
      const { status, body } = await registry.send('PATCH', `/clients/${clientId}`, { jwks_uri: URI }, annas);
      expect([status, body]).toMatchObject([202, { approval: { title: 'Shop: other keys' } }]);
      const approval = body['approval'] as AskedApproval;
      const shown = await registry.approve(approval, anna);
      expect(shown.details).toContain(`The relying party proves itself by the keys at: ${URI}`);
      expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_required']);
      expect(refusal(await registry.call('PATCH', `/clients/${clientId}`, { jwks_uri: URI }))).toEqual([409, 'approval_required']);
      expect((await registry.call('GET', `/clients/${clientId}`)).body).not.toHaveProperty('jwksUri');
    });

    it('is none of the fields of a developer', async () => {
      const clientId = await registry.client();
      const developer = await registry.member({ clientId: clientId as never, role: 'developer' });
      expect(refusal(await registry.send('PATCH', `/clients/${clientId}`, { jwks_uri: URI }, developer))).toEqual([403, 'forbidden']);
    });
  });
});
