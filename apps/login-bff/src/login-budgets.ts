import { pageBudgets, type RouteBudgets } from '#service/http';

import { LOGOS } from './serve-logos.js';

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

/**
 * The page under {login_url}, and the logos that it shows. A browser loads a logo once and keeps it for a year, so one address asks for few, also where many people share it; each costs a read of
 * the store.
 */
export const loginPageBudgets = (loginUrl: string): RouteBudgets => ({
  ...pageBudgets(loginUrl),
  [`GET ${new URL(loginUrl).pathname.replace(/\/+$/, '')}${LOGOS}`]: { principal: 1_200 },
});
