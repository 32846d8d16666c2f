import type { RouteBudgets } from '#service/http';

/** A client that polls faster than it has to costs itself alone: each call reads the streams of one session of the client. */
const RIGHT_CREDENTIALS = { because: 'right credentials of a client are never throttled, and a call costs the same whatever the client has done' };

/** The routes of `/relying-party/v1` (specification/conventions.md#budgets-of-routes). */
export const SESSION_BUDGETS: RouteBudgets = {
  'POST /relying-party/v1/session': RIGHT_CREDENTIALS,
  'DELETE /relying-party/v1/session/:sessionId': RIGHT_CREDENTIALS,
  'GET /relying-party/v1/session/:sessionId/status': RIGHT_CREDENTIALS,
  'GET /relying-party/v1/session/:sessionId/result': RIGHT_CREDENTIALS,
  'POST /relying-party/v1/session/:sessionId/completion': RIGHT_CREDENTIALS,
  'POST /relying-party/v1/session/token': RIGHT_CREDENTIALS,
  'POST /relying-party/v1/create-signing-request': RIGHT_CREDENTIALS,
  'GET /relying-party/v1/subject-migrations': RIGHT_CREDENTIALS,
};
