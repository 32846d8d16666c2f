import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_BUDGETS } from '../src/admin-budgets.js';
import { ADMIN_RIGHTS } from '../src/admin-rights.js';
import { type PersonHeaders, registryFixture } from './registry.fixture.js';

describe('the budgets of the admin API', () => {
  it('are declared for the routes of the table of rights, each by caller and by relying party', () => {
    expect(Object.keys(ADMIN_BUDGETS).toSorted()).toEqual(Object.keys(ADMIN_RIGHTS).toSorted());
    for (const [route, budget] of Object.entries(ADMIN_BUDGETS)) {
      const { principal, tenant } = budget as { principal: number; tenant: number };
      expect([route, principal > 0 && tenant >= principal]).toEqual([route, true]);
    }
  });
});

describe.each(UNLIKE_STORES)('a member at full speed, over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let member: PersonHeaders;
  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    clientId = (await registry.client({ name: 'Shop' })) as ClientId;
    member = await registry.member({ clientId, role: 'owner' });
  });
  afterEach(() => registry.close());

  const withdraw = (headers: PersonHeaders | Record<string, string>, client: string = clientId) =>
    registry.call('DELETE', `/clients/${client}/waiting-change`, undefined, headers);

  it('is refused beyond the budget of a route, and no one else is', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 61; time += 1) statuses.push((await withdraw(member)).status);
    expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([404]), 429]);
    const refused = await withdraw(member);
    expect(refused).toMatchObject({ status: 429, body: { errorCode: 'rate_limited' }, headers: { 'ratelimit-limit': '60' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = (await registry.client({ name: 'Other' })) as ClientId;
    expect((await withdraw(await registry.member({ clientId: other, role: 'owner' }), other)).status).toBe(404);
    expect((await withdraw(await registry.member({ roles: ['operator'] }))).status).toBe(404);
    expect((await registry.call('GET', `/clients/${clientId}`, undefined, member)).status).toBe(200);
    // What is refused is not recorded: a flood must not fill the trail.
    const { entries } = (await registry.call('GET', '/audit?limit=100')).body as { entries: { status?: number }[] };
    expect(entries.filter(({ status }) => status === 429)).toEqual([]);
  });

  it('of the staff, and of a token for all relying parties, is refused when it opens or searches for too many persons in a minute', async () => {
    const identityId = await registry.identity();
    const reason = { reason: 'case-4711' };
    const callers = [{ authorization: `Bearer ${(await registry.token('support')).token}` }, await registry.member({ roles: ['support'] })];
    for (const caller of callers) {
      const opened: number[] = [];
      for (let time = 0; time < 11; time += 1) opened.push((await registry.call('POST', `/identities/${identityId}/opening`, reason, caller)).status);
      expect([new Set(opened.slice(0, 10)), opened[10]]).toEqual([new Set([200]), 429]);
      const code = { country: 'EE', personal_code: '47101010033' };
      const searched: number[] = [];
      for (let time = 0; time < 11; time += 1) searched.push((await registry.call('POST', '/identities/search', code, caller)).status);
      expect(searched.at(-1)).toBe(429);
    }
  });

  it('does not hold back the staff, whatever all members together ask', async () => {
    for (let person = 0; person < 4; person += 1) {
      const colleague = person === 0 ? member : await registry.member({ clientId, role: 'owner' });
      for (let time = 0; time < 60; time += 1) await withdraw(colleague);
    }
    const fresh = await registry.member({ clientId, role: 'owner' });
    expect(await withdraw(fresh)).toMatchObject({ status: 429, headers: { 'ratelimit-limit': '240' } });
    expect((await withdraw(await registry.member({ roles: ['operator'] }))).status).toBe(404);
    expect((await withdraw({ authorization: registry.authorization })).status).toBe(404);
  });
});
