import { DomainError } from '#kernel';

/** The person is no member there. */
export class MemberNotFound extends DomainError {
  readonly code = 'member_not_found';
}

/** No open invitation has this id there. */
export class InvitationNotFound extends DomainError {
  readonly code = 'invitation_not_found';
}
