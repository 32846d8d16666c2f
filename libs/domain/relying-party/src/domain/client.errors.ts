import { DomainError } from '#kernel';

export class ClientNotFound extends DomainError {
  readonly code = 'client_not_found';
}

/** Another client has the name, or one that looks like it. */
export class NameTaken extends DomainError {
  readonly code = 'name_taken';

  /** The name differs from the other client's, and people would take the one for the other. */
  static lookAlike(): NameTaken {
    return new NameTaken('the name looks like that of another client', "The name looks like another client's name.");
  }
}

/** No such change of the client waits: it was decided, withdrawn or altered. */
export class ChangeNotFound extends DomainError {
  readonly code = 'change_not_found';
}

/** The client has no such webhook endpoint. */
export class EndpointNotFound extends DomainError {
  readonly code = 'endpoint_not_found';
}

/** The client has no such logo. */
export class LogoNotFound extends DomainError {
  readonly code = 'logo_not_found';
}
