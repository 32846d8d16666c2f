import { DomainError } from '#kernel';

/** The identity is unknown or erased. */
export class IdentityNotFound extends DomainError {
  readonly code = 'identity_not_found';
}

/** The person is registered already. */
export class IdentityExists extends DomainError {
  readonly code = 'identity_exists';
}

/** One public code for every cause; the reason goes to the log only. */
export class InvalidActivationCode extends DomainError {
  readonly code = 'invalid_activation_code';
}
