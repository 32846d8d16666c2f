import { describe, expect, it } from '@jest/globals';

import { bytesOf, expectError, expectOk, pause, RelyingParty, secret, UNKNOWN_SESSION, word } from '../support/index.js';
import { service, staff, useStaff, terms, register } from './support/registered-clients.js';

useStaff();

describe('Authorization: Bearer', () => {
  const PATHS = [
    ['POST', '/clients'],
    ['GET', '/clients'],
    ['GET', `/clients/${UNKNOWN_SESSION}`],
    ['PATCH', `/clients/${UNKNOWN_SESSION}`],
    ['POST', `/clients/${UNKNOWN_SESSION}/secret`],
    ['POST', '/identities'],
    ['GET', '/identities'],
    ['DELETE', `/identities/${UNKNOWN_SESSION}`],
    ['POST', `/identities/${UNKNOWN_SESSION}/activation-codes`],
    ['GET', `/identities/${UNKNOWN_SESSION}/devices`],
    ['DELETE', `/identities/${UNKNOWN_SESSION}/devices/${UNKNOWN_SESSION}`],
    ['GET', `/sessions/${UNKNOWN_SESSION}/timeline`],
    ['GET', '/nothing'],
  ];

  it.each(PATHS)('is required: %s %s', async (method, path) => {
    const without = await service.send({ method: method!, path: `/admin/v1${path}` });
    expectError(without, 401, 'unauthorized');
    const wrong = await service.send({ method: method!, path: `/admin/v1${path}`, headers: { authorization: 'Bearer wrong' } });
    expect(bytesOf(wrong)).toBe(bytesOf(without));
  });

  it.each([
    ['Basic', () => `Basic ${Buffer.from(`admin:${service.adminToken}`).toString('base64')}`],
    ['no scheme', () => service.adminToken],
    ['a character more', () => `Bearer ${service.adminToken}x`],
    ['a character less', () => `Bearer ${service.adminToken.slice(0, -1)}`],
    ['nothing', () => 'Bearer '],
  ])('is not %s', async (_, authorization) => {
    expectError(await service.send({ method: 'GET', path: '/admin/v1/clients', headers: { authorization: authorization() } }), 401, 'unauthorized');
  });

  it("is not a client's credential, nor the other way round", async () => {
    const shop = await RelyingParty.register(service);
    expectError(
      await service.send({ method: 'GET', path: '/admin/v1/clients', headers: { authorization: shop.authorization } }),
      401,
      'unauthorized',
    );
    expect(
      (
        await service.send({
          method: 'POST',
          path: '/relying-party/v1/session',
          headers: { authorization: `Bearer ${service.adminToken}` },
          json: {},
        })
      ).status,
    ).toBe(401);
  });

  it('comes before the body', async () => {
    expectError(await service.send({ method: 'POST', path: '/admin/v1/clients', raw: '{' }), 401, 'unauthorized');
  });
});

describe('GET clients', () => {
  it('is paged by limit and after, each client once', async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await register()).json!['clientId']);
    await pause(service.staleness);
    const seen: unknown[] = [];
    for (let after: unknown, pages = 0; pages < 10_000; pages++) {
      const page = expectOk(await staff.call('GET', `/clients?limit=50${after === undefined ? '' : `&after=${after}`}`));
      const clients = page['clients'] as Record<string, unknown>[];
      expect(clients.length).toBeLessThanOrEqual(50);
      seen.push(...clients.map(({ clientId }) => clientId));
      after = page['next'];
      if (after === undefined) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    for (const id of ids) expect(seen).toContain(id);
  });

  it.each(['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'limit=1000000', 'limit=1&limit=2'])('refuses %s', async (query) => {
    expectError(await staff.call('GET', `/clients?${query}`), 400, 'invalid_request', 'limit');
  });
});

describe('GET and PATCH clients/{clientId}', () => {
  it('shows the registered values', async () => {
    const wanted = terms();
    const { clientId } = (await register(wanted)).json as Record<string, string>;
    expect(expectOk(await staff.call('GET', `/clients/${clientId}`))).toMatchObject({
      clientId,
      name: wanted['name'],
      redirectUris: wanted['redirect_uris'],
      allowedAttributes: ['name'],
      allowedPredicates: ['ageOver18'],
    });
  });

  it('changes the given fields, and nothing else', async () => {
    const wanted = terms();
    const { clientId } = (await register(wanted)).json as Record<string, string>;
    const uri = `https://${word()}.example/new`;
    expectOk(await staff.call('PATCH', `/clients/${clientId}`, { redirect_uris: [uri] }));
    expect(expectOk(await staff.call('GET', `/clients/${clientId}`))).toMatchObject({
      name: wanted['name'],
      redirectUris: [uri],
      allowedAttributes: ['name'],
    });
  });

  it('a changed redirect URI counts for new sessions; the old one no longer', async () => {
    const shop = await RelyingParty.register(service);
    const uri = `https://${word()}.example/new`;
    expectOk(await staff.call('PATCH', `/clients/${shop.clientId}`, { redirect_uris: [uri] }));
    await pause(service.staleness);
    expectError(await shop.post(), 400, 'invalid_request', 'redirect_uri');
    expectOk(await shop.post({ redirect_uri: uri }));
  });

  it('a new name shows on the phone, must be free, and frees the old one', async () => {
    const shop = await RelyingParty.register(service);
    const name = `Renamed ${word()}`;
    expectOk(await staff.call('PATCH', `/clients/${shop.clientId}`, { name }));
    await pause(service.staleness);
    const { sessionId } = await shop.login();
    expect(expectOk(await (await staff.newPhone()).scan(sessionId))['relyingPartyName']).toBe(name);
    expectError(await register({ name }), 409, 'name_taken');
    expect((await register({ name: shop.name })).status).toBe(201);
    expectError(await staff.call('PATCH', `/clients/${shop.clientId}`, { name: shop.name }), 409, 'name_taken');
    expectOk(await staff.call('PATCH', `/clients/${shop.clientId}`, { name }));
  });

  it.each([
    ['name', 'x'],
    ['redirect_uris', ['http://shop.example/']],
    ['redirect_uris', ['https://shop.example/cb?state=mine']],
    ['redirect_uris', ['https://shop.example/вход']],
    ['allowed_attributes', ['x']],
    ['allowed_predicates', 'ageOver18'],
    ['dynamic_qr', 'true'],
    ['client_secret', 'x'],
  ])('refuses %s %p', async (field, value) => {
    const { clientId } = (await register()).json as Record<string, string>;
    expectError(await staff.call('PATCH', `/clients/${clientId}`, { [field]: value }), 400, 'invalid_request', field);
  });

  it('changes nothing for a field that is null', async () => {
    const { clientId } = (await register()).json as Record<string, string>;
    const before = expectOk(await staff.call('GET', `/clients/${clientId}`));
    expectOk(await staff.call('PATCH', `/clients/${clientId}`, { name: null, redirect_uris: null, allowed_attributes: null, dynamic_qr: null }));
    expect(expectOk(await staff.call('GET', `/clients/${clientId}`))).toEqual(before);
  });

  it.each([UNKNOWN_SESSION, 'x'])('client_not_found: %s', async (id) => {
    expectError(await staff.call('GET', `/clients/${id}`), 404, 'client_not_found');
    expectError(await staff.call('PATCH', `/clients/${id}`, { name: 'Nobody' }), 404, 'client_not_found');
    expectError(await staff.call('POST', `/clients/${id}/secret`), 404, 'client_not_found');
  });
});

describe('POST clients/{clientId}/secret', () => {
  it('answers a new clientSecret; the old one is dead when this answers', async () => {
    const shop = await RelyingParty.register(service);
    for (let i = 0; i < 3; i++) {
      const old = shop.authorization;
      const answer = expectOk(await staff.call('POST', `/clients/${shop.clientId}/secret`));
      expect(Object.keys(answer)).toEqual(['clientSecret']);
      shop.clientSecret = secret('client secret', answer['clientSecret'] as string);
      expect((await service.send({ method: 'POST', path: '/relying-party/v1/session', headers: { authorization: old }, json: {} })).status).toBe(401);
      expectOk(await shop.post());
    }
  });

  it('leaves sessions, codes and logins under way as they are', async () => {
    const shop = await RelyingParty.register(service);
    const phone = await staff.newPhone();
    const { code, verifier } = await shop.completed(phone);
    const { clientSecret } = await staff.ask('POST', `/clients/${shop.clientId}/secret`);
    shop.clientSecret = secret('client secret', clientSecret as string);
    expectOk(await shop.token(code, verifier));
  });
});
