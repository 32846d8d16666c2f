import type { OperationNotes, Parameter } from '../operation-note.js';
import { LONG_POLL, SINCE } from './relying-party.js';

const TAG = 'Hosted login page';

const LOGIN_HEADER: Parameter = {
  name: 'X-Service-Login',
  description: 'Always `1`. Pages of other sites cannot send this header.',
  required: true,
  example: '1',
  limits: { enum: ['1'] },
};
const SESSION_ID: Parameter = { name: 'sessionId', description: 'The session that the claim answered.', required: true, limits: { format: 'uuid' } };

/** `/login-ui/v1` (specification/login-ui.md). */
export const LOGIN_UI_NOTES: OperationNotes = {
  'POST /login-ui/v1/session/claim': {
    id: 'claimLogin',
    answer: 'ClaimedLogin',
    tag: TAG,
    summary: 'Claim a handed-over login',
    description: 'Sets the login cookie. With `Prefer: return=representation` it answers the description of the login.',
    errors: ['invalid_handoff'],
    needsNoCredential: true,
    headers: [LOGIN_HEADER],
  },
  'GET /login-ui/v1/session': {
    id: 'getLogin',
    answer: 'LoginDetails',
    tag: TAG,
    summary: 'Describe the claimed login',
    errors: ['no_login_cookie', 'session_superseded'],
    headers: [LOGIN_HEADER],
  },
  'DELETE /login-ui/v1/session': {
    id: 'withdrawLogin',
    tag: TAG,
    summary: 'Cancel the claimed login',
    errors: ['no_login_cookie', 'session_superseded', 'session_not_cancellable'],
    headers: [LOGIN_HEADER],
    query: [SESSION_ID],
  },
  'POST /login-ui/v1/session/push': {
    id: 'pushLogin',
    answer: 'PushedLogin',
    tag: TAG,
    summary: 'Push the claimed login again',
    errors: ['no_login_cookie', 'session_superseded', 'session_already_scanned', 'session_expired'],
    headers: [LOGIN_HEADER],
    query: [SESSION_ID],
  },
  'GET /login-ui/v1/session/status': {
    id: 'getLoginStatus',
    answer: 'LoginState',
    tag: TAG,
    summary: 'Read the status of the claimed login',
    errors: ['no_login_cookie', 'session_superseded'],
    headers: [LOGIN_HEADER, ...LONG_POLL],
    query: [SESSION_ID, ...SINCE],
  },
  'POST /login-ui/v1/session/completion': {
    id: 'completeLogin',
    answer: 'Completion',
    tag: TAG,
    summary: 'Complete the claimed login',
    description:
      'A login that was opened by a link needs the body `{"return_token": "…"}`, with the token that the app has brought back. Any other body is ignored.',
    errors: ['no_login_cookie', 'session_superseded', 'session_not_confirmed', 'session_already_completed', 'return_token_required'],
    headers: [LOGIN_HEADER],
    query: [SESSION_ID],
  },
  'POST /login-ui/v1/session/number': {
    id: 'finishLoginByNumber',
    answer: 'Completion',
    tag: TAG,
    summary: 'Finish the claimed login by a number',
    description:
      'The body is `{"number": "…"}`, the six digits that the phone shows, for a login that was opened by a link and whose client is registered with finish_by_number. There is one try, within 60 s of the confirmation.',
    errors: ['no_login_cookie', 'session_superseded', 'session_not_confirmed', 'session_already_completed', 'return_token_required'],
    headers: [LOGIN_HEADER],
    query: [SESSION_ID],
  },
};
