import { DomainError, domainError } from '#kernel';

/** Unknown, another client's, or no longer kept; the answer does not distinguish them. */
export class SessionNotFound extends domainError('session_not_found') {}

export class SessionAlreadyCompleted extends domainError('session_already_completed') {}

export class SessionNotConfirmed extends domainError('session_not_confirmed') {}

export class SessionNotCancellable extends domainError('session_not_cancellable') {}

/** One code for every cause (RFC 6749 section 5.2); only the log holds the reason. */
export class InvalidGrant extends domainError('invalid_grant') {}

/** The tokens of a login without a browser are refused for good, though its request was this client's. One code for every cause; only the log holds the reason. */
export class LoginDenied extends DomainError {
  readonly code = 'access_denied';
}

/** The time to ask for the tokens is up. */
export class LoginExpired extends DomainError {
  readonly code = 'expired_token';
}

/** No phone of the person can be reached: unknown, erased, without a phone, or a person who has blocked the client. The causes are not told apart. */
export class PersonNotReached extends DomainError {
  readonly code = 'unknown_user_id';
}

export class InvalidScope extends domainError('invalid_scope') {}

/** One code for every cause; only the log holds the reason. */
export class InvalidHandoff extends domainError('invalid_handoff') {}

export class NoLoginCookie extends domainError('no_login_cookie') {}

export class SessionSuperseded extends domainError('session_superseded') {}

/** The login was opened by a link, and the browser that completes it is not the one to which the phone returned. */
export class ReturnTokenRequired extends domainError('return_token_required') {}

export class SessionAlreadyScanned extends domainError('session_already_scanned') {}

export class SessionNotScanned extends domainError('session_not_scanned') {}

/** The code changes each second, and the scanned frame is missing, forged or not the one of now. */
export class InvalidQr extends domainError('invalid_qr') {}

export class SubjectNotAllowed extends domainError('subject_not_allowed') {}

/** Another code was chosen on the phone than the waiting page shows. The session is cancelled. */
export class WrongVerificationCode extends domainError('wrong_verification_code') {}

/** The session is EXPIRED or CANCELLED. */
export class SessionEnded extends DomainError {
  readonly code = 'session_expired';

  /** `why`: told to the person whose phone had taken the session. */
  constructor(reason: string, why?: 'DEVICE_REVOKED') {
    super(reason, undefined, why && { reason: why });
  }
}

export class InvalidSignature extends domainError('invalid_signature') {}

/** The session asks for an approval of a change in words, and the phone did not say that it shows them. */
export class DetailsNotShown extends domainError('details_not_shown') {}

export class IdempotencyConflict extends domainError('idempotency_conflict') {}

export class NotSigned extends domainError('not_signed') {}
