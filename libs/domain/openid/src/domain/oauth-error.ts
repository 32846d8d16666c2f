import { DomainError } from '#kernel';

/** The codes of RFC 6749 (4.1.2.1, 5.2), RFC 9101, RFC 9126, RFC 9449, OpenID Connect Core 3.1.2.6 and CIBA Core 11 and 13 that the provider answers. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_dpop_proof'
  | 'invalid_request_object'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'unknown_user_id'
  | 'invalid_binding_message';

/** A refusal in the form of OAuth, whose description the client may read. */
export class OAuthError extends DomainError {
  constructor(
    readonly code: OAuthErrorCode,
    /** ASCII without `"` and `\` (RFC 6749 section 5.2). */
    readonly description: string,
    /** For the log, where the client is told less. */
    reason = description,
  ) {
    super(reason, description);
  }
}

/** The header `DPoP` holds no proof of this call (RFC 9449 section 5). */
export class InvalidDpopProof extends OAuthError {
  constructor(description: string) {
    super('invalid_dpop_proof', description);
  }
}

/** The parameter `request` holds no request that the client has signed (RFC 9101 section 7). */
export class InvalidRequestObject extends OAuthError {
  constructor(description: string) {
    super('invalid_request_object', description);
  }
}

/**
 * The request of a browser that leads to no client: its client or its address is unknown, so nobody is sent anywhere (RFC 6749 section 4.1.2.1).
 */
export class NoRelyingParty extends DomainError {
  readonly code = 'invalid_request';
}
