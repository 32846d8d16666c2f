import { DomainError, domainError } from '#kernel';

/** The identity is unknown or erased. */
export class IdentityNotFound extends domainError('identity_not_found') {}

/** The person is registered already. */
export class IdentityExists extends domainError('identity_exists') {}

/** The person is a member of the portal, and the sender of the request lacks the role `security`. */
export class SecurityRequired extends DomainError {
  readonly code = 'forbidden';

  constructor() {
    super(
      'the person is a member of the portal',
      'This person is a member of the portal: an administrator with the role security has to issue the code.',
    );
  }
}

/** One public code for every cause; the reason goes to the log only. */
export class InvalidActivationCode extends domainError('invalid_activation_code') {}
