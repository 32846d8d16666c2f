import type { ClientId, LocatingTokens, Sealer, SessionId } from '#kernel';

import { redirectUrl } from '../domain/redirect.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import { ownSession } from './get-session-status.js';
import { type Sessions, sessionStream } from './sessions.js';

/** POST completion: hands out, once, the redirect that carries the authorization code. */
export class CompleteSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly codes: LocatingTokens,
    private readonly sealer: Sealer,
  ) {}

  /** Throws SessionNotFound, SessionAlreadyCompleted, SessionNotConfirmed, in this order. */
  async execute(sessionId: string, clientId: ClientId): Promise<string> {
    const own = await ownSession(this.sessions, sessionId, clientId);
    return this.complete(own.sessionId);
  }

  /** The same for a caller who has shown the login cookie of this session. */
  async complete(sessionId: SessionId): Promise<string> {
    const session = await this.sessions.handle(sessionId, { type: 'CompleteSession' });
    if (session.status !== 'COMPLETED') throw new Error('a completion ends COMPLETED');
    const { terms, grant } = session;
    const { state } = this.sealer.open<SealedTerms>(terms.sealed, sessionStream(sessionId));
    return redirectUrl(terms.redirectUri ?? '', this.codes.make(sessionId, grant.eventId), state);
  }
}
