import type { Budget, RouteBudgets } from '#service/http';

/** By address: a forged cookie costs no read, and one of a person who floods costs a few. The page asks once when it is opened. */
const SESSION: Budget = { principal: 1_200 };

/** The routes of `/portal/v1` (specification/conventions.md#budgets-of-routes). */
export const PORTAL_BUDGETS: RouteBudgets = {
  'POST /portal/v1/login': { because: 'sixty in a minute from one address' },
  'GET /portal/v1/callback': { because: 'it needs the sealed cookie of a login that was begun, and its code works once' },
  'GET /portal/v1/session': SESSION,
  'DELETE /portal/v1/session': SESSION,
};
