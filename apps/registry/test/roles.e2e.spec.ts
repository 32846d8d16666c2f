import { readFile } from 'node:fs/promises';

import { ADMIN_ROLES, type AdminRole, TEAM_ROLES, type TeamRole } from '#domain/administration';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, isForMachines } from '../src/admin-rights.js';
import { type PersonHeaders, registryFixture } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;
type Method = Parameters<Registry['call']>[0];

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const OTHER = '11111111-1111-4111-8111-111111111111';
const ROWS = Object.entries(ADMIN_RIGHTS).map(([route, roles]) => ({ route, roles }));

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Registry;
  let tokens: Record<AdminRole, string>;
  let persons: Record<TeamRole | 'other' | 'stranger' | 'support', PersonHeaders>;

  beforeAll(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    const entries = await Promise.all(ADMIN_ROLES.map(async (role) => [role, (await registry.token(role)).token] as const));
    tokens = Object.fromEntries(entries) as Record<AdminRole, string>;
    persons = {
      owner: await registry.member({ clientId: UNKNOWN as ClientId, role: 'owner' }),
      developer: await registry.member({ clientId: UNKNOWN as ClientId, role: 'developer' }),
      viewer: await registry.member({ clientId: UNKNOWN as ClientId, role: 'viewer' }),
      other: await registry.member({ clientId: OTHER as ClientId }),
      stranger: await registry.session(),
      support: await registry.member({ roles: ['support'] }),
    };
  });
  afterAll(() => registry.close());

  /** Calls the route for something that does not exist. */
  const call = (route: string, authorization: string, cookie?: Record<string, string>) => {
    const [method, path] = route.split(' ') as [Method, string];
    return registry.send(method, path.replace('/admin/v1', '').replace(/:\w+/g, UNKNOWN), undefined, cookie ?? { authorization });
  };

  describe('the table of rights', () => {
    it('has a rule for each operation of the API, and no other', async () => {
      const { paths } = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as { paths: Record<string, Record<string, object>> };
      const operations = Object.entries(paths)
        .filter(([path]) => path.startsWith('/admin/'))
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`));
      expect(Object.keys(ADMIN_RIGHTS).toSorted()).toEqual(operations.toSorted());
    });

    describe.each(ADMIN_ROLES)('%s', (role) => {
      it.each(ROWS)('$route', async ({ route, roles }) => {
        const { status, body } = await call(route, `Bearer ${tokens[role]}`);
        if (roles.includes(role) && isForMachines(route)) expect([401, 403, 429]).not.toContain(status);
        else expect([status, body['errorCode']]).toEqual([403, 'forbidden']);
      });
    });

    describe.each(TEAM_ROLES)('%s of the own client', (role) => {
      it.each(ROWS)('$route', async ({ route, roles }) => {
        const { status, body } = await call(route, '', persons[role]);
        if (roles.includes(role) || roles.includes('person')) expect([401, 403, 429]).not.toContain(status);
        else expect([status, body['errorCode']]).toEqual([403, 'forbidden']);
      });
    });

    it.each(ROWS.filter(({ roles }) => !roles.includes('person')))('no other person: $route', async ({ route }) => {
      // The same route for another client, and without any membership.
      expect([(await call(route, '', persons.other)).status, (await call(route, '', persons.stranger)).status]).toEqual([403, 403]);
    });

    it.each(ROWS)('a person of the staff has the rights of the token: $route', async ({ route, roles }) => {
      const { status } = await call(route, '', persons.support);
      expect(status === 403).toBe(!roles.includes('support') && !roles.includes('person'));
    });

    it('lets the token of the first start call every route', async () => {
      for (const { route, roles } of ROWS.filter((row) => !row.roles.includes('person')))
        expect([route, roles, (await call(route, registry.authorization)).status]).not.toEqual([route, roles, 403]);
    });

    it('holds for another spelling of the path and for HEAD', async () => {
      const headers = { authorization: `Bearer ${tokens.read}` };
      const spelled = await registry.app.inject({ method: 'GET', url: '/admin/v1/%61udit', headers });
      expect([spelled.statusCode, spelled.json()]).toEqual([403, expect.objectContaining({ errorCode: 'forbidden' })]);
      expect((await registry.app.inject({ method: 'HEAD', url: '/admin/v1/audit', headers })).statusCode).toBe(403);
      expect((await registry.app.inject({ method: 'HEAD', url: '/admin/v1/clients', headers })).statusCode).toBe(200);
    });
  });

  describe('a request without a right', () => {
    it('changes nothing and is refused before its body is read', async () => {
      const answer = await registry.app.inject({
        method: 'POST',
        url: '/admin/v1/clients',
        headers: { authorization: `Bearer ${tokens.support}`, 'content-type': 'application/json' },
        payload: '{ not JSON',
      });
      expect(answer.statusCode).toBe(403);
    });
  });
});
