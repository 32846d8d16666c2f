import { DomainError, domainError } from '#kernel';

export class ClientNotFound extends domainError('client_not_found') {}

/** Another client has the name, or one that looks like it. */
export class NameTaken extends DomainError {
  readonly code = 'name_taken';

  /** The name differs from the other client's, and people would take the one for the other. */
  static lookAlike(): NameTaken {
    return new NameTaken('the name looks like that of another client', "The name looks like another client's name.");
  }
}

/** No such change of the client waits: it was decided, withdrawn or altered. */
export class ChangeNotFound extends domainError('change_not_found') {}

/** The client has no such webhook endpoint. */
export class EndpointNotFound extends domainError('endpoint_not_found') {}

/** Nothing is sent to the endpoint until its receiver has proved that it verifies signatures. */
export class EndpointNotConfirmed extends domainError('endpoint_not_confirmed') {}

/** The client has no such logo. */
export class LogoNotFound extends domainError('logo_not_found') {}
