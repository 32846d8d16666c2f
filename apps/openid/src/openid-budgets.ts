import type { RouteBudgets } from '#service/http';

const FROM_MEMORY = { because: 'a document from memory' };
const RIGHT_CREDENTIALS = 'right credentials of a client are never throttled';
const ACCESS_TOKEN = { because: 'it needs an access token, which lives for minutes; refused ones are counted by caller' };

/**
 * Calls of one address in a minute. The callers show no credential, and each call may lead to a session once the login page claims it. Many people share the address of an
 * office.
 */
const AUTHORIZE = { principal: 300 };

/** The routes of the provider (specification/conventions.md#budgets-of-routes). */
export const OPENID_BUDGETS: RouteBudgets = {
  'GET /openid/.well-known/openid-configuration': FROM_MEMORY,
  'GET /.well-known/oauth-authorization-server/openid': FROM_MEMORY,
  'GET /openid/jwks': FROM_MEMORY,
  'POST /openid/par': { because: `${RIGHT_CREDENTIALS}; a call begins one session` },
  'GET /openid/authorize': AUTHORIZE,
  'POST /openid/authorize': AUTHORIZE,
  'POST /openid/bc-authorize': { because: `${RIGHT_CREDENTIALS}; a call begins one session, and pushes to one person are limited` },
  'POST /openid/token': { because: `${RIGHT_CREDENTIALS}; a code names its session, and works once; polls are told to slow down` },
  'GET /openid/userinfo': ACCESS_TOKEN,
  'POST /openid/userinfo': ACCESS_TOKEN,
};
