import type { OperationNotes, Parameter } from '../operation-note.js';

const SESSIONS = 'Sessions';

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  description: '1 to 255 visible ASCII characters. The same key and body within 120 s answer the same session.',
  limits: { minLength: 1, maxLength: 255 },
};

export const LONG_POLL: readonly Parameter[] = [
  { name: 'Prefer', description: '`wait=N` (RFC 7240): the answer waits up to N seconds, at most 30, for a later status.', example: 'wait=25' },
];

const STATUSES = ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const;

export const SINCE: readonly Parameter[] = [
  {
    name: 'since',
    description: 'The status that the caller knows. A long poll waits for a later status. Default: the status when the request arrives.',
    example: 'PENDING',
    limits: { enum: STATUSES },
  },
];

/** `/relying-party/v1` (specification/relying-party.md). */
export const RELYING_PARTY_NOTES: OperationNotes = {
  'POST /relying-party/v1/session': {
    id: 'createSession',
    answer: 'CreatedSession',
    tag: SESSIONS,
    summary: 'Begin a login or a signature',
    errors: ['invalid_scope', 'idempotency_conflict', 'rate_limited'],
    headers: [IDEMPOTENCY_KEY],
  },
  'GET /relying-party/v1/session/{sessionId}/status': {
    id: 'getSession',
    answer: 'SessionState',
    tag: SESSIONS,
    summary: 'Read the status',
    errors: ['session_not_found'],
    headers: LONG_POLL,
    query: SINCE,
  },
  'POST /relying-party/v1/session/{sessionId}/completion': {
    id: 'completeSession',
    answer: 'Completion',
    tag: SESSIONS,
    summary: 'Complete a confirmed login',
    description: 'Answers the address for the browser, with the authorization code in it. Only one call succeeds.',
    errors: ['invalid_request', 'session_not_found', 'session_not_confirmed', 'session_already_completed'],
  },
  'POST /relying-party/v1/session/token': {
    id: 'exchangeToken',
    answer: 'LoginResult',
    tag: SESSIONS,
    summary: 'Exchange the code for the subjectId',
    description: 'RFC 6749 §4.1.3 with PKCE (RFC 7636), as JSON. A code is valid once, within 60 s.',
    errors: ['invalid_grant'],
  },
  'GET /relying-party/v1/session/{sessionId}/result': {
    id: 'getSigningResult',
    answer: 'SigningResult',
    tag: SESSIONS,
    summary: 'Fetch the signed container',
    errors: ['invalid_request', 'session_not_found', 'not_signed'],
  },
  'GET /relying-party/v1/events': {
    id: 'listenToSessions',
    tag: SESSIONS,
    summary: "Follow what happens to the client's sessions",
    description:
      'A stream of server-sent events, for development; `countersign listen` reads it. Offered where `WEBHOOK_LISTENING` is true: else 404. The `data` of an event is a JSON object with `id`, the `webhook-id`, and `body`, the body of the webhook.',
    streams: true,
    errors: ['invalid_request', 'not_found', 'rate_limited'],
    headers: [{ name: 'Last-Event-ID', description: 'The last `id` that the caller got: what it has missed since comes first.' }],
    query: [
      {
        name: 'types',
        description: 'The types to hear of, with commas. Default: those that webhooks announce.',
        example: 'session.completed,session.cancelled',
      },
    ],
  },
  'GET /relying-party/v1/subject-migrations': {
    id: 'listSubjectMigrations',
    answer: 'SubjectMigrations',
    tag: SESSIONS,
    summary: "List the client's accounts whose subjectIds change",
    description: 'Answers accounts while the service rotates its subject key. The client may use each subjectId of the answer from then on.',
    errors: ['invalid_request'],
  },
  'DELETE /relying-party/v1/session/{sessionId}': {
    id: 'withdrawSession',
    tag: SESSIONS,
    summary: 'Withdraw a session',
    errors: ['session_not_found', 'session_not_cancellable'],
  },
  'POST /relying-party/v1/create-signing-request': {
    id: 'createSigningRequest',
    answer: 'CreatedSession',
    tag: SESSIONS,
    summary: 'Begin a pushed signature (legacy)',
    description:
      'Being retired: use POST /relying-party/v1/session with `signature_type: SIGNING`, `subject_id` and `push`. Where it is switched off, 410 `endpoint_retired`.',
    deprecated: true,
    errors: ['endpoint_retired', 'idempotency_conflict', 'rate_limited'],
    headers: [IDEMPOTENCY_KEY],
  },
};
