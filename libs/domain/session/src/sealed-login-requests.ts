import { type ClientId, type Clock, parseId, type Randomness, type Sealer, type SessionId, type SubjectId } from '#kernel';
import { allows, type Client, type FindClient } from '#domain/relying-party';

import { InvalidHandoff } from './domain/session.errors.js';
import { assertSessionRequest, type OpenIdRequest, type SessionRequest } from './domain/session-request.js';
import type { SessionTerms } from './domain/session.events.js';
import { termsOf, textsOf } from './domain/session-terms.js';
import type { Lifetimes } from './domain/lifetimes.js';
import { sessionStream } from './streams.js';

/** A request for a login on the hosted page that no client has authenticated: it came with the browser (RFC 6749 section 4.1.1). */
export interface LoginRequest {
  readonly redirectUri: string;
  readonly state?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly subjectId?: SubjectId | undefined;
  readonly openid: OpenIdRequest;
}

type Sealed = {
  readonly sessionId: SessionId;
  readonly clientId: ClientId;
  /** Epoch milliseconds. */
  readonly until: number;
  readonly redirectUri: string;
  readonly state?: string;
  readonly codeChallenge?: string;
  readonly subjectId?: SubjectId;
  readonly openid: OpenIdRequest;
};

export interface SealedLoginRequestsParts {
  readonly sealer: Sealer;
  readonly findClient: FindClient;
  readonly lifetimes: Pick<Lifetimes, 'session' | 'handoff'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

const CONTEXT = 'login-request';

/**
 * Logins that the browser asks for without the client: nothing is stored for them, since a preview of the link would fill the store. The request itself, sealed, is the
 * handoff token; the claim of the hosted page begins the session, once: the token names it.
 */
export class SealedLoginRequests {
  constructor(private readonly parts: SealedLoginRequestsParts) {}

  /** The handoff token. Throws InvalidRequest. */
  seal(request: LoginRequest, client: Client): string {
    const { sealer, lifetimes, clock, randomness } = this.parts;
    assertSessionRequest(asSession(request), client);
    const { redirectUri, state, codeChallenge, subjectId, openid } = request;
    const sealed: Sealed = {
      sessionId: randomness.uuid<SessionId>(),
      clientId: client.clientId,
      until: clock.now() + lifetimes.handoff,
      redirectUri,
      ...(state !== undefined && { state }),
      ...(codeChallenge !== undefined && { codeChallenge }),
      ...(subjectId !== undefined && { subjectId }),
      openid,
    };
    return sealer.seal(sealed, CONTEXT);
  }

  /** The session that the token begins. Undefined for what is no such token; throws InvalidHandoff for one that is over, or whose client would not get it any more. */
  async open(token: string): Promise<{ readonly sessionId: SessionId; readonly terms: SessionTerms } | undefined> {
    const { sealer, findClient, lifetimes, clock } = this.parts;
    const sealed = this.#opened(token);
    if (!sealed) return undefined;
    const { sessionId, clientId, until } = sealed;
    if (clock.now() >= until) throw new InvalidHandoff('expired');
    const client = await findClient.execute(clientId);
    if (!client?.enabled) throw new InvalidHandoff('the client is disabled or deleted');
    const request = asSession(sealed);
    const { requested } = sealed.openid;
    if (!client.redirectUris.includes(sealed.redirectUri)) throw new InvalidHandoff('the redirect URI is not registered any more');
    if (requested && !allows(client, requested)) throw new InvalidHandoff('the properties are not allowed any more');
    const terms = termsOf({
      request,
      client,
      subjectId: parseId<SubjectId>(sealed.subjectId),
      pushStatus: 'NOT_REQUESTED',
      requested,
      times: { expiresAt: clock.now() + lifetimes.session, handoffExpiresAt: until },
      sealed: sealer.seal(textsOf(request), sessionStream(sessionId)),
    });
    return { sessionId, terms };
  }

  #opened(token: string): Sealed | undefined {
    try {
      return this.parts.sealer.open<Sealed>(token, CONTEXT);
    } catch {
      return undefined;
    }
  }
}

const asSession = ({ redirectUri, state, codeChallenge, subjectId, openid }: LoginRequest): SessionRequest => ({
  signatureType: 'AUTHENTICATION',
  hostedPage: true,
  redirectUri,
  state,
  codeChallenge,
  subjectId,
  openid,
});
