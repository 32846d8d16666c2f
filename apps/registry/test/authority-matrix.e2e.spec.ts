import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import { ADMIN_ROLES } from '#domain/administration';
import { type ClientId, epochSeconds } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, type Right, tokenRoutes } from '../src/admin-rights.js';
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
    if (state === 'removed' || state === 'phone waiting' || kind === 'none') return 403;
    if (!rights.includes(kind)) return 403;
    return isTeamRole(kind) && (tenant === 'foreign' || !route.includes(':clientId')) ? 403 : 'let in';
  };

  /** The calls of all routes that are answered otherwise than expected. */
  const wrongOf = async (
    routes: typeof ROUTES,
    headers: Record<string, string>,
    clients: Readonly<Record<(typeof TENANTS)[number], ClientId>>,
    wantedOf: (rights: readonly Right[], route: string, tenant: (typeof TENANTS)[number]) => 401 | 403 | 'let in',
  ): Promise<readonly string[]> => {
    const wrong: string[] = [];
    for (const [route, rights] of routes) {
      for (const tenant of route.includes(':clientId') ? TENANTS : (['own'] as const)) {
        const [method, pattern] = route.split(' ') as [Method, string];
        const path = pattern.replace('/admin/v1', '').replace(':clientId', clients[tenant]).replace(/:\w+/g, UNKNOWN);
        const { status, body } = await registry.send(method, path, undefined, headers);
        const wanted = wantedOf(rights, route, tenant);
        const found = status === 401 || status === 403 ? status : status < 500 || status === 503 ? 'let in' : status;
        if (found !== wanted) wrong.push(`${route} ${tenant}: ${status} ${String(body['errorCode'])}, not ${wanted}`);
      }
    }
    return wrong;
  };

  describe.each(ADMIN_ROLES)('a token of the role %s', (role) => {
    const bearer = ({ token }: { readonly token: string }) => ({ authorization: `Bearer ${token}` });
    const ofClients = tokenRoutes(role).named.filter((route) => route.includes('/clients/:clientId'));
    /** A token deletes what it may: it gets clients of its own. */
    const freshClients = async () => ({
      own: (await registry.client({ name: `${role} ${registry.platform.randomness.uuid()}` })) as ClientId,
      foreign: (await registry.client({ name: `${role} ${registry.platform.randomness.uuid()}` })) as ClientId,
    });

    it('calls the routes that it names, for all relying parties', async () => {
      const { named } = tokenRoutes(role);
      const headers = bearer(await registry.token(role, `${role}-all`));
      expect(await wrongOf(ROUTES, headers, await freshClients(), (_, route) => (named.includes(route) ? 'let in' : 403))).toEqual([]);
    }, 60_000);

    it('calls the one route that it names, and none besides', async () => {
      const [only = ''] = tokenRoutes(role).usual;
      const headers = bearer(await registry.token(role, `${role}-one`, { routes: [only] }));
      expect(await wrongOf(ROUTES, headers, await freshClients(), (_, route) => (route === only ? 'let in' : 403))).toEqual([]);
    }, 60_000);

    it('calls the routes that it names for its own relying party alone', async () => {
      const clients = await freshClients();
      const headers = bearer(await registry.token(role, `${role}-own`, { routes: ofClients, clients: [clients.own] }));
      const wanted = (route: string, tenant: (typeof TENANTS)[number]) => (ofClients.includes(route) && tenant === 'own' ? 'let in' : 403);
      expect(await wrongOf(ROUTES, headers, clients, (_, route, tenant) => wanted(route, tenant))).toEqual([]);
    }, 60_000);

    it.each(['revoked', 'expired'])(
      'calls nothing once it is %s',
      async (end) => {
        const expiry = { routes: tokenRoutes(role).named, expires_at: epochSeconds(registry.platform.clock.now()) + 60 };
        const made = await registry.token(role, `${role}-${end}`, expiry);
        if (end === 'revoked') expect((await registry.call('DELETE', `/admin-tokens/${made.tokenId}`)).status).toBe(204);
        else registry.platform.clock.advance(60_000);
        expect(await wrongOf(ROUTES, bearer(made), { own, foreign }, () => 401)).toEqual([]);
      },
      60_000,
    );
  });

  describe.each(KINDS)('%s', (kind) => {
    it.each(STATES)(
      '%s',
      async (state) => {
        const person = await registry.newPerson();
        const begun = await join(registry, kind, own, person);
        const headers = await become(registry, state, { person, kind, client: own, headers: begun });
        // It would log the person out.
        const routes = ROUTES.filter(([route]) => route !== 'DELETE /admin/v1/own/sessions/:sessionId');
        expect(await wrongOf(routes, headers, { own, foreign }, (rights, route, tenant) => expected(kind, rights, route, tenant, state))).toEqual([]);
      },
      60_000,
    );
  });
});
