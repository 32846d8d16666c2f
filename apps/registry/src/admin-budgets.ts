import type { FastifyRequest } from 'fastify';

import type { Administrator } from '#domain/administration';
import type { Budget, BudgetHolders, RouteBudgets } from '#service/http';

import { APPROVAL, CLIENT, CLIENT_MEMBER, ENDPOINT, IDENTITY, MEMBER, OWN } from './admin-paths.js';
import { OPENING } from './admin-rights.js';
import { clientIdIn, routeOf, teamRoleOf } from './require-right.js';

/** One object, which is in memory or a read or two away. */
const LOOK: Budget = { principal: 300, tenant: 1_200 };
/** A list, or a look at many streams. */
const LIST: Budget = { principal: 120, tenant: 480 };
/** An append or two. */
const CHANGE: Budget = { principal: 60, tenant: 240 };
/** Up to six messages to a host that a client names. */
const PROOF: Budget = { principal: 20, tenant: 40 };
/** The data of one person. One hour of support has some dozens at the most. */
const PERSON: Budget = { principal: 10, tenant: 40 };

/** What one person, and all of one relying party, may ask of each route of `/admin/v1` in a minute (specification/conventions.md#budgets-of-routes). */
export const ADMIN_BUDGETS: RouteBudgets = {
  'GET /admin/v1/clients': LIST,
  [`GET ${CLIENT}`]: LOOK,
  [`GET ${CLIENT}/logo`]: LOOK,
  [`GET ${CLIENT}/secret`]: LOOK,
  [`GET ${CLIENT}/waiting-change`]: LOOK,
  [`GET ${CLIENT}/webhook-endpoints`]: LIST,
  [`GET ${ENDPOINT}/deliveries`]: LIST,
  [`GET ${CLIENT}/sessions/:sessionId/timeline`]: LIST,
  [`GET ${CLIENT}/login-funnel`]: LIST,
  'GET /admin/v1/waiting-changes': LIST,
  'GET /admin/v1/sessions': LIST,
  'GET /admin/v1/sessions/:sessionId/timeline': LIST,
  'GET /admin/v1/projections': LIST,
  'GET /admin/v1/health': LIST,
  'GET /admin/v1/break-glass': LOOK,
  'DELETE /admin/v1/break-glass': CHANGE,
  [`GET ${IDENTITY}/devices`]: LIST,
  [`GET ${IDENTITY}/erasure`]: LIST,
  'GET /admin/v1/identities': LIST,
  'POST /admin/v1/identities/search': PERSON,
  [OPENING]: PERSON,
  'POST /admin/v1/identities': CHANGE,
  [`POST ${IDENTITY}/activation-codes`]: CHANGE,
  [`DELETE ${IDENTITY}/devices/:deviceId`]: CHANGE,
  [`DELETE ${IDENTITY}`]: CHANGE,
  [`POST ${ENDPOINT}/ping`]: PROOF,
  [`POST ${ENDPOINT}/recover`]: CHANGE,
  [`POST ${ENDPOINT}/deliveries/:deliveryId/retry`]: CHANGE,
  'GET /admin/v1/client-names': LIST,
  'POST /admin/v1/clients': CHANGE,
  [`PATCH ${CLIENT}`]: CHANGE,
  [`DELETE ${CLIENT}/waiting-change`]: CHANGE,
  [`POST ${CLIENT}/waiting-change/acceptance`]: CHANGE,
  [`POST ${CLIENT}/waiting-change/refusal`]: CHANGE,
  [`DELETE ${CLIENT}`]: CHANGE,
  [`POST ${CLIENT}/disable`]: CHANGE,
  [`POST ${CLIENT}/enable`]: CHANGE,
  [`POST ${CLIENT}/secret`]: CHANGE,
  [`GET ${CLIENT}/subject-migrations`]: LIST,
  [`PUT ${CLIENT}/logo`]: CHANGE,
  [`POST ${CLIENT}/logo/approval`]: CHANGE,
  [`DELETE ${CLIENT}/logo`]: CHANGE,
  [`POST ${CLIENT}/webhook-endpoints`]: CHANGE,
  [`PATCH ${ENDPOINT}`]: CHANGE,
  [`DELETE ${ENDPOINT}`]: CHANGE,
  [`POST ${ENDPOINT}/rotate-secret`]: CHANGE,
  [`GET ${CLIENT}/members`]: LIST,
  [`DELETE ${CLIENT_MEMBER}`]: CHANGE,
  [`PATCH ${CLIENT_MEMBER}`]: CHANGE,
  [`GET ${CLIENT_MEMBER}/phones`]: LIST,
  [`DELETE ${CLIENT_MEMBER}/phones/:phoneId`]: CHANGE,
  [`POST ${CLIENT}/invitations`]: CHANGE,
  [`DELETE ${CLIENT}/invitations/:invitationId`]: CHANGE,
  'POST /admin/v1/projections/:name/rebuild': CHANGE,
  'GET /admin/v1/keys': LOOK,
  'GET /admin/v1/audit': LIST,
  'GET /admin/v1/admin-tokens': LIST,
  'POST /admin/v1/admin-tokens': CHANGE,
  'DELETE /admin/v1/admin-tokens/:tokenId': CHANGE,
  'GET /admin/v1/members': LIST,
  [`DELETE ${MEMBER}`]: CHANGE,
  [`PATCH ${MEMBER}`]: CHANGE,
  [`DELETE ${MEMBER}/sessions`]: CHANGE,
  [`GET ${MEMBER}/phones`]: LIST,
  [`DELETE ${MEMBER}/phones/:phoneId`]: CHANGE,
  'POST /admin/v1/invitations': CHANGE,
  'DELETE /admin/v1/invitations/:invitationId': CHANGE,
  [`GET ${OWN}/sessions`]: LIST,
  [`DELETE ${OWN}/sessions/:sessionId`]: CHANGE,
  [`GET ${OWN}/phones`]: LIST,
  [`POST ${OWN}/phones/:phoneId/approval`]: CHANGE,
  [`DELETE ${OWN}/phones/:phoneId/approval`]: CHANGE,
  // The portal asks each second whether the phone has decided.
  [`GET ${APPROVAL}`]: LOOK,
  [`POST ${APPROVAL}/completion`]: CHANGE,
};

/**
 * Whom a call counts for: the person, or the token of a relying party. What a member and such a token ask counts for the relying party too, and what staff asks about it does not: members must
 * not hold staff back. The operator's own programs, tokens for all relying parties, count for no one, except where they read one person after the other.
 */
export const budgetHolders = (request: FastifyRequest): BudgetHolders | undefined => {
  const caller = request.principal as Administrator;
  const { id, human, reach } = caller;
  if (!human && !reach?.clients && !(reach && ADMIN_BUDGETS[routeOf(request)] === PERSON)) return undefined;
  const clientId = clientIdIn(request);
  // A call about another relying party is refused later, and counts for the caller alone.
  const isOfClient =
    clientId !== undefined &&
    (reach?.clients?.includes(clientId) === true || (caller.roles.length === 0 && teamRoleOf(caller, clientId) !== undefined));
  return { principal: human?.identityId ?? id, ...(isOfClient && { tenant: clientId }) };
};
