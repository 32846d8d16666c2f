import type { RouteBudgets } from '#service/http';

const SESSION = { because: 'it concerns the session of its cookie alone, and a forged cookie costs no read' };

/** The routes of `/portal/v1` (specification/conventions.md#budgets-of-routes). */
export const PORTAL_BUDGETS: RouteBudgets = {
  'POST /portal/v1/login': { because: 'sixty in a minute from one address' },
  'GET /portal/v1/callback': { because: 'it needs the sealed cookie of a login that was begun, and its code works once' },
  'GET /portal/v1/session': SESSION,
  'DELETE /portal/v1/session': SESSION,
};
