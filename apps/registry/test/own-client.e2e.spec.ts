import { type AdminRole } from '#domain/administration';
import { history } from '#engines/event-store';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { type ClientId, Secret, type SubjectId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';
import { OwnClient } from '#domain/relying-party';

import { ADMIN_RIGHTS, isForMachines } from '../src/admin-rights.js';
import { picture } from '#testkit/relying-party/pictures';
import { type PersonHeaders, registryFixture } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;
type Method = Parameters<Registry['call']>[0];

const CLIENT = '/admin/v1/clients/:clientId';
const ENDPOINT = `${CLIENT}/webhook-endpoints/:endpointId`;
/** Where things of this kind are kept. None of them may change. */
const CATEGORIES = ['client', 'clientname', 'clientlogo', 'portalmembers'];
const MEMBER = '8f3a0000-0000-8000-8000-000000000001' as SubjectId;
const INVITATION = '6f1d0000-0000-4000-8000-000000000003';
const HASH = 'a'.repeat(64);

/** A body that each route would accept, of every call that may change a client or what belongs to one. */
const CHANGES: Readonly<Record<string, object | undefined>> = {
  [`PATCH ${CLIENT}`]: { dynamic_qr: false, finish_by_number: true },
  [`DELETE ${CLIENT}`]: undefined,
  [`POST ${CLIENT}/disable`]: undefined,
  [`POST ${CLIENT}/enable`]: undefined,
  [`POST ${CLIENT}/secret`]: undefined,
  [`DELETE ${CLIENT}/waiting-change`]: undefined,
  [`POST ${CLIENT}/waiting-change/acceptance`]: { change_id: '6f1d0000-0000-4000-8000-000000000002' },
  [`POST ${CLIENT}/waiting-change/refusal`]: { change_id: '6f1d0000-0000-4000-8000-000000000002' },
  [`PUT ${CLIENT}/logo`]: { image: picture().toString('base64') },
  [`POST ${CLIENT}/logo/approval`]: { hash: HASH },
  [`DELETE ${CLIENT}/logo`]: undefined,
  [`POST ${CLIENT}/webhook-endpoints`]: { url: 'https://hook.example/' },
  [`PATCH ${ENDPOINT}`]: { enabled: false },
  [`DELETE ${ENDPOINT}`]: undefined,
  [`POST ${ENDPOINT}/rotate-secret`]: undefined,
  [`POST ${ENDPOINT}/ping`]: undefined,
  [`POST ${ENDPOINT}/recover`]: { since: 1 },
  [`POST ${ENDPOINT}/deliveries/:deliveryId/retry`]: undefined,
  [`POST ${CLIENT}/invitations`]: { label: 'back-door' },
  [`DELETE ${CLIENT}/invitations/:invitationId`]: undefined,
  [`DELETE ${CLIENT}/members/:subjectId`]: undefined,
  [`PATCH ${CLIENT}/members/:subjectId`]: { role: 'owner' },
  [`DELETE ${CLIENT}/members/:subjectId/phones/:phoneId`]: undefined,
};
const IDS: Readonly<Record<string, string>> = {
  endpointId: '6f1d0000-0000-4000-8000-000000000001',
  deliveryId: '6f1d0000-0000-4000-8000-000000000004',
  invitationId: INVITATION,
  subjectId: MEMBER,
  phoneId: '6f1d0000-0000-4000-8000-000000000005',
};
const ROWS = Object.entries(CHANGES).map(([route, body]) => ({ route, body }));
const READS = Object.keys(ADMIN_RIGHTS).filter((route) => route.startsWith(`GET ${CLIENT}`));

describe.each(USUAL_STORES)("the service's own client over $engine", ({ open }) => {
  let registry: Registry;
  let clientId: ClientId;
  let callers: Record<AdminRole | 'first start', Record<string, string>>;
  let member: PersonHeaders;

  const stored = async (): Promise<readonly string[]> => {
    const types: string[] = [];
    for await (const { stream, type } of history(registry.platform.eventStore, CATEGORIES)) types.push(`${stream} ${type}`);
    return types;
  };
  const call = (route: string, body: object | undefined, headers: Record<string, string>, id: string = clientId) => {
    const [method, pattern] = route.split(' ') as [Method, string];
    const path = pattern.replace('/admin/v1', '').replace(':clientId', id);
    return registry.call(
      method,
      path.replace(/:(\w+)/g, (_, name: string) => IDS[name]!),
      body,
      headers,
    );
  };

  beforeAll(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    const { keys, settings, useCases } = registry.platform;
    ({ clientId } = new OwnClient(keys.index, settings.environment));
    const terms = { redirectUris: [], allowedAttributes: [], allowedPredicates: [], dynamicQr: true, verificationCode: true };
    await useCases.relyingParties().keepOwnClient.execute(terms, new Secret('derived'));
    const bearer = async (role: AdminRole) => ({ authorization: `Bearer ${(await registry.token(role)).token}` });
    const [read, support, operator, security] = [await bearer('read'), await bearer('support'), await bearer('operator'), await bearer('security')];
    callers = { read, support, operator, security, 'first start': { authorization: registry.authorization } };
    member = await registry.member({ clientId: (await registry.client()) as ClientId });
  });
  afterAll(() => registry.close());

  it('has a row here for every call of the API that changes a client', () => {
    const changing = Object.keys(ADMIN_RIGHTS).filter((route) => route.includes(CLIENT) && !route.startsWith('GET '));
    expect(Object.keys(CHANGES).toSorted()).toEqual(changing.toSorted());
  });

  it.each(ROWS)('is changed by no caller: $route', async ({ route, body }) => {
    const before = await stored();
    for (const [caller, headers] of Object.entries(callers)) {
      for (const id of [clientId, clientId.toUpperCase()]) {
        const answer = await call(route, body, headers, id);
        expect([answer.status, answer.body['errorCode']]).toEqual([403, 'forbidden']);
        const isAllowed = caller === 'first start' || (isForMachines(route) && ADMIN_RIGHTS[route]!.includes(caller as AdminRole));
        if (isAllowed)
          expect(answer.body['defaultTranslation']).toBe("This is the service's own client. The service keeps it; no request changes it.");
      }
    }
    for (const headers of [member, await registry.session()]) expect((await call(route, body, headers)).status).toBe(403);
    expect(await stored()).toEqual(before);
  });

  it.each(READS)('is shown to staff, and to no member of a client: %s', async (route) => {
    expect([200, 404]).toContain((await call(route, undefined, callers['first start'])).status);
    expect((await call(route, undefined, member)).status).toBe(403);
  });

  it('shows no members', async () => {
    expect((await call(`GET ${CLIENT}/members`, undefined, callers.read)).body).toEqual({ members: [], invitations: [] });
  });

  it('keeps its name from other clients', async () => {
    for (const name of ['Countersign portal', 'countersign  PORTAL', 'Countersign porta1']) {
      const answer = await registry.call('POST', '/clients', { name, redirect_uris: [] }, callers.operator);
      expect([answer.status, answer.body['errorCode']]).toEqual([409, 'name_taken']);
    }
  });

  it('is refused with the same answer to a person of the staff at the portal', async () => {
    const operator = await registry.member({ roles: ['operator', 'security'] });
    const answer = await call(`POST ${CLIENT}/secret`, undefined, operator);
    expect([answer.status, answer.body['defaultTranslation']]).toEqual([403, expect.stringContaining("the service's own client")]);
  });
});
