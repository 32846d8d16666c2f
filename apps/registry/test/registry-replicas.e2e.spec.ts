import { FIRST_START } from '#domain/administration';
import { type EventStore, openEventStoreDb, SqliteEventStore, streamName } from '#engines/event-store';
import { eventMacs } from '#service/platform';
import { authenticated, EVENT_RING } from '#testkit/event-store/authenticated';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { sha256Base64url, type SubjectId, SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { testPlatform } from '#testkit/platform/test-platform';

import { type Answer, CLIENT, type AskedApproval, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;
type Headers = Record<string, string>;

const ENGINES = [
  { engine: 'SQLite', start: async () => undefined },
  { engine: 'the gRPC test server', start: () => SpawnedTestServer.start() },
];

const statusOf = ({ status }: Answer): number => status;

describe.each(ENGINES)('an attack on two replicas of the registry, on $engine,', ({ start }) => {
  const clock = new FixedClock();
  const refused: string[] = [];
  let server: SpawnedTestServer | undefined;
  /** The attacker's access to the store. */
  let store: EventStore;
  let one: Registry;
  let two: Registry;
  let clientId: string;
  let anna: PersonWithPhone;
  let bert: PersonWithPhone;
  let annas: PersonHeaders;
  let berts: PersonHeaders;
  let support: { readonly token: string; readonly tokenId: string };

  beforeAll(async () => {
    server = await start();
    store = await connect();
    [one, two] = [await replica(server ? await connect() : store), await replica(server ? await connect() : store)];
    support = await supportToken();
    [anna, bert] = [await one.newPerson(), await one.newPerson()];
    [annas, berts] = [await one.member({ roles: ['security'] }, anna), await one.member({ roles: ['security', 'operator'] }, bert)];
    clientId = await one.client();
  });
  afterAll(async () => {
    for (const registry of [one, two]) await registry.close();
    await store.close();
    await server?.[Symbol.asyncDispose]();
  });

  const connect = async (): Promise<EventStore> =>
    server
      ? openEventStoreDb({ connectionString: server.connectionString, clock: new SystemClock(), randomness: new SystemRandomness() })
      : new SqliteEventStore({ path: ':memory:', clock });
  const replica = async (own: EventStore): Promise<Registry> => {
    const macs = eventMacs(EVENT_RING, 'test');
    const eventStore = authenticated(own, { macs, refused: ({ reason }) => refused.push(reason) });
    return registryFixture(await testPlatform({ FOUR_EYES: 'true' }, { clock, eventStore }));
  };
  const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
  /** With FOUR_EYES only two persons make a token; this one is made below the API. */
  const supportToken = async () => {
    const { addAdminToken } = one.platform.useCases.administration();
    const terms = {
      name: 'support',
      role: 'support',
      routes: ['GET /admin/v1/clients'],
      expiresAt: clock.now() + 3_600_000,
      by: FIRST_START,
    } as const;
    const { token, tokenId } = await addAdminToken.execute(terms);
    return { token: token.reveal(), tokenId };
  };
  const members = (registry: Registry) => registry.platform.useCases.administration().portalMembers;
  const subject = (): SubjectId => one.platform.randomness.uuid<SubjectId>();
  const forge = async (
    stream: ReturnType<typeof streamName>,
    ...events: { readonly type: string; readonly data: Record<string, string | number | object> }[]
  ) => store.append(stream, (await store.read(stream)).length - 1, events as Parameters<EventStore['append']>[2]);

  it('by a token that the other replica has revoked is refused', async () => {
    const headers = bearer(support.token);
    expect(statusOf(await two.call('GET', '/clients', undefined, headers))).toBe(200);
    const revoke = (by: PersonHeaders) => one.call('DELETE', `/admin-tokens/${support.tokenId}`, undefined, by);
    expect([statusOf(await revoke(annas)), statusOf(await revoke(berts))]).toEqual([409, 204]);
    expect(statusOf(await two.call('GET', '/clients', undefined, headers))).toBe(401);
  });

  it('by one invitation, used at both at the same time, makes one member', async () => {
    const { code } = await members(one).invite('night-shift', { roles: ['support'] }, { id: FIRST_START });
    const [mari, jonas] = [await one.newPerson(), await one.newPerson()];
    const outcomes = await Promise.allSettled([members(one).join(code.reveal(), mari), members(two).join(code.reveal(), jonas)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await members(two).team(undefined)).members).toHaveLength(3);
  });

  it('by the session of a person whom the other replica has removed is refused', async () => {
    const person = await one.newPerson();
    const headers: PersonHeaders = await one.member({ clientId: clientId as never }, person);
    await one.member({ clientId: clientId as never });
    const look = () => two.call('GET', `/clients/${clientId}`, undefined, headers);
    expect(statusOf(await look())).toBe(200);
    expect(statusOf(await one.call('DELETE', `/clients/${clientId}/members/${person.subjectId}`))).toBe(204);
    expect(await look()).toMatchObject({ status: 401, body: { errorCode: 'unauthorized' } });
  });

  it('by a session that has ended at the other replica is refused', async () => {
    const headers = await one.member({ roles: ['read'] });
    const look = () => two.call('GET', '/clients', undefined, headers);
    expect(statusOf(await look())).toBe(200);
    await one.platform.useCases.administration().portalSessions.end(headers.cookie.replace('svc_portal=', ''));
    expect(statusOf(await look())).toBe(401);
  });

  it('by the session of a person whose phone the other replica has revoked, or whom it has erased, is refused', async () => {
    const [robbed, erased] = [await one.newPerson(), await one.newPerson()];
    const [first, second] = [await one.member({ roles: ['read'] }, robbed), await one.member({ roles: ['read'] }, erased)];
    const look = (by: PersonHeaders) => two.call('GET', '/clients', undefined, by);
    for (const session of [first, second]) expect(statusOf(await look(session))).toBe(200);
    for (const by of [annas, berts]) await one.call('DELETE', `/identities/${robbed.identityId}/devices/${robbed.deviceId}`, undefined, by);
    for (const by of [annas, berts]) await one.call('DELETE', `/identities/${erased.identityId}`, undefined, by);
    for (const session of [first, second]) expect(await look(session)).toMatchObject({ status: 401, body: { errorCode: 'unauthorized' } });
    expect((await members(two).team(undefined)).members.map(({ subjectId }) => subjectId)).not.toContain(erased.subjectId);
  });

  it('by one administrator who approves an own request at the other replica does nothing; the approval of a second one counts once', async () => {
    const path = `/clients/${clientId}/secret`;
    const ask = async (registry: Registry, by: PersonHeaders, person: PersonWithPhone): Promise<AskedApproval> => {
      const approval = (await registry.send('POST', path, undefined, by)).body['approval'] as AskedApproval;
      await one.approve(approval, person);
      return approval;
    };
    const own = [await ask(one, annas, anna), await ask(two, annas, anna)];
    for (const approval of own) for (const registry of [one, two]) expect(statusOf(await registry.complete(approval, annas))).toBe(409);
    const second = await ask(two, berts, bert);
    const approved = await Promise.all([one.complete(second, berts), two.complete(second, berts), two.complete(own[0]!, annas)]);
    expect(approved.map(statusOf).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
  });

  // The following come last, since the forged events stay in the stream.
  it('by a membership that was written into the store gives no right at either, and raises the alarm', async () => {
    const [person, invitationId, at] = [await one.newPerson(), subject(), clock.now()];
    const scope = { roles: ['security'] };
    await forge(
      streamName('portalmembers', 'all'),
      { type: 'MemberInvited', data: { at, by: 'first-start', invitationId, hash: 'x', label: 'mallory', scope, expiresAt: at + 60_000 } },
      { type: 'MemberJoined', data: { at, invitationId, subjectId: person.subjectId, deviceId: person.deviceId } },
    );
    for (const registry of [one, two]) {
      const headers = await registry.session(person);
      expect(await registry.call('GET', '/audit', undefined, headers)).toMatchObject({ status: 503, body: { errorCode: 'service_unavailable' } });
    }
    expect(refused).toContainEqual(expect.stringMatching(/^portalmembers-all is refused: an event has no MAC/));
  });

  it('by an admin token that was written into the store is refused at both, and raises the alarm', async () => {
    const [token, at] = ['a-token-of-the-attacker-with-many-characters', clock.now()];
    const data = {
      at,
      tokenId: subject(),
      name: 'mallory',
      role: 'security',
      routes: ['GET /admin/v1/audit'],
      hash: sha256Base64url(token),
      expiresAt: at + 60_000,
      by: 'first-start',
    };
    await forge(streamName('admintokens', 'all'), { type: 'AdminTokenAdded', data });
    for (const registry of [one, two]) {
      expect(await registry.call('GET', '/audit', undefined, bearer(token))).toMatchObject({
        status: 503,
        body: { errorCode: 'service_unavailable' },
      });
    }
    expect(refused).toContainEqual(expect.stringMatching(/^admintokens-all is refused: an event has no MAC/));
  });

  it('by an entry that was written into the audit trail raises the alarm: the trail is not shown, and no change takes effect without it', async () => {
    const at = clock.now();
    const entry = { at, changeId: subject(), actor: 'anna', role: 'security', action: 'POST /admin/v1/clients', target: {} };
    await forge(streamName('audit', 'log'), { type: 'AdminChangeBegun', data: entry });
    for (const registry of [one, two]) {
      expect(await registry.call('GET', '/audit')).toMatchObject({ status: 503, body: { errorCode: 'service_unavailable' } });
      expect(statusOf(await registry.call('POST', '/clients', { ...CLIENT, name: 'Written after the forgery' }))).toBe(503);
    }
    expect((await one.call('GET', '/clients')).text).not.toContain('Written after the forgery');
    expect(refused).toContainEqual(expect.stringMatching(/^audit-log is refused: an event has no MAC/));
  });
});
