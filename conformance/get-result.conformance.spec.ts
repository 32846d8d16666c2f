import { beforeAll, describe, it } from '@jest/globals';

import { expectError, type Phone, RelyingParty, type Service, sharedService, Staff, UNKNOWN_SESSION } from './support/index.js';

let service: Service;
let shop: RelyingParty;
let phone: Phone;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service);
  phone = await new Staff(service).newPhone();
});

describe('invalid_request', () => {
  it('the session is an authentication session, in every status', async () => {
    for (const login of [await shop.login(), await shop.scanned(phone), await shop.confirmed(phone), await shop.completed(phone)]) {
      expectError(await shop.result(login), 400, 'invalid_request');
    }
  });
});

describe('session_not_found', () => {
  it('unknown session', async () => {
    expectError(await shop.result({ sessionId: UNKNOWN_SESSION }), 404, 'session_not_found');
  });

  it("another client's session", async () => {
    const other = await RelyingParty.register(service);
    expectError(await other.result(await shop.login()), 404, 'session_not_found');
  });

  it('a sessionId that is no UUID', async () => {
    expectError(await shop.result({ sessionId: 'x' }), 404, 'session_not_found');
  });
});
