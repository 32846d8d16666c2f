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

/** What an answer of the service says besides its status. */
export interface RefusalDetails {
  /** The field to branch on and to log (specification, "Errors"). Absent where the answer carried no envelope. */
  readonly errorCode?: string | undefined;
  /** The service's `defaultTranslation`: for developers, never for end users. */
  readonly detail?: string | undefined;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  readonly retryable?: boolean;
}

/** The service answered, and the answer is no. */
export abstract class RefusedRequest extends CountersignError {
  readonly errorCode: string | undefined;
  readonly detail: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    { errorCode, detail, retryAfter, retryable = false }: RefusalDetails = {},
  ) {
    super([`HTTP ${status}`, errorCode, detail].filter((part) => part !== undefined).join(' '), { retryable });
    this.errorCode = errorCode;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/** 400 `invalid_request`, `invalid_scope` and whatever else a change of the request could cure. */
export class InvalidRequest extends RefusedRequest {}

/** 400 `invalid_grant`: the code is unknown, expired, used, another client's, or the verifier does not match. Begin a new login. */
export class InvalidGrant extends RefusedRequest {}

/** 401 without an envelope: wrong client_id or client_secret. A matter of configuration, never of repeating. */
export class ClientAuthenticationFailed extends RefusedRequest {}

/** 404 `session_not_found`: unknown, another client's, or no longer kept. */
export class SessionNotFound extends RefusedRequest {}

/** 409: what was asked does not go with what the session has become, or with an earlier use of the idempotency key. */
export class SessionConflict extends RefusedRequest {}

/** 409 `not_signed`: the signer has not signed, or not yet. */
export class NotSigned extends SessionConflict {}

/** 429 `rate_limited`. */
export class RateLimited extends RefusedRequest {}

/** 502, 503 or 504: the service, or what stands before it, cannot answer now. */
export class ServiceUnavailable extends RefusedRequest {}

/** An answer that the interface does not have: a redirect, a broken body, an unforeseen status. */
export class UnexpectedAnswer extends RefusedRequest {}

/** No answer: the connection failed, or the time was up. What the call did at the service is unknown. */
export class ServiceUnreachable extends CountersignError {}

/** The user had not decided when the time given for waiting was up. */
export class WaitTimedOut extends CountersignError {}

export type CallbackFault = 'STATE_MISSING' | 'STATE_DIFFERENT' | 'CODE_MISSING';

/** The browser came back with something that is not the end of this login. The code was not redeemed. */
export class CallbackRefused extends CountersignError {
  constructor(readonly reason: CallbackFault) {
    super(`the callback is refused: ${reason}`);
  }
}
