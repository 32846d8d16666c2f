// Generated from docs/openapi.json: npm run docs:generate

/** The answers of `/relying-party/v1`, by operation. */
export interface Answers {
  /** Begin a login or a signature */
  'POST /relying-party/v1/session': CreatedSession;
  /** Begin a pushed signature (legacy) */
  'POST /relying-party/v1/create-signing-request': CreatedSession;
  /** Exchange the code for the subjectId */
  'POST /relying-party/v1/session/token': LoginResult;
  /** Read the status */
  'GET /relying-party/v1/session/{sessionId}/status': SessionState;
  /** Fetch the signed container */
  'GET /relying-party/v1/session/{sessionId}/result': SigningResult;
  /** Complete a confirmed login */
  'POST /relying-party/v1/session/{sessionId}/completion': Completion;
  /** List the client's accounts whose subjectIds change */
  'GET /relying-party/v1/subject-migrations': SubjectMigrations;
}

export interface CreatedSession {
  readonly sessionId: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly pushStatus: PushStatus;
  /** Only for a client with dynamic QR codes, without hosted_page: a code without a frame is refused with `invalid_qr`. */
  readonly qrMode?: QrMode;
  /** Beside qrMode: the key for the frames of the code. Base64url, 256 bits. */
  readonly qrSecret?: string;
  /** Only for a pushed session of a client with verification codes, without hosted_page: two digits that the waiting page shows. */
  readonly verificationCode?: string;
  /** Only with hosted_page. Redirect the browser to `{login_url}/?t=<handoffToken>` within 60 s. */
  readonly handoffToken?: string;
}

export type PushStatus = 'DISPATCHED' | 'NOT_REQUESTED' | 'NO_DEVICE';

export type QrMode = 'DYNAMIC';

export interface LoginResult {
  /** Always the same for one person at one client, and unrelated to the value that any other client gets. */
  readonly subjectId: string;
  /** Only of a session with `evidence`: a JWS of the service over what the phone has signed. Keep it as proof of the login. */
  readonly evidence?: string;
  /** The requested attributes that have a value. Absent when no properties were requested. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The answer to each requested predicate; false where the datum is missing. Absent when no properties were requested. */
  readonly predicates?: Readonly<Record<string, boolean>>;
}

export interface SessionState {
  readonly status: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
}

export type SessionStatus = 'CANCELLED' | 'COMPLETED' | 'CONFIRMED' | 'EXPIRED' | 'PENDING' | 'SCANNED';

export interface SigningResult {
  /** Base64. ASiC-E without the data. The client adds the data to complete it. */
  readonly container: string;
  /** SHA-512, lower-case hex. Only for one document. */
  readonly signedDataHash?: string;
  readonly signedDataName?: string;
  /** Only for documents that the client gave as a list. */
  readonly documents?: readonly SignedDocument[];
  /** Epoch seconds. */
  readonly signingTime: number;
  /** For convenience, as the fields after it: only the certificate inside the container is binding. */
  readonly name: string;
  readonly personalCode: string;
  /** Absent where the service knows none, or only a part of it. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export interface SignedDocument {
  readonly name: string;
  /** SHA-512, lower-case hex. */
  readonly hash: string;
}

export interface Completion {
  /** The address for the browser: of a login with the authorization code in it. */
  readonly redirect: string;
}

export interface SubjectMigrations {
  /** From then on logins answer the new values. Epoch seconds. Absent, like endsAt, while no accounts have to be migrated. */
  readonly changesAt?: number;
  /** Until then the former values are accepted. Epoch seconds. */
  readonly endsAt?: number;
  readonly subjects: readonly SubjectMigration[];
  /** The value of `after` that returns the next page. Absent on the last page. */
  readonly next?: string;
}

export interface SubjectMigration {
  readonly formerSubjectId: string;
  readonly subjectId: string;
}

export type ErrorCode =
  | 'endpoint_retired'
  | 'idempotency_conflict'
  | 'internal_error'
  | 'invalid_grant'
  | 'invalid_request'
  | 'invalid_scope'
  | 'not_found'
  | 'not_signed'
  | 'rate_limited'
  | 'service_unavailable'
  | 'session_already_completed'
  | 'session_not_cancellable'
  | 'session_not_confirmed'
  | 'session_not_found';
