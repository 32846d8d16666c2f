import { ADMIN_ROLES, TEAM_ROLES } from '#domain/administration';
import { categoryOf, type EventStore, type StreamName, UnitOfWork } from '#engines/event-store';
import type { ClientId } from '#kernel';
import { STORE_ENGINES, UNLIKE_STORES } from '#testkit/event-store/store-engines';
import { ObservedStore } from '#testkit/event-store/unit-of-work/observed-store';
import { testPlatform, withParts } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, CRITICAL_ROUTES } from '../src/admin-rights.js';
import { become, join, type Kind, type State } from './person-states.js';
import { type Answer, type AskedApproval, type PersonWithPhone, registryFixture } from './registry.fixture.js';
import { type Caller, objectsOf, prepared, requestOf, type Values } from './route-objects.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

/** What a request stores beside the change itself: the trail, the reservation of a name, and what asks a phone. */
const BESIDE: ReadonlySet<string> = new Set(['audit', 'approval', 'changerequest', 'session', 'inbox', 'clientname']);

/** Changes that store nothing in the name of the person: each says what it does instead. */
const WITHOUT_DECISION: Readonly<Record<string, string>> = {
  'POST /admin/v1/identities/search': 'a read',
  'POST /admin/v1/identities/:identityId/opening': 'a read',
  'POST /admin/v1/projections/:name/rebuild': 'a read model is built anew',
  'POST /admin/v1/clients/:clientId/webhook-endpoints/:endpointId/ping': 'a message is sent',
  'POST /admin/v1/clients/:clientId/webhook-endpoints/:endpointId/recover': 'messages are sent',
  'POST /admin/v1/clients/:clientId/webhook-endpoints/:endpointId/deliveries/:deliveryId/retry': 'a message is sent',
  'DELETE /admin/v1/break-glass': 'none is under way here: see the test below',
  'POST /admin/v1/approvals/:approvalId/completion': 'carries out another change of this list',
};

const CHANGES = Object.keys(ADMIN_RIGHTS).filter((route) => !route.startsWith('GET ') && !(route in WITHOUT_DECISION));

/** The role with the fewest rights that may do it as a person. */
const holderOf = (route: string): Kind => {
  const rights = ADMIN_RIGHTS[route] ?? [];
  // A person without a place has no phone that approves.
  if (rights.includes('person')) return 'operator';
  return [...TEAM_ROLES, ...ADMIN_ROLES].find((role) => rights.includes(role)) ?? 'none';
};

describe.each(STORE_ENGINES)(
  'over $engine, a change whose sender loses the right between the check and the append',
  ({ engine, open, hasTransactions }) => {
    let registry: Registry;
    let store: ObservedStore;
    /** Another process over the same store. */
    let elsewhere: Registry;
    let leader: PersonWithPhone;
    let names = 0;

    beforeAll(async () => {
      const platform = await testPlatform(
        { AUTHENTICATION_FAILURE_LIMIT: '1000000', LOGO_APPROVAL: 'true', WEBHOOK_ALLOWED_NETWORKS: ',' },
        {},
        open,
      );
      const processOver = (eventStore: EventStore) => withParts(platform, { eventStore, unitOfWork: new UnitOfWork(eventStore, platform.clock) });
      store = new ObservedStore(platform.eventStore);
      registry = await registryFixture(processOver(store));
      elsewhere = await registryFixture(processOver(platform.eventStore));
      leader = await registry.newPerson();
      for (let count = 0; count < 2; count += 1) await registry.member({ roles: ['security'] });
    }, 60_000);
    afterAll(async () => {
      await elsewhere.app.close();
      await registry.close();
    });

    const tenant = async (): Promise<ClientId> => {
      names += 1;
      const client = (await registry.client({ name: `Tenant ${names} ${registry.platform.randomness.uuid().slice(0, 8)}` })) as ClientId;
      await registry.member({ clientId: client, role: 'owner' }, leader);
      return client;
    };
    /** Runs once, before the first append of the request that is none of those beside the change. Answers which stream that was. */
    const beforeTheChange = (happens: () => Promise<unknown>): { readonly stream: StreamName | undefined } =>
      beforeAppendTo((stream) => !BESIDE.has(categoryOf(stream)), happens);
    /** The same before the first append to such a stream. */
    const beforeAppendTo = (isIt: (stream: StreamName) => boolean, happens: () => Promise<unknown>): { readonly stream: StreamName | undefined } => {
      const seen: { stream: StreamName | undefined } = { stream: undefined };
      store.before = async (streams) => {
        const changed = streams.find(isIt);
        if (seen.stream !== undefined || changed === undefined) return;
        seen.stream = changed;
        await happens();
      };
      return seen;
    };
    /** The request, without an answer to what its person is asked on the phone. */
    const begun = async (route: string, values: Values, { person, headers }: Caller): Promise<() => Promise<Answer>> => {
      const [method, path, body] = requestOf(route, values);
      if (!(route in CRITICAL_ROUTES)) return () => registry.send(method, path, body, headers);
      const asked = await registry.send(method, path, body, headers);
      // Critical for some objects alone.
      if (asked.status !== 202) return async () => asked;
      const approval = asked.body['approval'] as AskedApproval;
      await registry.approve(approval, person);
      return () => registry.complete(approval, headers);
    };
    const changeOf = async (route: string, kind = holderOf(route)) => {
      registry.platform.clock.advance(11 * 60_000);
      const client = await tenant();
      const person = await registry.newPerson();
      const caller: Caller = { person, headers: await join(registry, kind, client, person) };
      const values = await prepared(registry, route, client, await objectsOf(registry, route, { client, caller }));
      if (route.endsWith('/enable')) await registry.call('POST', `/clients/${client}/disable`);
      return { client, caller, kind, values };
    };
    const countOf = async (stream: StreamName): Promise<number> => (await registry.platform.eventStore.read(stream)).length;

    const LOSSES: readonly State[] = ['removed', 'phone revoked', 'logged out'];
    // The same units of work decide on each store with transactions.
    const cases = engine === UNLIKE_STORES[0]?.engine ? CHANGES : CHANGES.slice(0, 3);

    describe.each(cases)('%s', (route) => {
      it.each(LOSSES)(
        'is decided with the right, and refused: %s',
        async (state) => {
          const { client, caller, kind, values } = await changeOf(route);
          const sensitive = ['/activation-codes', '/devices/'].some((part) => route.includes(part));
          const send = sensitive ? () => registry.send(...requestOf(route, values), caller.headers) : await begun(route, values, caller);
          let before = -1;
          const seen = beforeTheChange(async () => {
            await become(elsewhere, state, { person: caller.person, kind, client, headers: caller.headers });
            before = await countOf(seen.stream!);
          });
          const answer = await send();
          store.before = () => undefined;
          expect(seen.stream).toBeDefined();
          // Without transactions over streams the look may be as old as the append is long.
          if (!hasTransactions) return;
          expect([answer.status, answer.body['errorCode']]).toEqual(
            state === 'removed' ? [expect.any(Number), expect.stringMatching(/^(forbidden|approval_outdated)$/)] : [401, 'unauthorized'],
          );
          expect(await countOf(seen.stream!)).toBe(before);
        },
        60_000,
      );
    });

    it.each([
      ['waits for no approval', 'changerequest'],
      ['uses up no approval', 'approval'],
    ])('%s', async (_, category) => {
      const route = 'PATCH /admin/v1/clients/:clientId';
      const { client, caller, kind, values } = await changeOf(route, 'owner');
      const lost = () => become(elsewhere, 'removed', { person: caller.person, kind, client, headers: caller.headers });
      const send = category === 'approval' ? await begun(route, values, caller) : () => registry.send(...requestOf(route, values), caller.headers);
      const seen = beforeAppendTo((stream) => categoryOf(stream) === category, lost);
      const before = store.stored.length;
      const answer = await send();
      store.before = () => undefined;
      expect(seen.stream).toBeDefined();
      if (!hasTransactions) return;
      expect([answer.status, answer.body['errorCode']]).toEqual([403, 'forbidden']);
      expect(store.stored.slice(before).flat().map(categoryOf)).not.toContain(category);
    });

    it('is carried to its end where the change itself takes the right away', async () => {
      const { client, caller } = await changeOf('DELETE /admin/v1/clients/:clientId/members/:subjectId', 'owner');
      const answer = await registry.call('DELETE', `/clients/${client}/members/${caller.person.subjectId}`, undefined, caller.headers);
      expect(answer.status).toBe(204);
      expect((await registry.send('GET', `/clients/${client}`, undefined, caller.headers)).status).toBe(401);
    });

    it('is refused for a token that is revoked meanwhile', async () => {
      const { token, tokenId } = await registry.token('operator', `robot-${registry.platform.randomness.uuid().slice(0, 8)}`);
      const client = await tenant();
      const { revokeAdminToken } = elsewhere.platform.useCases.administration();
      const seen = beforeTheChange(() => revokeAdminToken.execute(tokenId as Parameters<typeof revokeAdminToken.execute>[0]));
      const answer = await registry.send('POST', `/clients/${client}/disable`, undefined, { authorization: `Bearer ${token}` });
      store.before = () => undefined;
      expect(seen.stream).toBeDefined();
      if (hasTransactions) expect([answer.status, answer.body['errorCode']]).toEqual([401, 'unauthorized']);
    });

    it('is decided by one of two approvals that were shown the same object, and the other one is refused and asked for anew', async () => {
      const client = await tenant();
      const [anna, bert] = [await registry.newPerson(), await registry.newPerson()];
      const approved: ((by: Registry) => Promise<Answer>)[] = [];
      for (const [index, person] of [anna, bert].entries()) {
        const headers = await registry.member({ clientId: client, role: 'owner' }, person);
        const body = { redirect_uris: ['https://rp.example/callback', `https://rp.example/${index}`] };
        const { body: asked } = await registry.send('PATCH', `/clients/${client}`, body, headers);
        await registry.approve(asked['approval'] as AskedApproval, person);
        approved.push((by) => by.complete(asked['approval'] as AskedApproval, headers));
      }
      let second: Answer | undefined;
      // The second one is carried out whole after the first one was compared with the object, and before its append.
      const now = Promise.withResolvers<void>();
      const carriedOut = now.promise.then(async () => (second = await approved[1]!(elsewhere)));
      const seen = beforeTheChange(() => (now.resolve(), carriedOut));
      const first = await approved[0]!(registry);
      store.before = () => undefined;
      expect(seen.stream).toBe(`client-${client}`);
      expect(second?.status).toBe(200);
      expect([first.status, first.body['errorCode'], first.body['defaultTranslation']]).toEqual([
        409,
        'approval_outdated',
        expect.stringContaining('approve it anew'),
      ]);
      const { body } = await registry.call('GET', `/clients/${client}`);
      expect(body['redirectUris']).toEqual(['https://rp.example/callback', 'https://rp.example/1']);
    });
  },
);
