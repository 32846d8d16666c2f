import { DomainError } from '#kernel';

export class AdminTokenNotFound extends DomainError {
  readonly code = 'admin_token_not_found';
}

/** Another valid token has the name. */
export class AdminTokenNameTaken extends DomainError {
  readonly code = 'name_taken';
}

/** Another administrator has to send the same request before it takes effect. */
export class ApprovalRequired extends DomainError {
  readonly code = 'approval_required';
}
