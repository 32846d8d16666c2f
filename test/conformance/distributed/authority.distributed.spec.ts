import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { ADMIN_RIGHTS, type Right } from '../../../apps/registry/src/admin-rights.ts';
import { expectOk, type Person, type Phone, PortalBrowser, RelyingParty, type Service, sharedService, Staff, topology } from '../../support/index.js';

const STAFF_ROLES = ['read', 'support', 'operator', 'security'] as const;
const TEAM_ROLES = ['viewer', 'developer', 'owner'] as const;
type Role = (typeof STAFF_ROLES)[number] | (typeof TEAM_ROLES)[number];
const isTeamRole = (role: Role): boolean => (TEAM_ROLES as readonly string[]).includes(role);

/** What becomes of the person, by a call of the staff, after the login. */
const STATES = ['living', 'phone revoked', 'erased', 'removed'] as const;
type State = (typeof STATES)[number];

/** A member who is logged in to the portal. */
interface Member {
  readonly browser: PortalBrowser;
  readonly person: Person;
  readonly phone: Phone;
  readonly subjectId: string;
}

/**
 * Roles × routes × tenants × states over separate services: each request goes to the other replica of the registry. What a person may do follows from the table of rights alone, as
 * in one process (apps/registry/test/authority-matrix.e2e.spec.ts); here the state is changed at one replica and asked for at both.
 */
(topology ? describe : describe.skip)('over separate services, roles × routes × tenants × states of the person', () => {
  let service: Service;
  let staff: Staff;
  let own: RelyingParty;
  let foreign: RelyingParty;
  let turn = 0;

  const join = async (role: Role): Promise<Member> => {
    const path = isTeamRole(role) ? `/clients/${own.clientId}/invitations` : '/invitations';
    const { link } = await staff.ask('POST', path, { label: 'a-post', ...(isTeamRole(role) ? { role } : { roles: [role] }) });
    const person = await staff.registerPerson();
    const phone = await staff.phoneOf(person);
    const browser = new PortalBrowser(new URL(topology!.settings['PORTAL_URL']!).origin);
    await browser.logIn(service, phone, String(link));
    const { subjectId } = expectOk(await browser.call('GET', '/portal/v1/session'));
    return { browser, person, phone, subjectId: String(subjectId) };
  };

  beforeAll(async () => {
    service = await sharedService();
    staff = new Staff(service);
    [own, foreign] = [await RelyingParty.register(service), await RelyingParty.register(service)];
    // Others lead both places, so that each person can leave them.
    for (const role of ['owner', 'security'] as const) await join(role);
  });

  const become = async (state: State, role: Role, { person, phone, subjectId }: Member): Promise<void> => {
    const paths = {
      'phone revoked': `/identities/${person.identityId}/devices/${phone.deviceId}`,
      erased: `/identities/${person.identityId}`,
      removed: isTeamRole(role) ? `/clients/${own.clientId}/members/${subjectId}` : `/members/${subjectId}`,
    };
    if (state !== 'living') expect((await staff.call('DELETE', paths[state])).status).toBe(204);
  };

  const expected = (role: Role, rights: readonly Right[], isOwn: boolean, route: string, state: State): number | 'let in' => {
    if (state !== 'living') return 401;
    if (rights.includes('person')) return 'let in';
    if (!rights.includes(role)) return 403;
    return isTeamRole(role) && !(isOwn && route.includes(':clientId')) ? 403 : 'let in';
  };

  describe.each([...STAFF_ROLES, ...TEAM_ROLES])('%s', (role) => {
    it.each(STATES)('%s', async (state) => {
      const member = await join(role);
      await become(state, role, member);
      const replicas = topology!.of('registry');
      const wrong: string[] = [];
      for (const [route, rights] of Object.entries(ADMIN_RIGHTS))
        for (const client of route.includes(':clientId') ? [own, foreign] : [own]) {
          const [method = '', pattern = ''] = route.split(' ');
          const path = pattern.replace(':clientId', client.clientId).replace(/:\w+/g, randomUUID());
          turn += 1;
          const { status, text } = await member.browser.call(method, path, { at: replicas[turn % replicas.length]!.url });
          const wanted = expected(role, rights, client === own, route, state);
          const found = status === 401 || status === 403 ? status : status < 500 || status === 503 ? 'let in' : status;
          if (found !== wanted) wrong.push(`${method} ${path}: ${status} ${text}, not ${wanted}`);
        }
      expect(wrong).toEqual([]);
    });
  });
});
