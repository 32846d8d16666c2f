import { describe, expect, it } from '@jest/globals';

import { expectError, newCast, RelyingParty, UNKNOWN_SESSION } from '../support/index.js';

const { service, shop, phone } = await newCast();

describe('DELETE session', () => {
  it('answers 204 from PENDING and SCANNED; the session is CANCELLED', async () => {
    for (const login of [await shop.login(), await shop.scanned(phone)]) {
      expect((await shop.cancel(login)).status).toBe(204);
      expect(await shop.statusOf(login, 'CANCELLED')).toBe('CANCELLED');
    }
  });

  it('the phone gets session_expired', async () => {
    const login = await shop.scanned(phone);
    await shop.cancel(login);
    expectError(await phone.confirm(login.sessionId), 410, 'session_expired');
  });

  it('answers session_not_cancellable from CONFIRMED, COMPLETED and CANCELLED', async () => {
    const cancelled = await shop.login();
    await shop.cancel(cancelled);
    for (const login of [await shop.confirmed(phone), await shop.completed(phone), cancelled]) {
      const before = await shop.statusOf(login);
      expectError(await shop.cancel(login), 409, 'session_not_cancellable');
      expect(await shop.statusOf(login)).toBe(before);
    }
  });

  it("answers session_not_found for an unknown or another client's session", async () => {
    const other = await RelyingParty.register(service);
    const login = await shop.login();
    for (const answer of [await shop.cancel({ sessionId: UNKNOWN_SESSION }), await shop.cancel({ sessionId: 'x' }), await other.cancel(login)]) {
      expectError(answer, 404, 'session_not_found');
    }
    expect(await shop.statusOf(login)).toBe('PENDING');
  });

  it('of fifty at once, one succeeds', async () => {
    const login = await shop.login();
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.cancel(login)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(49).fill(409)]);
  });
});
