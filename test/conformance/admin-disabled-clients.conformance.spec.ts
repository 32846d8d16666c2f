import { expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, RelyingParty } from '../support/index.js';

const { service, staff, phone } = await newCast();

const setState = (shop: RelyingParty, state: 'disable' | 'enable') => staff.ask('POST', `/clients/${shop.clientId}/${state}`);

it('a disabled client is refused as with a wrong secret, and accepted again once it is enabled', async () => {
  const shop = await RelyingParty.register(service);
  const login = await shop.scanned(phone);
  expect(await setState(shop, 'disable')).toMatchObject({ clientId: shop.clientId, name: shop.name, enabled: false });
  const refused = await shop.status(login);
  expect([refused.status, refused.text, refused.headers['www-authenticate']]).toEqual([401, '', 'Basic realm="Realm"']);
  expect(await setState(shop, 'disable')).toMatchObject({ enabled: false });
  expect(await staff.ask('GET', `/clients/${shop.clientId}`)).toMatchObject({ enabled: false });
  expect(await setState(shop, 'enable')).toMatchObject({ enabled: true });
  expect(expectOk(await shop.status(login))['status']).toBe('SCANNED');
});

it('no person is shown a new request of a disabled client, and one that was scanned before goes on', async () => {
  const shop = await RelyingParty.register(service);
  const [open, hosted, scanned] = [await shop.login(), await shop.login({ hosted_page: true }), await shop.scanned(phone)];
  await setState(shop, 'disable');
  expectError(await phone.scan(open.sessionId), 404, 'session_not_found');
  expectError(await new Browser(service).claim(hosted.handoffToken), 400, 'invalid_handoff');
  expectOk(await phone.confirm(scanned.sessionId));
  await setState(shop, 'enable');
  expect(await shop.statusOf(scanned)).toBe('CONFIRMED');
  expectOk(await phone.scan(open.sessionId));
  expectOk(await new Browser(service).claim(hosted.handoffToken));
});

it('the secret that a disabled client is given does not enable it', async () => {
  const shop = await RelyingParty.register(service);
  await setState(shop, 'disable');
  const { clientSecret } = await staff.ask('POST', `/clients/${shop.clientId}/secret`);
  const authorization = `Basic ${btoa(`${shop.clientId}:${String(clientSecret)}`)}`;
  expect((await service.send({ method: 'GET', path: '/relying-party/v1/nothing', headers: { authorization } })).status).toBe(401);
});

it('an unknown client is not found', async () => {
  for (const state of ['disable', 'enable'])
    expectError(await staff.call('POST', `/clients/00000000-0000-4000-8000-000000000000/${state}`), 404, 'client_not_found');
});
