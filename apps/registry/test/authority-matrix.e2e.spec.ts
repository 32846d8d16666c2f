import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, type Right } from '../src/admin-rights.js';
import { become, isTeamRole, join, type Kind, KINDS, type State, STATES } from './person-states.js';
import { type Method, registryFixture } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The clients in the path: the one whose team the person is in, and another one's. */
const TENANTS = ['own', 'foreign'] as const;

const ROUTES = Object.entries(ADMIN_RIGHTS);

// On one store: what a route asks of it is the same on each, and the attacks run on both.
describe.each(UNLIKE_STORES.slice(0, 1))('over $engine, roles × routes × tenants × states of the person', ({ open }) => {
  let registry: Registry;
  let own: ClientId;
  let foreign: ClientId;

  beforeAll(async () => {
    // Refusals of ended sessions count as failed authentications.
    registry = await registryFixture(await testPlatform({ AUTHENTICATION_FAILURE_LIMIT: '1000000' }, {}, open));
    [own, foreign] = [(await registry.client()) as ClientId, (await registry.client({ name: 'Another shop' })) as ClientId];
    // A member leads each place, so that the others can leave it.
    for (const scope of [{ clientId: own }, { clientId: foreign }, { roles: ['security'] as const }]) await registry.member(scope);
  }, 60_000);
  afterAll(() => registry.close());

  /** The status that the table of rights asks for: 401 and 403, or any other one. */
  const expected = (kind: Kind, rights: readonly Right[], route: string, tenant: (typeof TENANTS)[number], state: State): 401 | 403 | 'let in' => {
    if (state === 'phone revoked' || state === 'erased' || state === 'logged out') return 401;
    if (rights.includes('person')) return 'let in';
    if (state === 'removed' || kind === 'none') return 403;
    if (!rights.includes(kind)) return 403;
    return isTeamRole(kind) && (tenant === 'foreign' || !route.includes(':clientId')) ? 403 : 'let in';
  };

  describe.each(KINDS)('%s', (kind) => {
    it.each(STATES)(
      '%s',
      async (state) => {
        const person = await registry.newPerson();
        const headers = await join(registry, kind, own, person);
        await become(registry, state, { person, kind, client: own, headers });
        const wrong: string[] = [];
        for (const [route, rights] of ROUTES) {
          // It would log the person out.
          if (route === 'DELETE /admin/v1/own/sessions/:sessionId') continue;
          for (const tenant of route.includes(':clientId') ? TENANTS : (['own'] as const)) {
            const [method, pattern] = route.split(' ') as [Method, string];
            const path = pattern
              .replace('/admin/v1', '')
              .replace(':clientId', tenant === 'own' ? own : foreign)
              .replace(/:\w+/g, UNKNOWN);
            const { status, body } = await registry.send(method, path, undefined, headers);
            const wanted = expected(kind, rights, route, tenant, state);
            const found = status === 401 || status === 403 ? status : status < 500 || status === 503 ? 'let in' : status;
            if (found !== wanted) wrong.push(`${route} ${tenant}: ${status} ${String(body['errorCode'])}, not ${wanted}`);
          }
        }
        expect(wrong).toEqual([]);
      },
      60_000,
    );
  });
});
