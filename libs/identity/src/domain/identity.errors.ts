import { DomainError } from '#kernel';

/** Unknown, or erased. */
export class IdentityNotFound extends DomainError {
  readonly code = 'identity_not_found';
}

/** The person is registered already. */
export class IdentityExists extends DomainError {
  readonly code = 'identity_exists';
}

/** One public answer, whatever is wrong with the code. */
export class InvalidActivationCode extends DomainError {
  readonly code = 'invalid_activation_code';
}
