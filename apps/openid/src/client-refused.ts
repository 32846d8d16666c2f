import { OAuthError } from '#domain/openid';

/** The client is unknown or its credentials are wrong: 401 whatever the number of failures (RFC 6749 section 5.2). */
export class ClientRefused extends OAuthError {
  constructor(
    reason: string,
    /** The scheme of the header `Authorization` that the client has sent. */
    readonly scheme: 'Basic' | undefined,
    /** Seconds; beyond the limit of failures. */
    readonly retryAfter: number | undefined,
  ) {
    super('invalid_client', reason);
  }
}
