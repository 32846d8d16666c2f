import type { RouteBudgets } from '#service/http';

const DEVELOPER = { because: 'a developer on the same machine is the only caller, and no guarded environment has the route' };

/** The routes of `/sandbox/v1` (specification/conventions.md#budgets-of-routes). */
export const SANDBOX_BUDGETS: RouteBudgets = {
  'POST /sandbox/v1/phones': DEVELOPER,
  'POST /sandbox/v1/phones/:phoneId/scan': DEVELOPER,
  'POST /sandbox/v1/phones/:phoneId/login': DEVELOPER,
  'POST /sandbox/v1/clients': DEVELOPER,
  'POST /sandbox/v1/clock': DEVELOPER,
  'POST /sandbox/v1/faults': DEVELOPER,
  'POST /sandbox/v1/reset': DEVELOPER,
  'GET /sandbox/v1/webhooks': DEVELOPER,
};
