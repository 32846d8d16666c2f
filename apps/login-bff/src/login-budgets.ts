import type { RouteBudgets } from '#service/http';

const COOKIE = { because: 'it needs the cookie of one login, which lives for minutes; refused cookies are counted by caller' };

/** The routes of `/login-ui/v1` (specification/conventions.md#budgets-of-routes). */
export const LOGIN_BUDGETS: RouteBudgets = {
  'POST /login-ui/v1/session/claim': { because: 'a handoff token works once; refused ones are counted by caller' },
  'GET /login-ui/v1/session/status': { because: 'POLL_LIMIT counts them for each login' },
  'GET /login-ui/v1/session': COOKIE,
  'DELETE /login-ui/v1/session': COOKIE,
  'POST /login-ui/v1/session/completion': COOKIE,
  'POST /login-ui/v1/session/number': { because: 'one wrong number ends the way' },
  'POST /login-ui/v1/session/push': { because: 'it counts as a push of the client' },
};
