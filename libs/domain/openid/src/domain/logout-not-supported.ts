import { domainError } from '#kernel';

/** The client has no address for logout tokens, or is disabled. */
export class LogoutNotSupported extends domainError('logout_not_supported') {}
