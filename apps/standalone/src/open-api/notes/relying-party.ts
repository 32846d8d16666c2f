import type { OperationNotes, Parameter } from '../operation-note.js';
import type { Fields } from '../schema.js';
import { NEXT } from './next-page.js';

const SESSIONS = 'Sessions';

/** As it is with the default `DEMO_PORT`. A service with another one serves its own. */
export const DEMO_REDIRECT_URI = 'http://localhost:3001/callback';

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

export const PUSH_STATUSES = ['NOT_REQUESTED', 'DISPATCHED', 'NO_DEVICE'] as const;

const CREATED: Fields = {
  sessionId: 'uuid',
  expiresAt: 'seconds',
  pushStatus: PUSH_STATUSES,
  'qrMode?': 'string: `DYNAMIC`, beside qrSecret: a code without a frame is refused with `invalid_qr`.',
  'qrSecret?': 'string: Only for a client with dynamic QR codes, without hosted_page: the key for the frames of the code. Base64url, 256 bits.',
  'verificationCode?':
    'string: Only for a pushed session of a client with verification codes, without hosted_page: two digits that the waiting page shows.',
  'handoffToken?': 'string: Only with hosted_page. Redirect the browser to {login_url}/?t=<handoffToken> within 60 s.',
};

export const STATUS: Fields = {
  status: STATUSES,
  'expiresAt?': 'seconds: Epoch seconds; only while the session is open.',
};

/** `/relying-party/v1` (specification/relying-party.md). */
export const RELYING_PARTY_NOTES: OperationNotes = {
  'POST /relying-party/v1/session': {
    tag: SESSIONS,
    summary: 'Begin a login or a signature',
    answer: CREATED,
    errors: ['invalid_scope', 'idempotency_conflict', 'rate_limited'],
    headers: [IDEMPOTENCY_KEY],
  },
  'GET /relying-party/v1/session/{sessionId}/status': {
    tag: SESSIONS,
    summary: 'Read the status',
    answer: STATUS,
    errors: ['session_not_found'],
    headers: LONG_POLL,
    query: SINCE,
  },
  'POST /relying-party/v1/session/{sessionId}/completion': {
    tag: SESSIONS,
    summary: 'Complete a confirmed login',
    description: 'Answers the address for the browser, with the authorization code in it. Only one call succeeds.',
    answer: { redirect: 'uri' },
    errors: ['invalid_request', 'session_not_found', 'session_not_confirmed', 'session_already_completed'],
  },
  'POST /relying-party/v1/session/token': {
    tag: SESSIONS,
    summary: 'Exchange the code for the subjectId',
    description: 'RFC 6749 §4.1.3 with PKCE (RFC 7636), as JSON. A code is valid once, within 60 s.',
    answer: {
      subjectId: 'uuid: Stable for this person at this client.',
      'attributes?': {},
      'predicates?': {},
    },
    errors: ['invalid_grant'],
  },
  'GET /relying-party/v1/session/{sessionId}/result': {
    tag: SESSIONS,
    summary: 'Fetch the signed container',
    answer: {
      container: 'base64: ASiC-E without the data. The client adds the data to complete it.',
      'signedDataHash?': 'string: SHA-512, lower-case hex. Only for one document.',
      'signedDataName?': 'string',
      'documents?': [{ name: 'string', hash: 'string: SHA-512, lower-case hex.' }],
      signingTime: 'seconds',
      name: 'string',
      personalCode: 'string',
      'dateOfBirth?': 'date',
      country: 'string: ISO 3166-1 alpha-2.',
    },
    errors: ['invalid_request', 'session_not_found', 'not_signed'],
  },
  'GET /relying-party/v1/subject-migrations': {
    tag: SESSIONS,
    summary: "List the client's accounts whose subjectIds change",
    description: 'Answers accounts while the service rotates its subject key. The client may use each subjectId of the answer from then on.',
    answer: {
      'changesAt?': 'seconds: From then on logins answer the new values. Absent, like endsAt, while no accounts have to be migrated.',
      'endsAt?': 'seconds: Until then the former values are accepted.',
      subjects: [{ formerSubjectId: 'uuid', subjectId: 'uuid' }],
      ...NEXT,
    },
    errors: ['invalid_request'],
  },
  'DELETE /relying-party/v1/session/{sessionId}': {
    tag: SESSIONS,
    summary: 'Withdraw a session',
    errors: ['session_not_found', 'session_not_cancellable'],
  },
  'POST /relying-party/v1/create-signing-request': {
    tag: SESSIONS,
    summary: 'Begin a pushed signature (legacy)',
    description:
      'Being retired: use POST /relying-party/v1/session with `signature_type: SIGNING`, `subject_id` and `push`. Where it is switched off, 410 `endpoint_retired`.',
    deprecated: true,
    answer: CREATED,
    errors: ['endpoint_retired', 'idempotency_conflict', 'rate_limited'],
    headers: [IDEMPOTENCY_KEY],
  },
};
