import type { JsonObject } from './decider.js';

/**
 * A refusal. One public code, one private reason: the code goes to the caller, the reason to the log only,
 * so that causes which must not be told apart are not. HTTP statuses and texts stand in the error catalogue.
 */
export abstract class DomainError extends Error {
  /** The public `errorCode`. */
  abstract readonly code: string;

  constructor(
    /** For the log. Never holds a secret or a personal datum. */
    readonly reason: string,
    /** What the caller may know beyond the code, for instance the name of the field. */
    readonly detail?: string,
    /** The envelope's `payload`. */
    readonly payload?: JsonObject,
  ) {
    super(reason);
    this.name = new.target.name;
  }
}

/** The request breaks a rule of the interface; `detail` names the field and what to do. */
export class InvalidRequest extends DomainError {
  readonly code = 'invalid_request';

  constructor(detail: string, reason = detail) {
    super(reason, detail);
  }
}

/** Something that the answer depends on is away: nothing was done, or nobody can tell; the caller repeats later. */
export class ServiceUnavailable extends DomainError {
  readonly code = 'service_unavailable';
}
