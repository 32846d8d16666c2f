import {
  ClientAuthenticationFailed,
  InvalidGrant,
  InvalidRequest,
  NotSigned,
  RateLimited,
  type RefusalDetails,
  type RefusedRequest,
  ServiceUnavailable,
  SessionConflict,
  SessionNotFound,
  UnexpectedAnswer,
} from './errors.js';

/** A successful answer whose body is not checked yet. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads the answer to its end. Throws the error class of a refusal. */
export const readAnswer = async (response: Response): Promise<Answer> => {
  const body = objectIn(await response.text());
  if (response.status === 204) return { status: 204, headers: response.headers, body: {} };
  if (!response.ok) throw refusal(response, body);
  if (body === undefined) throw new UnexpectedAnswer(response.status, { detail: 'the body is no JSON object' });
  return { status: response.status, headers: response.headers, body };
};

/** A 401 says nothing more. */
const WRONG_CREDENTIALS = 'client_id or client_secret is wrong, or the client is disabled';

/** The status first, since a 401 carries no envelope; then the code (specification/conventions.md#error-codes). */
const refusal = ({ status, headers }: Response, body: Answer['body'] | undefined): RefusedRequest => {
  const details: RefusalDetails = {
    errorCode: textIn(body, 'errorCode'),
    detail: textIn(body, 'defaultTranslation'),
    retryAfter: secondsIn(headers.get('retry-after')),
  };
  if (status === 401) return new ClientAuthenticationFailed(status, { ...details, detail: details.detail ?? WRONG_CREDENTIALS });
  if (status === 429) return new RateLimited(status, { ...details, retryable: true });
  if (status === 502 || status === 503 || status === 504) return new ServiceUnavailable(status, { ...details, retryable: true });
  if (status >= 300 && status < 400) return new UnexpectedAnswer(status, { detail: 'a redirect is not followed: check baseUrl' });
  switch (details.errorCode) {
    case 'invalid_grant':
      return new InvalidGrant(status, details);
    case 'session_not_found':
      return new SessionNotFound(status, details);
    case 'not_signed':
      return new NotSigned(status, details);
    case undefined:
      return new UnexpectedAnswer(status, details);
    default:
      if (status === 409) return new SessionConflict(status, details);
      return status < 500 ? new InvalidRequest(status, details) : new UnexpectedAnswer(status, details);
  }
};

/** Undefined for a text that is no JSON object. */
export const objectIn = (text: string): Answer['body'] | undefined => {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
};

/** Undefined where the member is no text. */
export const textIn = (body: Answer['body'] | undefined, member: string): string | undefined => {
  const value = body?.[member];
  return typeof value === 'string' ? value : undefined;
};

/** RFC 9110 section 10.2.3 also allows a date, which the service does not use. */
export const secondsIn = (header: string | null): number | undefined => (/^\d{1,9}$/.test(header ?? '') ? Number(header) : undefined);
