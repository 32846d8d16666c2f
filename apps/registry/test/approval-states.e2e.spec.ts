import { ADMIN_ROLES, TEAM_ROLES } from '#domain/administration';
import type { ClientId, DeviceId } from '#kernel';
import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import { testPlatform } from '#testkit/platform/test-platform';
import { ownAllEndpoints } from '#testkit/webhook/own-endpoints';

import { ADMIN_RIGHTS, CRITICAL_ROUTES } from '../src/admin-rights.js';
import { become, isTeamRole, join, type Kind, type State } from './person-states.js';
import { type Answer, type AskedApproval, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';
import { type Caller, objectsOf, prepared, requestOf, type Values } from './route-objects.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

const WAIT = 24 * 3_600_000;

/** What may happen to a person between the approval on the phone and the completion. */
const AFTERWARDS: readonly (State | 'demoted')[] = ['phone revoked', 'erased', 'removed', 'logged out', 'demoted'];

/** The role with the fewest rights that may ask for the change, as a person. */
const holderOf = (route: string): Kind => {
  const rights = ADMIN_RIGHTS[route] ?? [];
  if (rights.includes('person')) return 'operator';
  // A member of the portal is touched by `security` alone.
  if (route.includes('/activation-codes') || route.includes('/devices/')) return 'security';
  return [...TEAM_ROLES, ...ADMIN_ROLES].find((role) => rights.includes(role)) ?? 'none';
};

const status = ({ status: given }: Answer): number => given;

// On one store: the states are decided by the same reads on each, and the attacks run on both.
describe.each(UNLIKE_STORES.slice(0, 1))('over $engine, an approval that was signed', ({ open }) => {
  let registry: Registry;
  /** Leads every team beside the persons of the tests, so that these can leave it. */
  let leader: PersonWithPhone;
  /** Ends the work of the endpoints' owner. */
  let leave: () => void;
  let names = 0;

  const start = async (fourEyes: boolean): Promise<void> => {
    const settings = {
      FOUR_EYES: String(fourEyes),
      AUTHENTICATION_FAILURE_LIMIT: '1000000',
      WEBHOOK_PING_LIMIT: '1000',
      WEBHOOK_ALLOWED_NETWORKS: ',',
    };
    registry = await registryFixture(await testPlatform(settings, {}, open));
    leave = ownAllEndpoints(registry.platform.messageBus, registry.platform.useCases.webhookDispatch());
    leader = await registry.newPerson();
    for (let count = 0; count < 2; count += 1) await registry.member({ roles: ['security'] });
  };
  const stop = async (): Promise<void> => {
    leave();
    await registry.close();
  };

  const tenant = async (): Promise<ClientId> => {
    names += 1;
    const client = (await registry.client({ name: `Tenant ${names} ${registry.platform.randomness.uuid().slice(0, 8)}` })) as ClientId;
    await registry.member({ clientId: client, role: 'owner' }, leader);
    return client;
  };
  const newCaller = async (kind: Kind, client: ClientId): Promise<Caller> => {
    const person = await registry.newPerson();
    return { person, headers: await join(registry, kind, client, person) };
  };
  /** The object and the values of a critical change. Codes and phones of persons without power take effect at once, so the person is a member. */
  const valuesOf = async (route: string, client: ClientId, caller: Caller): Promise<Values> => {
    const values = await prepared(registry, route, client, await objectsOf(registry, route, { client, caller }));
    if (values['identityId'] === undefined) return values;
    const { identityId, deviceId } = values as unknown as PersonWithPhone;
    await registry.member({ roles: ['read'] }, { identityId, deviceId, subjectId: await registry.subjectOf(identityId) });
    return values;
  };
  const askFor = async (route: string, values: Values, by: PersonHeaders): Promise<AskedApproval> => {
    const [method, path, body] = requestOf(route, values);
    const answer = await registry.send(method, path, body, by);
    expect([route, status(answer)]).toEqual([route, 202]);
    return answer.body['approval'] as AskedApproval;
  };
  const comeOver = async (state: State | 'demoted', kind: Kind, client: ClientId, { person, headers }: Caller): Promise<void> => {
    if (state !== 'demoted') {
      await become(registry, state, { person, kind, client, headers });
      return;
    }
    const { portalMembers } = registry.platform.useCases.administration();
    const scope = isTeamRole(kind) ? ({ clientId: client, role: 'viewer' } as const) : ({ roles: ['read'] } as const);
    await portalMembers.changeRole(person.subjectId, scope, 'first-start');
  };

  describe('carries', () => {
    beforeAll(() => start(false));
    afterAll(() => stop());
    afterEach(() => registry.platform.clock.advance(10 * 60_000));

    describe.each(Object.keys(CRITICAL_ROUTES))('%s', (route) => {
      const kind = holderOf(route);
      // The own phones are the person's without any role.
      const states = route.includes('/own/') ? AFTERWARDS.filter((state) => state !== 'removed' && state !== 'demoted') : AFTERWARDS;
      it.each(states)(
        'nothing out once the person is: %s',
        async (state) => {
          const client = await tenant();
          const caller = await newCaller(kind, client);
          const approval = await askFor(route, await valuesOf(route, client, caller), caller.headers);
          await registry.approve(approval, caller.person);
          await comeOver(state, kind, client, caller);
          const completed = await registry.complete(approval, caller.headers);
          // A change of the members voids the approvals that name them.
          expect(state === 'removed' || state === 'demoted' ? [403, 409] : [401]).toContain(status(completed));
          expect(completed.body).toMatchObject({ errorCode: expect.any(String), payload: null });
        },
        60_000,
      );

      it('the change out for a person of whom nothing has become', async () => {
        const client = await tenant();
        const caller = await newCaller(kind, client);
        const approval = await askFor(route, await valuesOf(route, client, caller), caller.headers);
        await registry.approve(approval, caller.person);
        expect(Math.floor(status(await registry.complete(approval, caller.headers)) / 100)).toBe(2);
      }, 60_000);
    });
  });

  describe('with FOUR_EYES', () => {
    beforeAll(() => start(true));
    afterAll(() => stop());
    afterEach(() => registry.platform.clock.advance(10 * 60_000));

    /** Two persons have asked and signed; the second one on the phone of the joining, or on another one that acts. */
    const asked = async (route: string, { onAnotherPhone = false } = {}) => {
      const client = await tenant();
      const kind = holderOf(route);
      const [first, second] = [await newCaller(kind, client), await newCaller(kind, client)];
      // The second one is also a member elsewhere, where nothing becomes of the person.
      await registry.member({ clientId: await tenant(), role: 'viewer' }, second.person);
      let signing: { readonly deviceId: DeviceId } = second.person;
      if (onAnotherPhone) {
        registry.platform.clock.advance(1);
        signing = { deviceId: await registry.phoneOf(second.person.identityId) };
        registry.platform.clock.advance(WAIT);
      }
      const sessions = [await registry.session(first.person), await registry.session({ ...second.person, ...signing })] as const;
      const values = await valuesOf(route, client, first);
      const [ofFirst, ofSecond] = [await askFor(route, values, sessions[0]), await askFor(route, values, sessions[1])];
      await registry.approve(ofFirst, first.person);
      await registry.approve(ofSecond, signing);
      return { client, kind, second, signing, complete: () => registry.complete(ofFirst, sessions[0]) };
    };

    describe.each(Object.entries(CRITICAL_ROUTES).flatMap(([route, { fourEyes }]) => (fourEyes ? [route] : [])))('%s', (route) => {
      it('takes effect with a second person of whom nothing has become', async () => {
        const { complete } = await asked(route);
        expect(Math.floor(status(await complete()) / 100)).toBe(2);
      }, 60_000);

      it.each(['removed', 'demoted'] as const)(
        'counts no second person who is: %s',
        async (state) => {
          const { client, kind, second, complete } = await asked(route);
          await comeOver(state, kind, client, second);
          const { status: given, body } = await complete();
          expect([given, ['approval_required', 'approval_outdated']]).toEqual([409, expect.arrayContaining([body['errorCode']])]);
        },
        60_000,
      );
    });

    // Of one route: these do not depend on the rights.
    const ROUTE = 'POST /admin/v1/clients/:clientId/secret';
    it.each(['phone revoked', 'erased'] as const)('counts no second person who is: %s', async (state) => {
      const { client, kind, second, complete } = await asked(ROUTE);
      await comeOver(state, kind, client, second);
      const { status: given, body } = await complete();
      expect([given, body['errorCode']]).toEqual([409, 'approval_required']);
    });

    it.each(['revoked', 'stopped'] as const)('counts no second person whose phone that has signed was %s', async (what) => {
      const { second, signing, complete } = await asked(ROUTE, { onAnotherPhone: true });
      const { identityId, subjectId } = second.person;
      const { portalPhones } = registry.platform.useCases.administration();
      if (what === 'stopped') await portalPhones.stop(identityId, signing.deviceId, { by: subjectId });
      else await registry.platform.useCases.phones().revokeDevice.execute(identityId, signing.deviceId);
      const { status: given, body } = await complete();
      expect([given, body['errorCode']]).toEqual([409, 'approval_required']);
    });
  });
});
