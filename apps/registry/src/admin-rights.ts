import type { AdminRole, TeamRole } from '#domain/administration';
import { CONSENT_TERMS, PROTECTIONS } from '#domain/relying-party';

import { APPROVAL, CLIENT, CLIENT_MEMBER, ENDPOINT, IDENTITY, MEMBER, OWN } from './admin-paths.js';

/**
 * A role of the staff; a role in the team of the relying party whose id is in the path; `person`: every person who is logged in to the portal, for what belongs to the person
 * alone.
 */
export type Right = AdminRole | TeamRole | 'person';

const EVERYONE: readonly AdminRole[] = ['read', 'support', 'operator', 'security'];
const SUPPORT: readonly AdminRole[] = ['support', 'operator'];
const OPERATOR: readonly AdminRole[] = ['operator'];
/** For calls that end something at once: an administrator who notices an attack can stop it. */
const STOP: readonly AdminRole[] = ['operator', 'security'];
const PERSONS: readonly AdminRole[] = ['support', 'operator', 'security'];
const SECURITY: readonly AdminRole[] = ['security'];

const TEAM: readonly TeamRole[] = ['viewer', 'developer', 'owner'];
const DEVELOPERS: readonly TeamRole[] = ['developer', 'owner'];
const OWNERS: readonly TeamRole[] = ['owner'];

/** Who may call each route of `/admin/v1`. A route that is missing here is refused to every caller. specification/admin.md#roles shows the table. */
export const ADMIN_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  'GET /admin/v1/clients': EVERYONE,
  [`GET ${CLIENT}`]: [...EVERYONE, ...TEAM],
  [`GET ${CLIENT}/logo`]: [...EVERYONE, ...TEAM],
  [`GET ${CLIENT}/secret`]: [...EVERYONE, ...TEAM],
  [`GET ${CLIENT}/waiting-change`]: [...EVERYONE, ...TEAM],
  [`GET ${CLIENT}/webhook-endpoints`]: [...EVERYONE, ...TEAM],
  [`GET ${ENDPOINT}/deliveries`]: [...EVERYONE, ...TEAM],
  [`GET ${CLIENT}/sessions/:sessionId/timeline`]: [...EVERYONE, ...TEAM],
  [`GET ${CLIENT}/login-funnel`]: [...EVERYONE, ...TEAM],
  'GET /admin/v1/waiting-changes': EVERYONE,
  'GET /admin/v1/sessions': EVERYONE,
  'GET /admin/v1/sessions/:sessionId/timeline': EVERYONE,
  'GET /admin/v1/projections': EVERYONE,
  'GET /admin/v1/health': EVERYONE,
  'GET /admin/v1/break-glass': EVERYONE,
  'DELETE /admin/v1/break-glass': EVERYONE,
  [`GET ${IDENTITY}/devices`]: EVERYONE,
  [`GET ${IDENTITY}/erasure`]: EVERYONE,
  // Names and personal codes, a hundred at once: `support` opens one person after the other, each with a reason.
  'GET /admin/v1/identities': STOP,
  'POST /admin/v1/identities/search': PERSONS,
  [`POST ${IDENTITY}/opening`]: PERSONS,

  'POST /admin/v1/identities': SUPPORT,
  // Of a member of the portal: `security` alone.
  [`POST ${IDENTITY}/activation-codes`]: PERSONS,
  [`DELETE ${IDENTITY}/devices/:deviceId`]: PERSONS,
  [`DELETE ${IDENTITY}`]: STOP,
  [`POST ${ENDPOINT}/ping`]: [...SUPPORT, ...DEVELOPERS],
  [`POST ${ENDPOINT}/recover`]: [...SUPPORT, ...DEVELOPERS],
  [`POST ${ENDPOINT}/deliveries/:deliveryId/retry`]: [...SUPPORT, ...DEVELOPERS],

  // The names of other clients, for the person who registers or accepts one.
  'GET /admin/v1/client-names': OPERATOR,
  'POST /admin/v1/clients': OPERATOR,
  [`PATCH ${CLIENT}`]: [...OPERATOR, ...DEVELOPERS],
  [`DELETE ${CLIENT}/waiting-change`]: [...OPERATOR, ...DEVELOPERS],
  [`POST ${CLIENT}/waiting-change/acceptance`]: OPERATOR,
  [`POST ${CLIENT}/waiting-change/refusal`]: STOP,
  [`DELETE ${CLIENT}`]: OPERATOR,
  [`POST ${CLIENT}/disable`]: STOP,
  [`POST ${CLIENT}/enable`]: OPERATOR,
  [`POST ${CLIENT}/secret`]: [...STOP, ...OWNERS],
  // The subjectIds of the client's users.
  [`GET ${CLIENT}/subject-migrations`]: [...OPERATOR, ...DEVELOPERS],
  [`PUT ${CLIENT}/logo`]: [...OPERATOR, ...DEVELOPERS],
  [`POST ${CLIENT}/logo/approval`]: OPERATOR,
  [`DELETE ${CLIENT}/logo`]: [...OPERATOR, ...DEVELOPERS],
  [`POST ${CLIENT}/webhook-endpoints`]: [...OPERATOR, ...DEVELOPERS],
  [`PATCH ${ENDPOINT}`]: [...OPERATOR, ...DEVELOPERS],
  [`DELETE ${ENDPOINT}`]: [...OPERATOR, ...DEVELOPERS],
  [`POST ${ENDPOINT}/rotate-secret`]: [...STOP, ...DEVELOPERS],
  [`GET ${CLIENT}/members`]: [...EVERYONE, ...TEAM],
  [`DELETE ${CLIENT_MEMBER}`]: [...STOP, ...OWNERS],
  [`PATCH ${CLIENT_MEMBER}`]: [...OPERATOR, ...OWNERS],
  [`GET ${CLIENT_MEMBER}/phones`]: [...STOP, ...OWNERS],
  [`DELETE ${CLIENT_MEMBER}/phones/:phoneId`]: [...STOP, ...OWNERS],
  [`POST ${CLIENT}/invitations`]: [...OPERATOR, ...OWNERS],
  [`DELETE ${CLIENT}/invitations/:invitationId`]: [...STOP, ...OWNERS],
  'POST /admin/v1/projections/:name/rebuild': OPERATOR,

  'GET /admin/v1/keys': STOP,
  'GET /admin/v1/audit': SECURITY,
  'GET /admin/v1/admin-tokens': SECURITY,
  'POST /admin/v1/admin-tokens': SECURITY,
  'DELETE /admin/v1/admin-tokens/:tokenId': SECURITY,
  'GET /admin/v1/members': SECURITY,
  [`DELETE ${MEMBER}`]: SECURITY,
  [`PATCH ${MEMBER}`]: SECURITY,
  [`DELETE ${MEMBER}/sessions`]: SECURITY,
  [`GET ${MEMBER}/phones`]: SECURITY,
  [`DELETE ${MEMBER}/phones/:phoneId`]: SECURITY,
  'POST /admin/v1/invitations': SECURITY,
  'DELETE /admin/v1/invitations/:invitationId': SECURITY,

  [`GET ${OWN}/sessions`]: ['person'],
  [`DELETE ${OWN}/sessions/:sessionId`]: ['person'],
  [`GET ${OWN}/phones`]: ['person'],
  [`POST ${OWN}/phones/:phoneId/approval`]: ['person'],
  [`DELETE ${OWN}/phones/:phoneId/approval`]: ['person'],
  [`GET ${APPROVAL}`]: ['person'],
  [`POST ${APPROVAL}/completion`]: ['person'],
};

/**
 * Reads that answer the names of persons, or the names that persons gave their phones. The audit trail records them as it records changes, with the
 * persons whose data they answer (specification/admin.md#audit-trail).
 */
export const RECORDED_READS: ReadonlySet<string> = new Set(['GET /admin/v1/identities', `GET ${IDENTITY}/devices`]);

/** The roles that open a person's data without a reason: they may list all persons anyway, and each list raises an alarm. */
export const opensWithoutReason = (roles: readonly AdminRole[]): boolean => roles.some((role) => STOP.includes(role));

/** The reading of one person's data. */
export const OPENING = `POST ${IDENTITY}/opening`;

/** How a change that a person asks for in the portal takes effect. */
export interface Criticality {
  /** `always`, or only for some bodies or objects: `sometimes`. */
  readonly critical: 'always' | 'sometimes';
  /** Whether `FOUR_EYES` asks for a second person: for what makes or unmakes a person with power, for secrets, and for an erasure. */
  readonly fourEyes: boolean;
  /** Whether a machine token may have the route, when the approval of the token names it. */
  readonly byMachines: boolean;
}

const BY_ALL = { critical: 'always', fourEyes: false, byMachines: true } as const;
const BY_TWO = { critical: 'always', fourEyes: true, byMachines: true } as const;
/** What makes and unmakes persons with power, and tokens, is for persons alone. */
const BY_TWO_PERSONS = { critical: 'always', fourEyes: true, byMachines: false } as const;
const BY_PERSONS = { critical: 'always', fourEyes: false, byMachines: false } as const;

/** The changes that a person has to approve on the phone (specification/admin.md#critical-changes). Every other change takes effect at once. */
export const CRITICAL_ROUTES: Readonly<Record<string, Criticality>> = {
  // What it gives or takes back of redirect URIs and protections.
  [`PATCH ${CLIENT}`]: { critical: 'sometimes', fourEyes: false, byMachines: true },
  [`POST ${CLIENT}/waiting-change/acceptance`]: BY_ALL,
  [`DELETE ${CLIENT}`]: BY_ALL,
  [`POST ${CLIENT}/secret`]: BY_TWO,
  [`DELETE ${ENDPOINT}`]: BY_ALL,
  [`POST ${ENDPOINT}/rotate-secret`]: BY_TWO,
  [`DELETE ${CLIENT_MEMBER}`]: BY_PERSONS,
  [`PATCH ${CLIENT_MEMBER}`]: BY_PERSONS,
  [`POST ${CLIENT}/invitations`]: BY_PERSONS,
  [`DELETE ${IDENTITY}`]: BY_TWO,
  // Of persons with power.
  [`POST ${IDENTITY}/activation-codes`]: { critical: 'sometimes', fourEyes: true, byMachines: true },
  [`DELETE ${IDENTITY}/devices/:deviceId`]: { critical: 'sometimes', fourEyes: true, byMachines: true },
  'POST /admin/v1/admin-tokens': BY_TWO_PERSONS,
  'DELETE /admin/v1/admin-tokens/:tokenId': BY_TWO_PERSONS,
  'POST /admin/v1/invitations': BY_TWO_PERSONS,
  [`DELETE ${MEMBER}`]: BY_TWO_PERSONS,
  [`PATCH ${MEMBER}`]: BY_TWO_PERSONS,
  // Another phone of the person gets the person's power.
  [`POST ${OWN}/phones/:phoneId/approval`]: BY_PERSONS,
};

/** Whether a machine token may have the route. One that was lost must not stand in the way of a break-glass. */
export const isForMachines = (route: string): boolean => CRITICAL_ROUTES[route]?.byMachines !== false && route !== 'DELETE /admin/v1/break-glass';

/** The routes of a token: those of its role that machines may have. A critical one has to be named. */
export const tokenRoutes = (role: AdminRole): { readonly usual: readonly string[]; readonly named: readonly string[] } => {
  const named = Object.entries(ADMIN_RIGHTS).flatMap(([route, rights]) => (rights.includes(role) && isForMachines(route) ? [route] : []));
  return { named, usual: named.filter((route) => CRITICAL_ROUTES[route]?.critical !== 'always') };
};

/** What `ADMIN_TOKEN` may do in a guarded environment, until enough persons hold `security` (specification/admin.md#the-first-start). */
export const FIRST_START_ROUTES: ReadonlySet<string> = new Set([
  'POST /admin/v1/identities',
  `POST ${IDENTITY}/activation-codes`,
  'POST /admin/v1/invitations',
]);

/** The field of a body that sets this term. */
export const asField = (term: string): string => term.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const SWITCHED_OFF = PROTECTIONS.map(asField);

/** The fields with which a body of PATCH client takes a protection away. */
export const unprotects = (body: object): readonly string[] => {
  const values = body as Readonly<Record<string, unknown>>;
  const off = SWITCHED_OFF.filter((field) => values[field] === false || values[field] === '');
  return values['finish_by_number'] === true ? [...off, 'finish_by_number'] : off;
};

/**
 * The fields of PATCH client that a member may send. Protections are switched off by owners alone. Where a member's change waits for an operator's consent, also the name and the
 * data that the client may ask for, and `finish_by_number`. Keys and addresses of notifications, as a new secret, are for owners.
 */
export const fieldsOfMembers = (body: object, role: TeamRole, withConsent: boolean): ReadonlySet<string> => {
  const always = ['redirect_uris', 'id_token_signed_response_alg'];
  const keys = role === 'owner' ? ['jwks', 'jwks_uri', 'backchannel_client_notification_endpoint', 'backchannel_logout_uri'] : [];
  const fields = [...always, ...keys, ...(withConsent ? CONSENT_TERMS.map(asField) : [...SWITCHED_OFF, 'finish_by_number'])];
  const refused = role === 'owner' ? (withConsent ? [] : unprotects(body).filter((field) => field === 'finish_by_number')) : unprotects(body);
  return new Set(fields.filter((field) => !refused.includes(field)));
};
