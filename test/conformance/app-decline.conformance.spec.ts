import { describe, expect, it } from '@jest/globals';

import { expectError, expectOk, newCast, NOT_STRINGS, UNKNOWN_SESSION } from '../support/index.js';

const { staff, shop, phone } = await newCast();
const other = await staff.newPhone();

describe('a decline', () => {
  it.each(['DECLINED', 'LEFT'])('for the reason %s cancels the session well before its expiry', async (reason) => {
    const login = await shop.scanned(phone);
    expect(expectOk(await phone.decline(login.sessionId, reason))).toEqual({ status: 'CANCELLED' });
    expect(await shop.statusOf(login, 'CANCELLED')).toBe('CANCELLED');
  });

  it('repeated, gets the same answer', async () => {
    const login = await shop.scanned(phone);
    for (let i = 0; i < 2; i++) expect(expectOk(await phone.decline(login.sessionId))).toEqual({ status: 'CANCELLED' });
  });

  it('is terminal: no scan, no confirmation, no completion follows', async () => {
    const login = await shop.scanned(phone);
    await phone.decline(login.sessionId);
    expectError(await phone.confirm(login.sessionId), 410, 'session_expired');
    expectError(await other.scan(login.sessionId), 410, 'session_expired');
    expectError(await shop.complete(login), 409, 'session_not_confirmed');
    expect(await shop.statusOf(login, 'CANCELLED')).toBe('CANCELLED');
  });
});

describe('session_not_scanned', () => {
  it('a PENDING session', async () => {
    const login = await shop.login();
    expectError(await phone.decline(login.sessionId), 409, 'session_not_scanned');
    expect(await shop.statusOf(login)).toBe('PENDING');
  });

  it('a CONFIRMED session: the confirmation stands', async () => {
    const login = await shop.confirmed(phone);
    expectError(await phone.decline(login.sessionId), 409, 'session_not_scanned');
    expectOk(await shop.complete(login));
  });
});

describe('another person', () => {
  it('cannot decline: another device gets session_not_found', async () => {
    const login = await shop.scanned(phone);
    expectError(await other.decline(login.sessionId), 404, 'session_not_found');
    expect(await shop.statusOf(login, 'SCANNED')).toBe('SCANNED');
  });

  it('an unknown session is not found', async () => {
    expectError(await phone.decline(UNKNOWN_SESSION), 404, 'session_not_found');
  });
});

describe('reason', () => {
  it.each([...NOT_STRINGS, ['missing', undefined], ['empty', ''], ['lower case', 'declined'], ['unknown', 'BORED']])(
    'is DECLINED or LEFT, not %s',
    async (_, reason) => {
      const { sessionId } = await shop.scanned(phone);
      expectError(await phone.call('POST', `/app/v1/session/${sessionId}/decline`, { reason }), 400, 'invalid_request', 'reason');
    },
  );
});
