import { USUAL_STORES } from '#testkit/event-store/store-engines';
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

describe.each(USUAL_STORES)('a member at full speed, over $engine', ({ open }) => {
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

  /** So many calls at once: a slow machine does not get beyond the minute with them. */
  const atOnce = (times: number, call: () => Promise<{ readonly status: number }>): Promise<readonly number[]> =>
    Promise.all(Array.from({ length: times }, async () => (await call()).status));

  it('is refused beyond the budget of a route, and no one else is', async () => {
    const statuses = await atOnce(61, () => withdraw(member));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
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
      const opened = await atOnce(11, () => registry.call('POST', `/identities/${identityId}/opening`, reason, caller));
      expect(opened.toSorted()).toEqual([...Array<number>(10).fill(200), 429]);
      const code = { country: 'EE', personal_code: '47101010033' };
      const searched = await atOnce(11, () => registry.call('POST', '/identities/search', code, caller));
      expect(searched.filter((status) => status === 429)).toHaveLength(1);
    }
  });

  it('does not hold back the staff, whatever all members together ask', async () => {
    const team = [member];
    while (team.length < 5) team.push(await registry.member({ clientId, role: 'owner' }));
    const calls = team.flatMap((each, index) => Array<typeof each>(index < 4 ? 60 : 1).fill(each));
    const answers = await Promise.all(calls.map((each) => withdraw(each)));
    expect(answers.filter(({ status }) => status === 429)).toMatchObject([{ status: 429, headers: { 'ratelimit-limit': '240' } }]);
    expect((await withdraw(await registry.member({ roles: ['operator'] }))).status).toBe(404);
    expect((await withdraw({ authorization: registry.authorization })).status).toBe(404);
  });
});
