import { DomainError } from '#kernel';

/** The person is no member there. */
export class MemberNotFound extends DomainError {
  readonly code = 'member_not_found';
}

/** No open invitation has this id there. */
export class InvitationNotFound extends DomainError {
  readonly code = 'invitation_not_found';
}

/** The person has no live session of this id. */
export class PortalSessionNotFound extends DomainError {
  readonly code = 'portal_session_not_found';
}

/** The person has no phone of this id. */
export class PortalPhoneNotFound extends DomainError {
  readonly code = 'device_not_found';
}

/** The team would have no owner afterwards, or the staff no member with `security`. */
export class LastOwner extends DomainError {
  readonly code = 'last_owner';

  constructor(ofStaff: boolean) {
    super(
      ofStaff ? 'the last member with security' : 'the last owner of the team',
      ofStaff
        ? 'This is the last member of the staff with the role security. Another one has to join first.'
        : 'This is the last owner of the team. Another one has to join first.',
    );
  }
}
