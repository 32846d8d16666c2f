import type { AdminRole } from '#administration';

const EVERYONE: readonly AdminRole[] = ['read', 'support', 'operator', 'security'];
const SUPPORT: readonly AdminRole[] = ['support', 'operator'];
const OPERATOR: readonly AdminRole[] = ['operator'];
/** For calls that end something at once: an administrator who notices an attack can stop it. */
const STOP: readonly AdminRole[] = ['operator', 'security'];
const STOP_DEVICE: readonly AdminRole[] = ['support', 'operator', 'security'];
const SECURITY: readonly AdminRole[] = ['security'];

const CLIENT = '/admin/v1/clients/:clientId';
const ENDPOINT = `${CLIENT}/webhook-endpoints/:endpointId`;
const IDENTITY = '/admin/v1/identities/:identityId';

/** The roles that may call each route of `/admin/v1`. A route that does not stand here is refused to all. specification/admin.md#roles shows the table. */
export const ADMIN_RIGHTS: Readonly<Record<string, readonly AdminRole[]>> = {
  'GET /admin/v1/clients': EVERYONE,
  [`GET ${CLIENT}`]: EVERYONE,
  [`GET ${CLIENT}/logo`]: EVERYONE,
  [`GET ${CLIENT}/webhook-endpoints`]: EVERYONE,
  [`GET ${ENDPOINT}/deliveries`]: EVERYONE,
  'GET /admin/v1/sessions': EVERYONE,
  'GET /admin/v1/sessions/:sessionId/timeline': EVERYONE,
  'GET /admin/v1/projections': EVERYONE,
  [`GET ${IDENTITY}/devices`]: EVERYONE,
  // Names and personal codes.
  'GET /admin/v1/identities': STOP_DEVICE,

  'POST /admin/v1/identities': SUPPORT,
  [`POST ${IDENTITY}/activation-codes`]: SUPPORT,
  [`DELETE ${IDENTITY}/devices/:deviceId`]: STOP_DEVICE,
  [`DELETE ${IDENTITY}`]: STOP,
  [`POST ${ENDPOINT}/ping`]: SUPPORT,
  [`POST ${ENDPOINT}/recover`]: SUPPORT,
  [`POST ${ENDPOINT}/deliveries/:deliveryId/retry`]: SUPPORT,

  'POST /admin/v1/clients': OPERATOR,
  [`PATCH ${CLIENT}`]: OPERATOR,
  [`DELETE ${CLIENT}`]: OPERATOR,
  [`POST ${CLIENT}/disable`]: STOP,
  [`POST ${CLIENT}/enable`]: OPERATOR,
  [`POST ${CLIENT}/secret`]: STOP,
  [`PUT ${CLIENT}/logo`]: OPERATOR,
  [`POST ${CLIENT}/logo/approval`]: OPERATOR,
  [`DELETE ${CLIENT}/logo`]: OPERATOR,
  [`POST ${CLIENT}/webhook-endpoints`]: OPERATOR,
  [`PATCH ${ENDPOINT}`]: OPERATOR,
  [`DELETE ${ENDPOINT}`]: OPERATOR,
  [`POST ${ENDPOINT}/rotate-secret`]: STOP,
  'POST /admin/v1/projections/:name/rebuild': OPERATOR,

  'GET /admin/v1/audit': SECURITY,
  'GET /admin/v1/admin-tokens': SECURITY,
  'POST /admin/v1/admin-tokens': SECURITY,
  'DELETE /admin/v1/admin-tokens/:tokenId': SECURITY,
};

/** The erasure of a person and the changes of keys: with `FOUR_EYES`, two administrators have to send them (specification/admin.md#four-eyes). */
export const FOUR_EYES_ROUTES: ReadonlySet<string> = new Set([
  `DELETE ${IDENTITY}`,
  `POST ${CLIENT}/secret`,
  `POST ${ENDPOINT}/rotate-secret`,
  'POST /admin/v1/admin-tokens',
]);
