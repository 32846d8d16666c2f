import type { AdminRole } from '#domain/administration';
import { CONSENT_TERMS } from '#domain/relying-party';

/** `member`: a person of the relying party whose id is in the path, logged in to the portal. */
export type Right = AdminRole | 'member';

const EVERYONE: readonly AdminRole[] = ['read', 'support', 'operator', 'security'];
const SUPPORT: readonly AdminRole[] = ['support', 'operator'];
const OPERATOR: readonly AdminRole[] = ['operator'];
/** For calls that end something at once: an administrator who notices an attack can stop it. */
const STOP: readonly AdminRole[] = ['operator', 'security'];
const PERSONS: readonly AdminRole[] = ['support', 'operator', 'security'];
const SECURITY: readonly AdminRole[] = ['security'];

const MEMBER = 'member';

const CLIENT = '/admin/v1/clients/:clientId';
const ENDPOINT = `${CLIENT}/webhook-endpoints/:endpointId`;
const IDENTITY = '/admin/v1/identities/:identityId';

/** Who may call each route of `/admin/v1`. A route that is missing here is refused to every caller. specification/admin.md#roles shows the table. */
export const ADMIN_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  'GET /admin/v1/clients': EVERYONE,
  [`GET ${CLIENT}`]: [...EVERYONE, MEMBER],
  [`GET ${CLIENT}/logo`]: [...EVERYONE, MEMBER],
  [`GET ${CLIENT}/secret`]: [...EVERYONE, MEMBER],
  [`GET ${CLIENT}/waiting-change`]: [...EVERYONE, MEMBER],
  [`GET ${CLIENT}/webhook-endpoints`]: [...EVERYONE, MEMBER],
  [`GET ${ENDPOINT}/deliveries`]: [...EVERYONE, MEMBER],
  [`GET ${CLIENT}/sessions/:sessionId/timeline`]: [...EVERYONE, MEMBER],
  [`GET ${CLIENT}/login-funnel`]: [...EVERYONE, MEMBER],
  'GET /admin/v1/waiting-changes': EVERYONE,
  'GET /admin/v1/sessions': EVERYONE,
  'GET /admin/v1/sessions/:sessionId/timeline': EVERYONE,
  'GET /admin/v1/projections': EVERYONE,
  'GET /admin/v1/health': EVERYONE,
  [`GET ${IDENTITY}/devices`]: EVERYONE,
  [`GET ${IDENTITY}/erasure`]: EVERYONE,
  // Names and personal codes.
  'GET /admin/v1/identities': PERSONS,
  'POST /admin/v1/identities/search': PERSONS,
  [`POST ${IDENTITY}/opening`]: PERSONS,

  'POST /admin/v1/identities': SUPPORT,
  // Only `security` may issue a code for a member of the portal.
  [`POST ${IDENTITY}/activation-codes`]: PERSONS,
  [`DELETE ${IDENTITY}/devices/:deviceId`]: PERSONS,
  [`DELETE ${IDENTITY}`]: STOP,
  [`POST ${ENDPOINT}/ping`]: [...SUPPORT, MEMBER],
  [`POST ${ENDPOINT}/recover`]: [...SUPPORT, MEMBER],
  [`POST ${ENDPOINT}/deliveries/:deliveryId/retry`]: [...SUPPORT, MEMBER],

  // The names of other clients, for the person who registers or accepts one.
  'GET /admin/v1/client-names': OPERATOR,
  'POST /admin/v1/clients': OPERATOR,
  [`PATCH ${CLIENT}`]: [...OPERATOR, MEMBER],
  [`DELETE ${CLIENT}/waiting-change`]: [...OPERATOR, MEMBER],
  [`POST ${CLIENT}/waiting-change/acceptance`]: OPERATOR,
  [`POST ${CLIENT}/waiting-change/refusal`]: STOP,
  [`DELETE ${CLIENT}`]: OPERATOR,
  [`POST ${CLIENT}/disable`]: STOP,
  [`POST ${CLIENT}/enable`]: OPERATOR,
  [`POST ${CLIENT}/secret`]: [...STOP, MEMBER],
  // The subjectIds of the client's users.
  [`GET ${CLIENT}/subject-migrations`]: [...OPERATOR, MEMBER],
  [`PUT ${CLIENT}/logo`]: [...OPERATOR, MEMBER],
  [`POST ${CLIENT}/logo/approval`]: OPERATOR,
  [`DELETE ${CLIENT}/logo`]: [...OPERATOR, MEMBER],
  [`POST ${CLIENT}/webhook-endpoints`]: [...OPERATOR, MEMBER],
  [`PATCH ${ENDPOINT}`]: [...OPERATOR, MEMBER],
  [`DELETE ${ENDPOINT}`]: [...OPERATOR, MEMBER],
  [`POST ${ENDPOINT}/rotate-secret`]: [...STOP, MEMBER],
  [`GET ${CLIENT}/members`]: [...EVERYONE, MEMBER],
  [`DELETE ${CLIENT}/members/:subjectId`]: [...STOP, MEMBER],
  [`POST ${CLIENT}/invitations`]: [...OPERATOR, MEMBER],
  [`DELETE ${CLIENT}/invitations/:invitationId`]: [...STOP, MEMBER],
  'POST /admin/v1/projections/:name/rebuild': OPERATOR,

  'GET /admin/v1/keys': STOP,
  'GET /admin/v1/audit': SECURITY,
  'GET /admin/v1/admin-tokens': SECURITY,
  'POST /admin/v1/admin-tokens': SECURITY,
  'DELETE /admin/v1/admin-tokens/:tokenId': SECURITY,
  'GET /admin/v1/members': SECURITY,
  'DELETE /admin/v1/members/:subjectId': SECURITY,
  'POST /admin/v1/invitations': SECURITY,
  'DELETE /admin/v1/invitations/:invitationId': SECURITY,
};

/**
 * Reads that answer the names of persons, or the names that persons gave their phones. The audit trail records them as it records changes, with the
 * persons whose data they answer (specification/admin.md#audit-trail).
 */
export const RECORDED_READS: ReadonlySet<string> = new Set(['GET /admin/v1/identities', `GET ${IDENTITY}/devices`]);

/** The erasure of a person and the changes of keys: with `FOUR_EYES`, two administrators have to send them (specification/admin.md#four-eyes). */
export const FOUR_EYES_ROUTES: ReadonlySet<string> = new Set([
  `DELETE ${IDENTITY}`,
  `POST ${CLIENT}/secret`,
  `POST ${ENDPOINT}/rotate-secret`,
  'POST /admin/v1/admin-tokens',
  'POST /admin/v1/invitations',
]);

/** The fields of PATCH client that a member may send. */
const FIELDS_OF_MEMBERS: ReadonlySet<string> = new Set(['redirect_uris', 'dynamic_qr', 'verification_code']);

/** The same for one body: a member may switch `finish_by_number` off, but not on. */
export const fieldsOfMembers = (body: { readonly finish_by_number?: boolean }): ReadonlySet<string> =>
  body.finish_by_number === false ? new Set([...FIELDS_OF_MEMBERS, 'finish_by_number']) : FIELDS_OF_MEMBERS;

/** The fields that a member may send where a member's change waits for an operator's consent: also the name and the data that the client may ask for. */
export const FIELDS_WITH_CONSENT: ReadonlySet<string> = new Set([
  ...FIELDS_OF_MEMBERS,
  ...CONSENT_TERMS.map((term) => term.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
]);
