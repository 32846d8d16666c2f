import type { ErrorCode } from './answers.js';

/** Everything that the client throws about a login or a signing, so that one `catch` can tell it from a bug. */
export abstract class CountersignError extends Error {
  /** Whether the same call may be made again: it is safe, and it may succeed. */
  readonly retryable: boolean;

  constructor(message: string, options: { readonly retryable?: boolean; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = new.target.name;
    this.retryable = options.retryable ?? false;
  }
}

/** What the message of an error may repeat of an answer: a code, and no text that a gateway put in its place. */
const CODE = /^[a-z][a-z_]{0,63}$/;

/** The parts of a refusal besides its status. */
export interface RefusalDetails {
  /** The field to branch on and to log (specification/conventions.md#error-envelope). Absent where the answer carried no envelope. */
  readonly errorCode?: string | undefined;
  /** The service's `defaultTranslation`: for developers, never for end users. */
  readonly detail?: string | undefined;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  readonly retryable?: boolean;
}

/**
 * The service refused the call.
 *
 * Web frameworks turn an error that is not caught into an answer: Express, Fastify and Nest take `status`, `statusCode`, `headers` and
 * `expose` of it, and Fastify sends its `message`. So these have other names here and the message holds no more than the code of the error:
 * your server's answer stays a plain 500. The stack ends with the detail: it is what loggers write, and some write nothing else.
 */
export abstract class RefusedRequest extends CountersignError {
  /** A code that this version knows, or one of a newer service. */
  readonly errorCode: ErrorCode | (string & Record<never, never>) | undefined;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    /** The HTTP status of the service's answer. */
    readonly httpStatus: number,
    { errorCode, detail, retryAfter, retryable = false }: RefusalDetails = {},
  ) {
    super(`the login service refused the call: ${CODE.test(errorCode ?? '') ? errorCode : `HTTP ${httpStatus}`}`, { retryable });
    this.errorCode = errorCode;
    this.detail = detail;
    this.retryAfter = retryAfter;
    if (detail !== undefined) this.stack = `${this.stack ?? ''}\n    detail: ${JSON.stringify(detail.slice(0, LONGEST_DETAIL))}`;
  }
}

/** Characters of the service's text in a stack. */
const LONGEST_DETAIL = 500;

/** 400 `invalid_request`, `invalid_scope` and every other error that a changed request could avoid. */
export class InvalidRequest extends RefusedRequest {}

/** 400 `invalid_grant`: the code is unknown, expired, used, another client's, or the verifier does not match. Begin a new login. */
export class InvalidGrant extends RefusedRequest {}

/** 401 without an envelope: wrong client_id or client_secret. The configuration is wrong; a repetition does not help. */
export class ClientAuthenticationFailed extends RefusedRequest {}

/** 404 `session_not_found`: unknown, another client's, or no longer kept. */
export class SessionNotFound extends RefusedRequest {}

/** 409: the call does not fit the session's status, or an earlier use of the idempotency key. */
export class SessionConflict extends RefusedRequest {}

/** 409 `not_signed`: the signer has not signed, or not yet. */
export class NotSigned extends SessionConflict {}

/** 429 `rate_limited`. */
export class RateLimited extends RefusedRequest {}

/** 502, 503 or 504: the service, or a gateway in front of it, cannot answer now. */
export class ServiceUnavailable extends RefusedRequest {}

/** An answer that the interface does not have: a redirect, a broken body, an unforeseen status. */
export class UnexpectedAnswer extends RefusedRequest {}

/** No answer: the connection failed, or the time was up. The call may have taken effect. */
export class ServiceUnreachable extends CountersignError {}

/** The user had not decided when the time given for waiting was up. */
export class WaitTimedOut extends CountersignError {}

export type CallbackFault = 'STATE_MISSING' | 'STATE_DIFFERENT' | 'CODE_MISSING';

/** The callback does not belong to this login. The code was not redeemed. */
export class CallbackRefused extends CountersignError {
  constructor(readonly reason: CallbackFault) {
    super(`the callback is refused: ${reason}`);
  }
}
