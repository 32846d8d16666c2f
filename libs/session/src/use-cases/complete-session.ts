import { type ClientId, InvalidRequest, type LocatingTokens, type Sealer, type SessionId } from '#kernel';

import { redirectUrl } from '../domain/redirect.js';
import { linkScanOf } from '../domain/session.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import { ownSession } from '../repositories/own-session.js';
import type { LoadedSession } from '../repositories/loaded-session.js';
import { type Sessions, sessionStream } from '../repositories/sessions.js';
import type { LiveLogin } from './authorize-login.js';

/**
 * POST completion: answers the redirect once, for a login with the authorization code, for a hosted signature with the
 * state alone (specification/sessions.md#completion-of-a-signing-session).
 */
export class CompleteSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly codes: LocatingTokens,
    private readonly returnTokens: LocatingTokens,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Throws SessionNotFound, SessionAlreadyCompleted, SessionNotConfirmed, in this order; InvalidRequest for a signature
   * without hosted page, which has no redirect.
   */
  async execute(sessionId: string, clientId: ClientId): Promise<string> {
    const own = await ownSession(this.sessions, sessionId, clientId);
    if (own.session.terms.redirectUri === undefined)
      throw new InvalidRequest('a SIGNING session without `hosted_page` has no completion; fetch its result');
    return this.#complete(own.sessionId, {}, own.loaded);
  }

  /**
   * The same for the browser that holds the session's login cookie, with the return token that it brings, if any. Throws ReturnTokenRequired
   * when the login was opened by a link and the token is missing or another one (specification/login-ui.md#logins-opened-by-a-link).
   */
  async completeLogin({ sessionId, session }: LiveLogin, returnToken: unknown): Promise<string> {
    const scan = linkScanOf(session);
    const claim = typeof returnToken === 'string' ? this.returnTokens.parse(returnToken) : undefined;
    const returned = scan !== undefined && claim?.id === sessionId && this.returnTokens.verify(claim, scan.eventId);
    return this.#complete(sessionId, { returned });
  }

  /** `read`: the session as the request has read it, if it has. */
  async #complete(sessionId: SessionId, browser: { readonly returned?: boolean }, read?: LoadedSession): Promise<string> {
    const session = await this.sessions.handle(sessionId, { type: 'CompleteSession', ...browser }, read);
    if (session.status !== 'COMPLETED') throw new Error('a completed session has the status COMPLETED');
    const { terms } = session;
    const code = 'grant' in session ? this.codes.make(sessionId, session.grant.eventId) : undefined;
    const { state } = this.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId));
    return redirectUrl(terms.redirectUri ?? '', { code, state });
  }
}
