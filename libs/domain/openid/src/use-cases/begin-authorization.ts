import { type ClientId, parseId } from '#kernel';
import type { Client, FindClient } from '#domain/relying-party';
import { type FindPushedLogin, redirectUrl, type SealedLoginRequests } from '#domain/session';

import type { Parameters } from '../domain/authorization-request.js';
import { NoRelyingParty, OAuthError } from '../domain/oauth-error.js';
import { REQUEST_URI } from '../domain/request-uri.js';
import { type AuthorizationRequests, registeredRedirectUri } from '../authorization-requests.js';

/** Characters: the token stands in the address of the login page, and servers take addresses of eight thousand. */
const LONGEST_TOKEN = 6_000;

export interface BeginAuthorizationParts {
  readonly requests: AuthorizationRequests;
  readonly findClient: Pick<FindClient, 'execute'>;
  readonly findPushedLogin: FindPushedLogin;
  readonly sealedLoginRequests: SealedLoginRequests;
  readonly issuer: string;
  readonly loginUrl: string;
}

/** GET and POST authorize: sends the browser to the login page, or back to the client with an error. Nothing is stored, whatever the request. */
export class BeginAuthorization {
  constructor(private readonly parts: BeginAuthorizationParts) {}

  /** The address for the browser. Throws NoRelyingParty where the request leads to no client. */
  async execute(given: Parameters): Promise<string> {
    const client = await this.#client(given['client_id']);
    const requestUri = given['request_uri'];
    if (requestUri?.startsWith(REQUEST_URI)) return this.#pushed(requestUri.slice(REQUEST_URI.length), client);
    const redirectUri = registeredRedirectUri(given, client);
    if (redirectUri === undefined) throw new NoRelyingParty('redirect_uri is not registered for this client');
    try {
      return await this.#plain(given, redirectUri, client);
    } catch (refusal) {
      if (!(refusal instanceof OAuthError)) throw refusal;
      const { code: error, description } = refusal;
      return redirectUrl(redirectUri, { error, error_description: description, state: stateIn(given), iss: this.parts.issuer });
    }
  }

  async #client(id: string | undefined): Promise<Client> {
    const clientId = parseId<ClientId>(id);
    const client = clientId && (await this.parts.findClient.execute(clientId));
    if (!client?.enabled) throw new NoRelyingParty('client_id is not that of a client');
    return client;
  }

  async #pushed(handoffToken: string, { clientId }: Client): Promise<string> {
    const isOpen = await this.parts.findPushedLogin.execute(handoffToken, clientId);
    if (!isOpen) throw new NoRelyingParty('request_uri is unknown, used, over or of another client');
    return this.#page(handoffToken);
  }

  async #plain(given: Parameters, redirectUri: string, client: Client): Promise<string> {
    const request = await this.parts.requests.read(given, redirectUri, client);
    if (client.requirePushedAuthorizationRequests ?? true) throw new OAuthError('invalid_request', 'this client has to push its requests');
    const token = this.parts.sealedLoginRequests.seal(request, client);
    if (token.length > LONGEST_TOKEN) throw new OAuthError('invalid_request', 'the request is too long for an address: push it');
    return this.#page(token);
  }

  #page(token: string): string {
    return `${this.parts.loginUrl.replace(/\/+$/, '')}/?t=${encodeURIComponent(token)}`;
  }
}

/** Answered with an error, unless the request was refused for it. */
const stateIn = ({ state }: Parameters): string | undefined => (state !== undefined && state.isWellFormed() ? state : undefined);
