import { expect, it } from '@jest/globals';

import { expectError, expectOk, newCast, RelyingParty } from '../support/index.js';
import { eventually } from '#testkit/kernel/eventually';

const { service, staff, phone } = await newCast();

type Sessions = readonly Record<string, unknown>[];

const listed = async (query: string): Promise<Sessions> => expectOk(await staff.call('GET', `/sessions?${query}`))['sessions'] as Sessions;

it('the sessions of a client are listed, the newest first, and found by status and type', async () => {
  const shop = await RelyingParty.register(service);
  const [cancelled, completed, open] = [await shop.login(), await shop.completed(phone), await shop.login()];
  await shop.cancel(cancelled);
  const all = `client_id=${shop.clientId}`;
  await eventually(async () => (await listed(`${all}&status=CANCELLED`)).length === 1, { what: 'the list shows the end of the session' });
  expect((await listed(all)).map(({ status }) => status).toSorted()).toEqual(['CANCELLED', 'COMPLETED', 'PENDING']);
  expect(await listed(`${all}&status=CANCELLED&signature_type=AUTHENTICATION`)).toMatchObject([
    { sessionId: cancelled.sessionId, clientId: shop.clientId, status: 'CANCELLED', reason: 'WITHDRAWN' },
  ]);
  expect(await listed(`${all}&status=COMPLETED`)).toMatchObject([{ sessionId: completed.sessionId }]);
  expect(await listed(`${all}&signature_type=SIGNING`)).toEqual([]);
  const times = (await listed(all)).map(({ createdAt }) => Number(createdAt));
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(await listed(`${all}&until=${Math.min(...times)}`)).toEqual([]);
  expect(open.sessionId).toBeDefined();
});

it('the list comes in pages', async () => {
  const shop = await RelyingParty.register(service);
  const ids = [await shop.login(), await shop.login(), await shop.login()].map(({ sessionId }) => sessionId);
  const query = `client_id=${shop.clientId}&limit=2`;
  await eventually(async () => (await listed(`client_id=${shop.clientId}`)).length === 3, { what: 'the list shows the sessions' });
  const first = expectOk(await staff.call('GET', `/sessions?${query}`));
  const second = expectOk(await staff.call('GET', `/sessions?${query}&after=${String(first['next'])}`));
  const found = [first, second].flatMap((page) => page['sessions'] as Sessions).map(({ sessionId }) => sessionId);
  expect(found.toSorted()).toEqual(ids.toSorted());
  expect(second['next']).toBeUndefined();
});

it('a search that makes no sense is refused', async () => {
  for (const query of ['status=DONE', 'client_id=shop', 'since=now'])
    expectError(await staff.call('GET', `/sessions?${query}`), 400, 'invalid_request');
});
