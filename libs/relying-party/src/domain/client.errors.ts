import { DomainError } from '#kernel';

export class ClientNotFound extends DomainError {
  readonly code = 'client_not_found';
}

/** Another client bears the name. */
export class NameTaken extends DomainError {
  readonly code = 'name_taken';
}
