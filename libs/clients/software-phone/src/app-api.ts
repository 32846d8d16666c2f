import type { Answers, SessionRequest } from '#clients/device';

export type EnrolmentAnswer = Answers['POST /app/v1/device'];
export type DeviceState = Answers['GET /app/v1/device'];
export type PendingSessions = Answers['GET /app/v1/session/pending'];
export type SessionPreview = Answers['GET /app/v1/session/{sessionId}'];
export type ScannedSession = Answers['POST /app/v1/session/{sessionId}/scan'] & Pick<SessionRequest, 'details'>;

/** The answer to an approval, or to a refusal. */
export type SessionOutcome =
  | Answers['POST /app/v1/session/{sessionId}/confirm']
  | (Answers['POST /app/v1/session/{sessionId}/decline'] & Partial<Omit<Answers['POST /app/v1/session/{sessionId}/confirm'], 'status'>>);
