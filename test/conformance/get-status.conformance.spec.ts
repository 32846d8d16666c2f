import { describe, expect, it } from '@jest/globals';

import { bytesOf, expectError, expectOk, type Login, newCast, NOT_UUIDS, RelyingParty, UNKNOWN_SESSION } from '../support/index.js';

const { service, shop, phone } = await newCast();

/** The whole answer, once the status is the wanted one. */
const answerAt = async (login: Login, status: string): Promise<Record<string, unknown>> => {
  await shop.statusOf(login, status);
  return expectOk(await shop.status(login));
};

describe('the response', () => {
  it('PENDING carries expiresAt, the one of the creation', async () => {
    const login = await shop.login();
    expect(expectOk(await shop.status(login))).toEqual({ status: 'PENDING', expiresAt: login.expiresAt });
  });

  it('SCANNED carries expiresAt, the one of the creation', async () => {
    const login = await shop.scanned(phone);
    expect(await answerAt(login, 'SCANNED')).toEqual({ status: 'SCANNED', expiresAt: login.expiresAt });
  });

  it('CONFIRMED carries nothing else', async () => {
    expect(await answerAt(await shop.confirmed(phone), 'CONFIRMED')).toEqual({ status: 'CONFIRMED' });
  });

  it('COMPLETED carries nothing else', async () => {
    expect(await answerAt(await shop.completed(phone), 'COMPLETED')).toEqual({ status: 'COMPLETED' });
  });

  it('COMPLETED stays after the token exchange', async () => {
    const { code, verifier, ...login } = await shop.completed(phone);
    expectOk(await shop.token(code, verifier));
    expect(await answerAt({ ...login, verifier }, 'COMPLETED')).toEqual({ status: 'COMPLETED' });
  });

  it('CANCELLED carries nothing else', async () => {
    const login = await shop.scanned(phone);
    expectOk(await phone.decline(login.sessionId));
    expect(await answerAt(login, 'CANCELLED')).toEqual({ status: 'CANCELLED' });
  });

  it('repeats itself as often as it is asked', async () => {
    const login = await shop.login();
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.status(login)));
    expect(new Set(answers.map(bytesOf)).size).toBe(1);
  });

  it('ignores an unknown query parameter', async () => {
    const login = await shop.login();
    expect(expectOk(await shop.status(login, {}, '?client_id=x&_=1'))['status']).toBe('PENDING');
  });

  it('takes the sessionId in either case', async () => {
    const { sessionId } = await shop.login();
    expectOk(await shop.status({ sessionId: sessionId.toUpperCase() }));
  });
});

describe('session_not_found', () => {
  it('is the answer to an unknown sessionId', async () => {
    expectError(await shop.status({ sessionId: UNKNOWN_SESSION }), 404, 'session_not_found');
  });

  it('is the answer to a session that belongs to another client, deliberately not 403', async () => {
    const other = await RelyingParty.register(service);
    for (const login of [await shop.login(), await shop.scanned(phone), await shop.confirmed(phone), await shop.completed(phone)]) {
      expectError(await other.status(login), 404, 'session_not_found');
    }
  });

  it.each(NOT_UUIDS.map((id) => [id.slice(0, 60), id]))('is the answer to a sessionId that is no UUID: %s', async (_, sessionId) => {
    const answer = await shop.status({ sessionId });
    expect(answer.status).toBe(404);
    expect(['session_not_found', 'not_found']).toContain(answer.json?.['errorCode']);
  });
});

describe('other methods', () => {
  it.each(['POST', 'PUT', 'DELETE'])('%s leads nowhere', async (method) => {
    const { sessionId } = await shop.login();
    expectError(await shop.call(method, `/relying-party/v1/session/${sessionId}/status`), 404, 'not_found');
  });
});
