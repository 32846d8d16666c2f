import { DomainError } from '#kernel';

export class AdminTokenNotFound extends DomainError {
  readonly code = 'admin_token_not_found';
}

/** Another valid token has the name. */
export class AdminTokenNameTaken extends DomainError {
  readonly code = 'name_taken';
}

/** Another person has to send and approve the same request before it takes effect. */
export class ApprovalRequired extends DomainError {
  readonly code = 'approval_required';
}

/** Unknown, over, used, or of another session of the portal; the answer does not distinguish them. */
export class ApprovalNotFound extends DomainError {
  readonly code = 'approval_not_found';
}

/** The person has not approved it on the phone yet. */
export class ApprovalNotSigned extends DomainError {
  readonly code = 'approval_not_signed';
}

/** The person has declined it on the phone, or its time is over. */
export class ApprovalOver extends DomainError {
  readonly code = 'session_expired';
}

/** What the change touches is not what it was when the person approved it. */
export class ApprovalOutdated extends DomainError {
  readonly code = 'approval_outdated';
}

/** The sender was let in, and would not be any more: the session, the phone, the person or the token has ended meanwhile. */
export class AuthorityEnded extends DomainError {
  readonly code = 'unauthorized';
}

/** The sender was let in with a right that is gone meanwhile. */
export class AuthorityReduced extends DomainError {
  readonly code = 'forbidden';
}

/** The phone that has approved may not act in the portal yet. */
export class PhoneNotTrusted extends DomainError {
  readonly code = 'forbidden';

  constructor() {
    super('the approving phone may not act in the portal', 'This phone may not log in to the portal yet, so it approves nothing.');
  }
}
