import { ADMIN_ROLES, type AdminRole, TEAM_ROLES, type TeamRole } from '#domain/administration';
import type { ClientId } from '#kernel';
import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import { testPlatform } from '#testkit/platform/test-platform';
import { ownAllEndpoints } from '#testkit/webhook/own-endpoints';

import { ADMIN_RIGHTS, isForMachines } from '../src/admin-rights.js';
import { join, type Kind } from './person-states.js';
import { type Answer, type PersonWithPhone, registryFixture, UNREGISTERED } from './registry.fixture.js';
import { type Caller, namesObject, objectsOf, prepared, requestOf, ROWS, type Values } from './route-objects.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

const ROUTES = Object.entries(ADMIN_RIGHTS);
const HOLDERS: readonly (AdminRole | TeamRole)[] = [...ADMIN_ROLES, ...TEAM_ROLES];

/** Refusals of other tenants count as failed authentications, and each endpoint is pinged by several roles. */
const SETTINGS = { AUTHENTICATION_FAILURE_LIMIT: '1000000', WEBHOOK_PING_LIMIT: '1000', WEBHOOK_ALLOWED_NETWORKS: ',', LOGO_APPROVAL: 'true' };
/** Milliseconds. Less than the time without a request that ends a session, and so long that no person is asked for too many approvals in ten minutes. */
const BETWEEN_CALLERS = 4 * 60_000;

const refusal = ({ status, body }: Answer) => [status, body['errorCode'], body['defaultTranslation']];

it('the table of requests has a row for each route, and no other', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(ROUTES.map(([route]) => route).toSorted());
});

// On one store, as the matrix of states: what a route asks of it is the same on each.
describe.each(UNLIKE_STORES.slice(0, 1))('over $engine, roles × routes × tenants', ({ open }) => {
  let registry: Registry;
  let persons: Readonly<Record<string, PersonWithPhone>>;
  let names = 0;
  /** Ends the work of the endpoints' owner. */
  let leave: () => void;

  beforeAll(async () => {
    registry = await registryFixture(await testPlatform(SETTINGS, {}, open));
    leave = ownAllEndpoints(registry.platform.messageBus, registry.platform.useCases.webhookDispatch());
    const made: Record<string, PersonWithPhone> = {};
    for (const kind of [...HOLDERS, 'none']) made[kind] = await registry.newPerson();
    persons = made;
    for (const role of ADMIN_ROLES) await join(registry, role, UNREGISTERED as ClientId, persons[role]!);
    // A second holder of `security`, so that the first one can be acted upon.
    await registry.member({ roles: ['security'] });
  }, 60_000);
  afterAll(async () => {
    leave();
    await registry.close();
  });

  const tenant = async (): Promise<ClientId> => {
    names += 1;
    const client = (await registry.client({ name: `Tenant ${names} ${registry.platform.randomness.uuid().slice(0, 8)}` })) as ClientId;
    await registry.member({ clientId: client, role: 'owner' }, persons['none']!);
    return client;
  };
  /** Two tenants, and in the team of the first one a person of each role. */
  const twoTenants = async (): Promise<readonly [ClientId, ClientId]> => {
    const tenants = [await tenant(), await tenant()] as const;
    for (const role of TEAM_ROLES) await join(registry, role, tenants[0], persons[role]!);
    return tenants;
  };
  /** A new session of the person with this role. */
  const callerOf = async (kind: Kind): Promise<Caller> => {
    registry.platform.clock.advance(BETWEEN_CALLERS);
    return { person: persons[kind]!, headers: await registry.session(persons[kind]) };
  };
  const holdersOf = (route: string): readonly Kind[] => {
    const rights = ADMIN_RIGHTS[route] ?? [];
    return rights.includes('person') ? ['viewer', 'security'] : HOLDERS.filter((kind) => rights.includes(kind));
  };
  const ask = (route: string, values: Values, by: Record<string, string>, call: 'call' | 'send' = 'call'): Promise<Answer> => {
    const [method, path, body] = requestOf(route, values);
    return registry[call](method, path, body, by);
  };
  /** What the API tells staff of a tenant, and what is stored of its client. */
  const told = async (client: ClientId, { endpointId, sessionId, subjectId }: Values): Promise<string> => {
    const paths = ['', '/logo', '/waiting-change', '/webhook-endpoints', '/members'];
    if (endpointId !== undefined) paths.push(`/webhook-endpoints/${endpointId}/deliveries`);
    if (sessionId !== undefined) paths.push(`/sessions/${sessionId}/timeline`);
    if (subjectId !== undefined) paths.push(`/members/${subjectId}/phones`);
    const answers = await Promise.all(paths.map((path) => registry.call('GET', `/clients/${client}${path}`)));
    return [...(await registry.events('client', client)), ...answers.map(({ text }) => text)].join('\n');
  };

  describe.each(ROUTES)('%s', (route) => {
    let own: ClientId;
    let foreign: ClientId;
    beforeAll(async () => {
      [own, foreign] = await twoTenants();
    });

    if (route.includes(':clientId'))
      it('refuses every role of a team, and a token of the own client, for another client, as for one that is not there', async () => {
        const callers = [];
        for (const kind of TEAM_ROLES) callers.push([kind, (await callerOf(kind)).headers] as const);
        const caller = { person: persons['none']!, headers: await registry.session(persons['none']) };
        const values = await prepared(registry, route, foreign, await objectsOf(registry, route, { client: foreign, caller }));
        const before = await told(foreign, values);
        const wrong: unknown[] = [];
        const expectRefused = async (who: string, by: Record<string, string>): Promise<void> => {
          const answer = await ask(route, values, by, 'send');
          const unknown = await ask(route, { ...values, clientId: UNREGISTERED }, by, 'send');
          if (answer.status !== 403 || JSON.stringify(refusal(answer)) !== JSON.stringify(refusal(unknown)))
            wrong.push([who, answer.text, unknown.text]);
        };
        for (const [kind, headers] of callers) await expectRefused(kind, headers);
        const role = ADMIN_ROLES.find((each) => ADMIN_RIGHTS[route]?.includes(each));
        if (role && isForMachines(route)) {
          const { token } = await registry.token(role, `of-${names}`, { routes: [route], clients: [own] });
          await expectRefused('a token', { authorization: `Bearer ${token}` });
        }
        expect(wrong).toEqual([]);
        expect(await told(foreign, values)).toBe(before);
      }, 120_000);

    if (route.includes(':clientId') && namesObject(route))
      it("answers about another client's object, under the id of the own client, as about one that is not there", async () => {
        const values = await objectsOf(registry, route, { client: foreign, caller: await callerOf('none') });
        const wrong: unknown[] = [];
        for (const kind of holdersOf(route)) {
          const { headers } = await callerOf(kind);
          const before = await told(foreign, values);
          const answer = await ask(route, { ...values, clientId: own }, headers, 'send');
          const unknown = await ask(route, { clientId: own }, headers, 'send');
          if (answer.status !== 404 || JSON.stringify(refusal(answer)) !== JSON.stringify(refusal(unknown)))
            wrong.push([kind, answer.status, answer.text, unknown.text]);
          if ((await told(foreign, values)) !== before) wrong.push([kind, 'changed']);
        }
        expect(wrong).toEqual([]);
      }, 120_000);

    // Last, since it may end what the route is about.
    it('answers each role that has the right, about an object that is there', async () => {
      const wrong: string[] = [];
      for (const kind of holdersOf(route)) {
        const caller = await callerOf(kind);
        const values = await prepared(registry, route, own, await objectsOf(registry, route, { client: own, caller }));
        const personalCode = route.endsWith('/identities/search') ? await codeOfNewPerson() : '';
        const answer = await ask(route, { personalCode, ...values }, caller.headers);
        if (!ROWS[route]!.answers.includes(answer.status)) wrong.push(`${kind}: ${answer.status} ${answer.text}`);
      }
      expect(wrong).toEqual([]);
    }, 120_000);
  });

  const codeOfNewPerson = async (): Promise<string> => {
    const personalCode = registry.platform.randomness.uuid().slice(0, 30);
    await registry.identity({ personal_code: personalCode, country: 'LV' });
    return personalCode;
  };

  describe('what belongs to one person', () => {
    it.each(ROUTES.filter(([route, rights]) => rights.includes('person') && route.includes(':')))(
      '%s: is as if it were not there for every other person',
      async (route) => {
        const [client] = await twoTenants();
        const victim = await callerOf('owner');
        const values = await objectsOf(registry, route, { client, caller: victim });
        const other = await registry.newPerson();
        for (const headers of [await registry.session(other), await registry.member({ roles: ['security', 'operator'] })]) {
          const [answer, unknown] = [await ask(route, values, headers, 'send'), await ask(route, {}, headers, 'send')];
          expect(refusal(answer)).toEqual(refusal(unknown));
          expect(answer.status).toBe(404);
        }
        expect(ROWS[route]!.answers).toContain((await ask(route, values, victim.headers)).status);
      },
      120_000,
    );

    it.each(['DELETE /admin/v1/members/:subjectId', 'PATCH /admin/v1/members/:subjectId', 'GET /admin/v1/members/:subjectId/phones'])(
      '%s: finds no member of a team among the staff',
      async (route) => {
        const client = await tenant();
        const caller = await callerOf('security');
        const { subjectId = '' } = await objectsOf(registry, 'GET /admin/v1/clients/:clientId/members/:subjectId/phones', { client, caller });
        expect(refusal(await ask(route, { subjectId }, caller.headers, 'send'))).toEqual(refusal(await ask(route, {}, caller.headers, 'send')));
      },
    );

    it('names no invitation of a team among those of the staff, nor the reverse', async () => {
      const client = await tenant();
      const caller = await callerOf('security');
      const [ofStaff, ofTeam] = [
        'DELETE /admin/v1/invitations/:invitationId',
        'DELETE /admin/v1/clients/:clientId/invitations/:invitationId',
      ] as const;
      const [staffs, teams] = [await objectsOf(registry, ofStaff, { client, caller }), await objectsOf(registry, ofTeam, { client, caller })];
      for (const [route, values] of [
        [ofStaff, teams],
        [ofTeam, staffs],
      ] as const)
        expect(refusal(await ask(route, { ...values, clientId: client }, caller.headers)).slice(0, 2)).toEqual([404, 'invitation_not_found']);
    });
  });
});
