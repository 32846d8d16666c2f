import { DomainError } from '#kernel';

export class ClientNotFound extends DomainError {
  readonly code = 'client_not_found';
}

/** Another client has the name. */
export class NameTaken extends DomainError {
  readonly code = 'name_taken';
}

/** The client has no such webhook endpoint. */
export class EndpointNotFound extends DomainError {
  readonly code = 'endpoint_not_found';
}

/** The client has no such logo. */
export class LogoNotFound extends DomainError {
  readonly code = 'logo_not_found';
}
