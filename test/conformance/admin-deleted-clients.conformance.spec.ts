import { expect, it } from '@jest/globals';

import { Browser, expectError, expectOk, newCast, RelyingParty } from '../support/index.js';

const { service, staff, phone } = await newCast();

const remove = async (shop: RelyingParty): Promise<void> => {
  const answer = await staff.call('DELETE', `/clients/${shop.clientId}`);
  expect([answer.status, answer.text]).toEqual([204, '']);
};

it('a deleted client is refused as with a wrong secret, and unknown to staff', async () => {
  const shop = await RelyingParty.register(service);
  const login = await shop.login();
  await remove(shop);
  const refused = await shop.status(login);
  expect([refused.status, refused.text, refused.headers['www-authenticate']]).toEqual([401, '', 'Basic realm="Realm"']);
  expectError(await staff.call('GET', `/clients/${shop.clientId}`), 404, 'client_not_found');
  expectError(await staff.call('DELETE', `/clients/${shop.clientId}`), 404, 'client_not_found');
  expectError(await staff.call('POST', `/clients/${shop.clientId}/secret`), 404, 'client_not_found');
});

it('its name may be registered by another client', async () => {
  const shop = await RelyingParty.register(service);
  await remove(shop);
  const { clientId } = await staff.ask('POST', '/clients', { name: shop.name, redirect_uris: ['https://rp.example/callback'] });
  expect(clientId).not.toBe(shop.clientId);
});

it('no person is shown a new request of it, and one that was scanned before ends for the person as always', async () => {
  const shop = await RelyingParty.register(service);
  const [open, hosted, claimed, scanned] = [
    await shop.login(),
    await shop.login({ hosted_page: true }),
    await shop.login({ hosted_page: true }),
    await shop.scanned(phone),
  ];
  const browser = new Browser(service);
  expectOk(await browser.claim(claimed.handoffToken));
  await remove(shop);
  expectError(await phone.scan(open.sessionId), 404, 'session_not_found');
  expectError(await new Browser(service).claim(hosted.handoffToken), 400, 'invalid_handoff');
  expect(expectOk(await browser.describe())).toMatchObject({ relyingPartyName: shop.name });
  expectOk(await phone.confirm(scanned.sessionId));
  expect((await shop.complete(scanned)).status).toBe(401);
});
