import { type ClientId, InvalidRequest, type LocatingTokens, type Sealer, type SessionId } from '#kernel';

import { redirectUrl } from '../domain/redirect.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import { ownSession } from './get-session-status.js';
import { type Sessions, sessionStream } from './sessions.js';

/**
 * POST completion: hands out, once, the redirect: of a login with the authorization code, of a hosted signature with
 * the state alone (api-extensions 1.3).
 */
export class CompleteSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly codes: LocatingTokens,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Throws SessionNotFound, SessionAlreadyCompleted, SessionNotConfirmed, in this order; InvalidRequest for a signature
   * without hosted page, which has no redirect.
   */
  async execute(sessionId: string, clientId: ClientId): Promise<string> {
    const own = await ownSession(this.sessions, sessionId, clientId);
    if (own.terms.redirectUri === undefined) throw new InvalidRequest('a SIGNING session without `hosted_page` has no completion; fetch its result');
    return this.complete(own.sessionId);
  }

  /** The same for a caller who has shown the login cookie of this session. */
  async complete(sessionId: SessionId): Promise<string> {
    const session = await this.sessions.handle(sessionId, { type: 'CompleteSession' });
    if (session.status !== 'COMPLETED') throw new Error('a completion ends COMPLETED');
    const { terms } = session;
    const code = 'grant' in session ? this.codes.make(sessionId, session.grant.eventId) : undefined;
    const { state } = this.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId));
    return redirectUrl(terms.redirectUri ?? '', { code, state });
  }
}
