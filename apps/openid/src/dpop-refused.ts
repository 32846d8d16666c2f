import { DomainError } from '#kernel';

/** An access token of the scheme DPoP, or the proof beside it, is refused: 401 at userinfo (RFC 9449 section 7.1). */
export class DpopRefused extends DomainError {
  constructor(
    readonly code: 'invalid_token' | 'invalid_dpop_proof',
    reason: string,
  ) {
    super(reason);
  }
}
