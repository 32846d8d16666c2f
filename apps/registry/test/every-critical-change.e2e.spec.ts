import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

import type { AuditEntry } from '#domain/administration';
import { type RecordedEvent, streamName } from '#engines/event-store';
import { STREAMS } from '#service/platform';
import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { CRITICAL_ROUTES } from '../src/admin-rights.js';
import { type Answer, type AskedApproval, type Method, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const DAY = 24 * 3_600_000;
const CLIENT = '/admin/v1/clients/:clientId';
const ROUTES = Object.entries(CRITICAL_ROUTES);

/** The path of a change and its body. */
type Change = readonly [path: string, body?: object];

// On one store: the decision is the same on each, and four-eyes.e2e.spec.ts and critical-changes.e2e.spec.ts run on all of them.
describe.each(UNLIKE_STORES.slice(0, 1))('over $engine, every critical change', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let anna: PersonWithPhone;
  let annas: PersonHeaders;
  const start = async (environment: Readonly<Record<string, string>>): Promise<void> => {
    registry = await registryFixture(await testPlatform({ CLIENT_CONSENT: 'true', ...environment }, {}, open));
    anna = await registry.newPerson();
    annas = await registry.member({ roles: ['security', 'operator'] }, anna);
  };
  afterEach(() => registry.close());

  const colleague = async (scope: Parameters<typeof registry.member>[0] = { roles: ['operator', 'support'] }): Promise<PersonWithPhone> => {
    const person = await registry.newPerson();
    await registry.member(scope, person);
    return person;
  };
  const endpoint = async (): Promise<string> => {
    const clientId = await registry.client();
    const { body } = await registry.call('POST', `/clients/${clientId}/webhook-endpoints`, { url: 'https://hook.example/in' });
    return `/clients/${clientId}/webhook-endpoints/${String(body['endpointId'])}`;
  };
  const teammate = async (): Promise<string> => {
    const clientId = (await registry.client()) as ClientId;
    await colleague({ clientId, role: 'owner' });
    return `/clients/${clientId}/members/${(await colleague({ clientId, role: 'developer' })).subjectId}`;
  };

  /** A change of each route that is critical, of an object that is there. */
  const CHANGES: Readonly<Record<string, () => Promise<Change>>> = {
    [`PATCH ${CLIENT}`]: async () => [`/clients/${await registry.client()}`, { redirect_uris: ['https://shop.example/new'] }],
    [`POST ${CLIENT}/waiting-change/acceptance`]: async () => {
      const clientId = (await registry.client()) as ClientId;
      const owner = await registry.member({ clientId });
      await registry.call('PATCH', `/clients/${clientId}`, { name: 'Bank' }, owner);
      const { body } = await registry.call('GET', `/clients/${clientId}/waiting-change`);
      return [`/clients/${clientId}/waiting-change/acceptance`, { change_id: (body['waiting'] as { changeId: string }).changeId }];
    },
    [`DELETE ${CLIENT}`]: async () => [`/clients/${await registry.client()}`],
    [`POST ${CLIENT}/secret`]: async () => [`/clients/${await registry.client()}/secret`],
    [`DELETE ${CLIENT}/webhook-endpoints/:endpointId`]: async () => [await endpoint()],
    [`POST ${CLIENT}/webhook-endpoints/:endpointId/rotate-secret`]: async () => [`${await endpoint()}/rotate-secret`],
    [`DELETE ${CLIENT}/members/:subjectId`]: async () => [await teammate()],
    [`PATCH ${CLIENT}/members/:subjectId`]: async () => [await teammate(), { role: 'viewer' }],
    [`POST ${CLIENT}/invitations`]: async () => [`/clients/${await registry.client()}/invitations`, { label: 'desk' }],
    'DELETE /admin/v1/identities/:identityId': async () => [`/identities/${await registry.identity()}`],
    'POST /admin/v1/identities/:identityId/activation-codes': async () => [`/identities/${(await colleague()).identityId}/activation-codes`],
    'DELETE /admin/v1/identities/:identityId/devices/:deviceId': async () => {
      const { identityId, deviceId } = await colleague();
      return [`/identities/${identityId}/devices/${deviceId}`];
    },
    'POST /admin/v1/admin-tokens': async () => ['/admin-tokens', { name: 'robot', role: 'support', expires_at: registry.inADay() }],
    'DELETE /admin/v1/admin-tokens/:tokenId': async () => {
      const { addAdminToken } = registry.platform.useCases.administration();
      const terms = {
        name: 'old',
        role: 'read',
        expiresAt: registry.platform.clock.now() + DAY,
        by: 'test',
        routes: ['GET /admin/v1/clients'],
      } as const;
      return [`/admin-tokens/${(await addAdminToken.execute(terms)).tokenId}`];
    },
    'POST /admin/v1/invitations': async () => ['/invitations', { label: 'desk', roles: ['operator'] }],
    'DELETE /admin/v1/members/:subjectId': async () => [`/members/${(await colleague()).subjectId}`],
    'PATCH /admin/v1/members/:subjectId': async () => [`/members/${(await colleague()).subjectId}`, { roles: ['read'] }],
    'POST /admin/v1/own/phones/:phoneId/approval': async () => {
      registry.platform.clock.advance(1);
      await registry.phoneOf(anna.identityId);
      const { body } = await registry.call('GET', '/own/phones', undefined, annas);
      const other = (body['phones'] as { phoneId: string; trusted: boolean }[]).find(({ trusted }) => !trusted);
      return [`/own/phones/${String(other?.phoneId)}/approval`];
    },
  };

  /** How many events the store has of each type that gives or takes a right. The sessions, approvals and entries of the trail that a request makes are none. */
  const guardedEvents = async (): Promise<Readonly<Record<string, number>>> => {
    const guarded = STREAMS.filter(({ category }) => category !== 'audit').flatMap(({ terms }) => terms.guarded as readonly string[]);
    const counts: Record<string, number> = {};
    const end = new AbortController();
    const categories = STREAMS.map(({ category }) => category);
    for await (const item of registry.platform.eventStore.subscribe({ categories, signal: end.signal })) {
      if (item === 'caught-up') end.abort();
      else if (guarded.includes(item.type)) counts[item.type] = (counts[item.type] ?? 0) + 1;
    }
    return counts;
  };
  /** Asserts that the trail has the one change that was carried out: by the person, under one request, with what these persons have signed on their phones. */
  const expectOnTrail = async (route: string, actor: PersonWithPhone, signers: readonly PersonWithPhone[]): Promise<void> => {
    const trail: readonly RecordedEvent[] = await registry.platform.eventStore.read(streamName('audit', 'log'));
    const [approved, ...more] = trail.filter(({ type, data }) => type === 'AdminChangeApproved' && data['action'] === route);
    expect(more).toEqual([]);
    const { changeId, requestId } = approved!.data as Readonly<Record<string, unknown>>;
    const ofChange = trail.filter(({ data }) => data['changeId'] === changeId);
    expect(ofChange.map(({ type }) => type)).toEqual(['AdminChangeBegun', 'AdminChangeApproved', 'AdminChangeEnded']);
    for (const { data } of ofChange) expect(data).toMatchObject({ action: route, actor: actor.subjectId, requestId });
    const ofRequest = trail.filter(({ data }) => data['requestId'] === requestId).map(({ data }) => data['action']);
    expect(new Set(ofRequest)).toEqual(new Set([route, 'POST /admin/v1/approvals/:approvalId/completion']));
    const statements = approved!.data['statements'] as unknown as NonNullable<AuditEntry['statements']>;
    expect(new Set(statements.map(({ by }) => by))).toEqual(new Set(signers.map(({ subjectId }) => subjectId)));
    for (const { toBeSigned, signature, publicKey } of statements) {
      const key = createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' });
      const bytes = Buffer.from(toBeSigned, 'base64');
      expect(verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64'))).toBe(true);
      expect(bytes.toString()).toContain('"changeDigest":"');
    }
  };
  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const methodOf = (route: string): Method => route.split(' ', 1)[0] as Method;

  it('is known to this test', async () => {
    await start({});
    expect(Object.keys(CHANGES).toSorted()).toEqual(ROUTES.map(([route]) => route).toSorted());
  });

  it.each(ROUTES.map(([route]) => route))('waits for the phone of the person, which signs this change and no other: %s', async (route) => {
    await start({});
    const others = [await registry.session(anna), await registry.member({ roles: ['security', 'operator'] })];
    const [path, body] = await CHANGES[route]!();
    const before = await guardedEvents();
    const answer = await registry.send(methodOf(route), path, body, annas);
    expect([answer.status, Object.keys(answer.body)]).toEqual([202, ['approval']]);
    const approval = answer.body['approval'] as AskedApproval;
    expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_not_signed']);
    for (const by of others) expect(refusal(await registry.complete(approval, by))).toEqual([404, 'approval_not_found']);
    const altered = (statement: string) =>
      statement.replace(/"changeDigest":"(.)/, (_, first: string) => `"changeDigest":"${first === 'A' ? 'B' : 'A'}`);
    await expect(registry.approve(approval, { ...anna, altered })).rejects.toMatchObject({ code: 'invalid_signature' });
    expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_not_signed']);
    expect(await guardedEvents()).toEqual(before);
    expect((await registry.call(methodOf(route), path, body, annas)).status).toBeLessThan(300);
    expect(await guardedEvents()).not.toEqual(before);
    await expectOnTrail(route, anna, [anna]);
  });

  it.each(ROUTES.filter(([, { fourEyes }]) => fourEyes))(
    'with FOUR_EYES takes effect by two persons, and not by one, nor by tokens: %s',
    async (route, { byMachines }) => {
      await start({ FOUR_EYES: 'true' });
      const bert = await registry.newPerson();
      const berts = await registry.member({ roles: ['security'] }, bert);
      const [path, body] = await CHANGES[route]!();
      const asks = (by?: Record<string, string>) => registry.call(methodOf(route), path, body, by);
      const before = await guardedEvents();
      // Once more, also from another session of the same person.
      for (const by of [annas, annas, await registry.session(anna)]) expect(refusal(await asks(by))).toEqual([409, 'approval_required']);
      // ADMIN_TOKEN has every role.
      for (let time = 0; time < 2; time += 1)
        expect(refusal(await asks())).toEqual(
          byMachines ? [409, 'approval_required'] : [expect.any(Number), expect.stringMatching(/^(approval_required|forbidden)$/)],
        );
      expect(await guardedEvents()).toEqual(before);
      expect((await asks(berts)).status).toBeLessThan(300);
      expect(await guardedEvents()).not.toEqual(before);
      await expectOnTrail(route, bert, [anna, bert]);
    },
  );
});
