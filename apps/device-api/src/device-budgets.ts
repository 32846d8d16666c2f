import type { FastifyRequest } from 'fastify';

import type { Budget, BudgetHolders, RouteBudgets } from '#service/http';

import type { ProvenRequest } from './device-proof.js';

const LOOK: Budget = { principal: 600 };
const LIST: Budget = { principal: 120 };
const CHANGE: Budget = { principal: 60 };

const ENROLMENT = { because: 'refused ones are counted by caller and by person, and a code works once' };
const APPROVAL = { because: 'a session is decided once, by its own phone; wrong PINs lock the phone' };

/** What one phone may ask of each route of `/app/v1` in a minute (specification/conventions.md#budgets-of-routes). */
export const DEVICE_BUDGETS: RouteBudgets = {
  'POST /app/v1/device': ENROLMENT,
  'POST /app/v1/device/holder': ENROLMENT,
  'POST /app/v1/device/certificate': CHANGE,
  'GET /app/v1/device': LOOK,
  'DELETE /app/v1/device': CHANGE,
  'GET /app/v1/devices': LIST,
  'POST /app/v1/devices/:deviceId/revoke': CHANGE,
  'GET /app/v1/session/pending': { because: 'POLL_LIMIT counts them for each phone' },
  'GET /app/v1/session/:sessionId': APPROVAL,
  'POST /app/v1/session/:sessionId/scan': APPROVAL,
  'POST /app/v1/session/:sessionId/pin': APPROVAL,
  'POST /app/v1/session/:sessionId/confirm': APPROVAL,
  'POST /app/v1/session/:sessionId/decline': APPROVAL,
  'GET /app/v1/session/:sessionId/client': LIST,
  'GET /app/v1/push-subscription': LOOK,
  'PUT /app/v1/push-subscription': CHANGE,
  'DELETE /app/v1/push-subscription': CHANGE,
  'POST /app/v1/clients/:clientId/logout': CHANGE,
  'GET /app/v1/blocked-clients': LIST,
  'PUT /app/v1/blocked-clients/:clientId': CHANGE,
  'PUT /app/v1/blocked-clients/:clientId/report': CHANGE,
  'DELETE /app/v1/blocked-clients/:clientId': CHANGE,
};

/** The phone that has sent the request. A new key is none yet. */
export const phoneOf = ({ principal }: FastifyRequest): BudgetHolders | undefined => {
  const { prover } = (principal ?? {}) as Partial<ProvenRequest>;
  return prover && 'device' in prover ? { principal: prover.device.deviceId } : undefined;
};
