import { FIRST_START, type Invited } from '#domain/administration';
import type { ClientId, IdentityId } from '#kernel';
import { picture } from '#testkit/relying-party/pictures';
import { sessionHistory } from '#testkit/session/session-history';

import { type Method, type PersonHeaders, type PersonWithPhone, type registryFixture, UNREGISTERED } from './registry.fixture.js';

type Registry = Awaited<ReturnType<typeof registryFixture>>;

/** The values of a route's parameters by their names. */
export type Values = Readonly<Record<string, string>>;

/** Who calls a route, and in the session of which the objects of a person are made. */
export interface Caller {
  readonly person: PersonWithPhone;
  readonly headers: PersonHeaders;
}

/** What a request of a route needs beside its path, and what it answers to a caller who may do it, about an object that is there. */
interface Row {
  /** The body, or the query of a GET. */
  readonly sent?: (values: Values) => Record<string, unknown>;
  /** What has to be there before. Its answers are more values for {@link sent}. */
  readonly before?: (registry: Registry, client: ClientId) => Promise<Values | void>;
  readonly answers: readonly number[];
}

const IMAGE = picture().toString('base64');
const OTHER_REDIRECT = { redirect_uris: ['https://rp.example/callback', 'https://rp.example/other'] };
const INVITED = { label: 'new-post' };

const row = (answer: number, sent?: Row['sent']): Row => ({ answers: [answer], ...(sent && { sent }) });
const OK = row(200);
const GONE = row(204);

const waitingChange: Row['before'] = async (registry, client) => {
  const { clientConsent } = registry.platform.useCases.relyingParties();
  await clientConsent.ask(client, { redirectUris: ['https://rp.example/waiting'] }, FIRST_START);
  return { changeId: (await clientConsent.find(client)).waiting?.changeId ?? '' };
};
const decidesOnChange = (answer: number): Row => ({ answers: [answer], before: waitingChange, sent: ({ changeId }) => ({ change_id: changeId }) });

const waitingLogo: Row['before'] = async (registry, client) => {
  const { waiting } = await registry.platform.useCases.logos().changeLogo.upload(client, IMAGE);
  return { hash: waiting?.hash ?? '' };
};

const CLIENT = '/admin/v1/clients/:clientId';
const ENDPOINT = `${CLIENT}/webhook-endpoints/:endpointId`;
const IDENTITY = '/admin/v1/identities/:identityId';
const OWN = '/admin/v1/own';

/** One row for each route of `/admin/v1`. A route without one fails the tests that go over them. */
export const ROWS: Readonly<Record<string, Row>> = {
  'GET /admin/v1/clients': OK,
  [`GET ${CLIENT}`]: OK,
  [`GET ${CLIENT}/logo`]: { ...OK, before: waitingLogo },
  [`GET ${CLIENT}/secret`]: OK,
  [`GET ${CLIENT}/waiting-change`]: { ...OK, before: waitingChange },
  [`GET ${CLIENT}/webhook-endpoints`]: OK,
  [`GET ${ENDPOINT}/deliveries`]: OK,
  [`GET ${CLIENT}/sessions/:sessionId/timeline`]: OK,
  [`GET ${CLIENT}/login-funnel`]: OK,
  'GET /admin/v1/waiting-changes': OK,
  'GET /admin/v1/sessions': OK,
  'GET /admin/v1/sessions/:sessionId/timeline': OK,
  'GET /admin/v1/projections': OK,
  'GET /admin/v1/health': OK,
  'GET /admin/v1/break-glass': OK,
  // None is under way.
  'DELETE /admin/v1/break-glass': row(409),
  [`GET ${IDENTITY}/devices`]: OK,
  [`GET ${IDENTITY}/erasure`]: {
    ...OK,
    before: async (registry) => {
      const { identityId } = await registry.newPerson();
      await registry.platform.useCases.erasures().eraseIdentity.execute(identityId, FIRST_START);
      return { identityId };
    },
  },
  'GET /admin/v1/identities': OK,
  'POST /admin/v1/identities/search': row(200, ({ personalCode }) => ({ country: 'LV', personal_code: personalCode })),
  [`POST ${IDENTITY}/opening`]: row(200, () => ({ reason: 'case-4711' })),
  'POST /admin/v1/identities': row(201, ({ unique }) => ({
    given_name: 'Anna',
    family_name: 'Ozola',
    personal_code: unique,
    date_of_birth: '1980-01-01',
    country: 'LV',
  })),
  [`POST ${IDENTITY}/activation-codes`]: row(201),
  [`DELETE ${IDENTITY}/devices/:deviceId`]: GONE,
  [`DELETE ${IDENTITY}`]: GONE,
  // 409: not before the endpoint has proved that it verifies.
  [`POST ${ENDPOINT}/ping`]: row(202),
  [`POST ${ENDPOINT}/recover`]: { answers: [202, 409], sent: () => ({ since: 0 }) },
  [`POST ${ENDPOINT}/deliveries/:deliveryId/retry`]: { answers: [202, 409] },
  'GET /admin/v1/client-names': row(200, () => ({ near: 'Shop' })),
  'POST /admin/v1/clients': row(201, ({ unique }) => ({ name: `Shop ${unique}`, redirect_uris: ['https://rp.example/callback'] })),
  [`PATCH ${CLIENT}`]: row(200, () => OTHER_REDIRECT),
  [`DELETE ${CLIENT}/waiting-change`]: { ...GONE, before: waitingChange },
  [`POST ${CLIENT}/waiting-change/acceptance`]: decidesOnChange(200),
  [`POST ${CLIENT}/waiting-change/refusal`]: decidesOnChange(204),
  [`DELETE ${CLIENT}`]: GONE,
  [`POST ${CLIENT}/disable`]: OK,
  [`POST ${CLIENT}/enable`]: OK,
  [`POST ${CLIENT}/secret`]: OK,
  [`GET ${CLIENT}/subject-migrations`]: OK,
  [`PUT ${CLIENT}/logo`]: row(200, () => ({ image: IMAGE })),
  [`POST ${CLIENT}/logo/approval`]: { answers: [200], before: waitingLogo, sent: ({ hash }) => ({ hash }) },
  [`DELETE ${CLIENT}/logo`]: { ...GONE, before: waitingLogo },
  [`POST ${CLIENT}/webhook-endpoints`]: row(201, () => ({ url: 'https://hooks.rp.example/new' })),
  [`PATCH ${ENDPOINT}`]: row(200, () => ({ enabled: false })),
  [`DELETE ${ENDPOINT}`]: GONE,
  [`POST ${ENDPOINT}/rotate-secret`]: OK,
  [`GET ${CLIENT}/members`]: OK,
  [`DELETE ${CLIENT}/members/:subjectId`]: GONE,
  [`PATCH ${CLIENT}/members/:subjectId`]: row(204, () => ({ role: 'developer' })),
  [`GET ${CLIENT}/members/:subjectId/phones`]: OK,
  [`DELETE ${CLIENT}/members/:subjectId/phones/:phoneId`]: GONE,
  [`POST ${CLIENT}/invitations`]: row(201, () => ({ ...INVITED, role: 'viewer' })),
  [`DELETE ${CLIENT}/invitations/:invitationId`]: GONE,
  'POST /admin/v1/projections/:name/rebuild': row(202),
  'GET /admin/v1/keys': OK,
  'GET /admin/v1/audit': OK,
  'GET /admin/v1/admin-tokens': OK,
  'POST /admin/v1/admin-tokens': row(201, ({ unique, inADay }) => ({ name: `t-${unique}`, role: 'read', expires_at: Number(inADay) })),
  'DELETE /admin/v1/admin-tokens/:tokenId': GONE,
  'GET /admin/v1/members': OK,
  'DELETE /admin/v1/members/:subjectId': GONE,
  'PATCH /admin/v1/members/:subjectId': row(204, () => ({ roles: ['support'] })),
  'DELETE /admin/v1/members/:subjectId/sessions': GONE,
  'GET /admin/v1/members/:subjectId/phones': OK,
  'DELETE /admin/v1/members/:subjectId/phones/:phoneId': GONE,
  'POST /admin/v1/invitations': row(201, () => ({ ...INVITED, roles: ['read'] })),
  'DELETE /admin/v1/invitations/:invitationId': GONE,
  [`GET ${OWN}/sessions`]: OK,
  [`DELETE ${OWN}/sessions/:sessionId`]: GONE,
  [`GET ${OWN}/phones`]: OK,
  [`POST ${OWN}/phones/:phoneId/approval`]: GONE,
  [`DELETE ${OWN}/phones/:phoneId/approval`]: GONE,
  'GET /admin/v1/approvals/:approvalId': OK,
  // The change that was asked for is `POST /own/phones/{phoneId}/approval`.
  'POST /admin/v1/approvals/:approvalId/completion': GONE,
};

type Make = (registry: Registry, place: { readonly client: ClientId; readonly caller: Caller }) => Promise<Values>;

const withSecondPhone = async (registry: Registry, person: PersonWithPhone): Promise<Values> => {
  const deviceId = await registry.phoneOf(person.identityId);
  return { phoneId: registry.platform.useCases.administration().portalPhones.idOf(deviceId) };
};

/** A member of the team, or of the staff, with another phone. */
const member =
  (scope: (client: ClientId) => Parameters<Registry['member']>[0]): Make =>
  async (registry, { client }) => {
    const person = await registry.newPerson();
    await registry.member(scope(client), person);
    return { subjectId: person.subjectId, ...(await withSecondPhone(registry, person)) };
  };

const invited = async (made: Promise<Invited>): Promise<Values> => ({ invitationId: (await made).invitationId });
const session: Make = async ({ platform }, { client }) => {
  const history = sessionHistory({ ...platform, identityId: UNREGISTERED as IdentityId });
  return { sessionId: await history.begin(client) };
};
const endpoint: Make = async (registry, { client }) => {
  const path = `/clients/${client}/webhook-endpoints`;
  const { endpointId } = (await registry.call('POST', path, { url: 'https://hooks.rp.example/' })).body as { endpointId: string };
  await registry.call('POST', `${path}/${endpointId}/ping`);
  const { deliveries = [] } = (await registry.call('GET', `${path}/${endpointId}/deliveries`)).body as { deliveries?: { deliveryId: string }[] };
  return { endpointId, deliveryId: deliveries[0]?.deliveryId ?? '' };
};
const approval: Make = async (registry, { caller }) => {
  const { phoneId } = await withSecondPhone(registry, caller.person);
  const { body } = await registry.send('POST', `/own/phones/${String(phoneId)}/approval`, undefined, caller.headers);
  const asked = body['approval'] as Parameters<Registry['approve']>[0];
  await registry.approve(asked, { deviceId: caller.person.deviceId });
  return { approvalId: asked.approvalId };
};

/** Makes the object that the parameters name, by the beginning of the path: one of the client, of the staff, or of the caller. The first that fits counts. */
const OBJECTS: readonly (readonly [RegExp, Make])[] = [
  [/^\/clients\/:clientId\/webhook-endpoints\/:/, endpoint],
  [/^\/clients\/:clientId\/sessions\/:/, session],
  [/^\/clients\/:clientId\/members\/:/, member((clientId) => ({ clientId, role: 'viewer' }))],
  [
    /^\/clients\/:clientId\/invitations\/:/,
    ({ platform }, { client }) =>
      invited(platform.useCases.administration().portalMembers.invite('a-post', { clientId: client, role: 'viewer' }, { id: FIRST_START })),
  ],
  [/^\/clients\/:clientId/, async () => ({})],
  [/^\/members\/:/, member(() => ({ roles: ['read'] }))],
  [
    /^\/invitations\/:/,
    ({ platform }) => invited(platform.useCases.administration().portalMembers.invite('a-post', { roles: ['read'] }, { id: FIRST_START })),
  ],
  [/^\/sessions\/:/, session],
  [
    /^\/identities\/:/,
    async (registry) => {
      const { identityId, deviceId } = await registry.newPerson();
      return { identityId, deviceId };
    },
  ],
  [
    /^\/admin-tokens\/:/,
    async (registry) => {
      const terms = { name: `t-${registry.platform.randomness.uuid()}`, role: 'read', routes: ['GET /admin/v1/audit'], by: FIRST_START } as const;
      const { addAdminToken } = registry.platform.useCases.administration();
      return { tokenId: (await addAdminToken.execute({ ...terms, expiresAt: registry.inADay() * 1000 })).tokenId };
    },
  ],
  [/^\/projections\/:/, async () => ({ name: 'clients' })],
  [
    /^\/own\/sessions\/:/,
    async (registry, { caller }) => {
      registry.platform.clock.advance(1);
      await registry.session(caller.person);
      const [newest] = await registry.platform.useCases.administration().portalSessions.list(caller.person.identityId);
      return { sessionId: newest?.sessionId ?? '' };
    },
  ],
  [/^\/own\/phones\/:/, (registry, { caller }) => withSecondPhone(registry, caller.person)],
  [/^\/approvals\/:/, approval],
];

const split = (route: string): readonly [Method, string] => {
  const [method, path = ''] = route.split(' ') as [Method, string];
  return [method, path.replace('/admin/v1', '')];
};

/** Whether the route names an object beside the client. */
export const namesObject = (route: string): boolean => /\/:(?!clientId)/.test(route);

/** The values of the parameters of the route, for an object that is there. */
export const objectsOf = async (registry: Registry, route: string, place: Parameters<Make>[1]): Promise<Values> => {
  const [, path] = split(route);
  const make = OBJECTS.find(([beginning]) => beginning.test(path))?.[1];
  if (!make && path.includes(':')) throw new Error(`nothing here makes the object of ${route}`);
  return { clientId: place.client, ...(await make?.(registry, place)) };
};

/** What has to be there before the request of the route. Answers all values of the request. */
export const prepared = async (registry: Registry, route: string, client: ClientId, values: Values): Promise<Values> => ({
  unique: registry.platform.randomness.uuid().slice(0, 30),
  inADay: String(registry.inADay()),
  ...values,
  ...(await ROWS[route]?.before?.(registry, client)),
});

/** The request of the route with these values: method, path and body. */
export const requestOf = (route: string, values: Values): readonly [Method, string, unknown] => {
  const [method, pattern] = split(route);
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => values[name] ?? UNREGISTERED);
  const sent = ROWS[route]?.sent?.(values);
  if (method !== 'GET' || !sent) return [method, path, sent];
  return [method, `${path}?${new URLSearchParams(sent as Record<string, string>).toString()}`, undefined];
};
