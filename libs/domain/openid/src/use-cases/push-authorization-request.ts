import type { Client } from '#domain/relying-party';
import type { CreateSession } from '#domain/session';

import type { Parameters } from '../domain/authorization-request.js';
import { OAuthError } from '../domain/oauth-error.js';
import { REQUEST_URI } from '../domain/request-uri.js';
import { type AuthorizationRequests, registeredRedirectUri } from '../authorization-requests.js';

export interface PushedRequest {
  readonly request_uri: string;
  /** Seconds. */
  readonly expires_in: number;
}

/** POST par (RFC 9126): a session with the hosted page, whose handoff token the `request_uri` carries. */
export class PushAuthorizationRequest {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly createSession: CreateSession,
    /** Of a handoff token, in seconds. */
    private readonly life: number,
  ) {}

  /** Throws OAuthError, and what CreateSession throws. */
  async execute(given: Parameters, client: Client): Promise<PushedRequest> {
    if (given['redirect_uri'] === undefined) throw new OAuthError('invalid_request', 'redirect_uri is required');
    const registered = registeredRedirectUri(given, client);
    if (registered === undefined) throw new OAuthError('invalid_request', 'redirect_uri is not registered for this client');
    const { redirectUri, state, codeChallenge, subjectId, nonce, scope, requested } = await this.requests.read(given, registered, client);
    const { handoffToken = '' } = await this.createSession.execute(
      {
        signatureType: 'AUTHENTICATION',
        hostedPage: true,
        redirectUri,
        state,
        codeChallenge,
        subjectId,
        openid: { scope, ...(nonce !== undefined && { nonce }), ...(requested && { requested }) },
      },
      client,
    );
    return { request_uri: `${REQUEST_URI}${handoffToken}`, expires_in: this.life };
  }
}
