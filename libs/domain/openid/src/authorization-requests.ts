import type { SubjectId } from '#kernel';
import type { Client } from '#domain/relying-party';

import { type AuthorizationRequest, authorizationRequest, type Parameters } from './domain/authorization-request.js';
import { type BackchannelRequest, backchannelRequest } from './domain/backchannel-request.js';
import { OAuthError } from './domain/oauth-error.js';
import type { IdTokens } from './keys/id-tokens.js';

/** Reads the request for a login, from the client or from a browser. */
export class AuthorizationRequests {
  constructor(private readonly idTokens: Pick<IdTokens, 'subjectOf'>) {}

  /** Throws {@link OAuthError}. The redirect URI is registered for the client. */
  async read(given: Parameters, redirectUri: string, client: Client): Promise<AuthorizationRequest> {
    return authorizationRequest(given, redirectUri, client, await this.#hinted(given, client));
  }

  /** The same of a login without a browser. */
  async readBackchannel(given: Parameters, client: Client): Promise<BackchannelRequest> {
    return backchannelRequest(given, client, await this.#hinted(given, client));
  }

  async #hinted({ id_token_hint: hint }: Parameters, { clientId }: Client): Promise<SubjectId | undefined> {
    if (hint === undefined) return undefined;
    const subject = await this.idTokens.subjectOf(hint, clientId);
    if (subject === undefined) throw new OAuthError('invalid_request', 'id_token_hint is no ID token of this client');
    return subject;
  }
}

/** The redirect URI of the request, if the client has registered exactly this one. */
export const registeredRedirectUri = ({ redirect_uri: uri }: Parameters, { redirectUris }: Client): string | undefined =>
  redirectUris.find((registered) => registered === uri);
