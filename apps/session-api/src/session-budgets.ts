import type { RouteBudgets } from '#service/http';

/** The interface promises that right credentials of a client are never throttled (specification/conventions.md#rate-limits). The rest says why no call grows dear. */
const RIGHT_CREDENTIALS = 'right credentials of a client are never throttled';
const ONE_SESSION = { because: `${RIGHT_CREDENTIALS}; a call reads one session of the client, which ends within minutes` };

/** The routes of `/relying-party/v1` (specification/conventions.md#budgets-of-routes). */
export const SESSION_BUDGETS: RouteBudgets = {
  'POST /relying-party/v1/session': { because: `${RIGHT_CREDENTIALS}; a call begins one session, and PUSH_LIMIT and PUSH_PERSON_LIMIT count pushes` },
  'DELETE /relying-party/v1/session/:sessionId': ONE_SESSION,
  'GET /relying-party/v1/session/:sessionId/status': ONE_SESSION,
  'GET /relying-party/v1/session/:sessionId/result': ONE_SESSION,
  'POST /relying-party/v1/session/:sessionId/completion': ONE_SESSION,
  'POST /relying-party/v1/session/token': { because: `${RIGHT_CREDENTIALS}; a code names its session, and works once` },
  'POST /relying-party/v1/create-signing-request': { because: `${RIGHT_CREDENTIALS}; a call begins one session, of data of a bounded size` },
  'GET /relying-party/v1/events': {
    because:
      'the client may begin to listen thirty times a minute, and have five listeners at a process; all listeners of a process share one subscription',
  },
  'GET /relying-party/v1/subject-migrations': { because: `${RIGHT_CREDENTIALS}; a page has a bounded number of entries, and is found by an index` },
};
