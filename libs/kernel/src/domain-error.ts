import type { JsonObject } from './decider.js';

/**
 * A refusal. One public code, one private reason: the code goes to the caller, the reason to the log only,
 * so that a caller cannot distinguish causes that must look alike. HTTP statuses and texts stand in the error catalogue.
 */
export abstract class DomainError extends Error {
  /** The public `errorCode`. */
  abstract readonly code: string;

  constructor(
    /** For the log. Never holds a secret or a personal datum. */
    readonly reason: string,
    /** Text for the caller beyond the code, for instance the name of the field. */
    readonly detail?: string,
    /** The envelope's `payload`. */
    readonly payload?: JsonObject,
  ) {
    super(reason);
    this.name = new.target.name;
  }
}

/** The superclass of a refusal that is its code alone: `class SessionNotFound extends domainError('session_not_found') {}`. */
export const domainError = <Code extends string>(code: Code) =>
  class extends DomainError {
    readonly code = code;
  };

/** The request breaks a rule of the interface; `detail` names the field and the remedy. */
export class InvalidRequest extends DomainError {
  readonly code = 'invalid_request';

  constructor(detail: string, reason = detail, payload?: JsonObject) {
    super(reason, detail, payload);
  }
}

/** A dependency of the request is unavailable: nothing was done, or the outcome is unknown. The caller repeats the request later. */
export class ServiceUnavailable extends DomainError {
  readonly code = 'service_unavailable';
}
