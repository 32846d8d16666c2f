import { epochSeconds, type LocatingTokens, type Sealer, type SessionId } from '#kernel';
import type { FindClient } from '#domain/relying-party';

import { InvalidHandoff } from '../domain/session.errors.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import type { ClaimingBrowser, WaitingPages } from '../domain/waiting-pages.js';
import type { AuthorizeLogin } from './authorize-login.js';
import type { PushSession } from './push-session.js';
import type { Session, StartedSession } from '../domain/session.js';
import type { Sessions } from '../repositories/sessions.js';
import type { SealedLoginRequests } from '../sealed-login-requests.js';
import { sessionStream } from '../streams.js';

export interface ClaimedLogin {
  readonly sessionId: SessionId;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly relyingPartyName: string;
  /** Of a pushed login: the code that the page shows (specification/login-ui.md#verification-code). */
  readonly verificationCode?: string;
  readonly session: StartedSession;
  /** The value of the login cookie. */
  readonly cookie: string;
}

export interface ClaimHandoffDependencies {
  readonly sessions: Sessions;
  readonly handoffTokens: LocatingTokens;
  readonly cookies: LocatingTokens;
  readonly authorizeLogin: AuthorizeLogin;
  readonly findClient: FindClient;
  readonly pushSession: PushSession;
  readonly verificationCodes: VerificationCodes;
  readonly waitingPages: WaitingPages;
  readonly sealer: Sealer;
  readonly sealedLoginRequests: Pick<SealedLoginRequests, 'open'>;
}

/** POST claim: the hosted page exchanges the handoff token, once, for the login cookie. */
export class ClaimHandoff {
  constructor(private readonly dependencies: ClaimHandoffDependencies) {}

  /** `olderCookies` are the login cookies that the browser already holds. Throws InvalidHandoff for every cause. */
  async execute(handoffToken: string, olderCookies: readonly string[], browser: ClaimingBrowser): Promise<ClaimedLogin> {
    const { sessionId, session } = await this.#claimed(handoffToken, browser);
    if (session.status !== 'PENDING' || !session.login) throw new InvalidHandoff('no longer pending');
    // Claim first, then supersede: an invalid token must not close the older login (specification/login-ui.md#one-login-per-browser).
    await this.#supersede(olderCookies, sessionId);
    const { clientId, pushStatus, expiresAt } = session.terms;
    if (pushStatus === 'DISPATCHED') await this.dependencies.pushSession.execute(sessionId, session.terms);
    const client = await this.dependencies.findClient.execute(clientId);
    return {
      sessionId,
      expiresAt: epochSeconds(expiresAt),
      relyingPartyName: client?.name ?? '',
      ...(session.terms.verificationCode && { verificationCode: this.dependencies.verificationCodes.shown(sessionId) }),
      session,
      cookie: this.dependencies.cookies.make(sessionId, session.login.eventId),
    };
  }

  async #claimed(handoffToken: string, browser: ClaimingBrowser): Promise<{ readonly sessionId: SessionId; readonly session: Session }> {
    const { sessions, sealedLoginRequests } = this.dependencies;
    const sealed = await sealedLoginRequests.open(handoffToken);
    const sessionId = sealed?.sessionId ?? (await this.#verifiedSessionId(handoffToken));
    const page = this.#waitingPage(sessionId, browser);
    const session = sealed
      ? await sessions.createClaimed(sessionId, sealed.terms, page.sealed)
      : await sessions.handle(sessionId, { type: 'ClaimHandoff', ...page });
    return { sessionId, session };
  }

  #waitingPage(sessionId: SessionId, browser: ClaimingBrowser): { readonly sealed?: string } {
    const { waitingPages, sealer } = this.dependencies;
    const kept = waitingPages.kept(sessionId, browser);
    return kept ? { sealed: sealer.seal(kept, sessionStream(sessionId)) } : {};
  }

  async #verifiedSessionId(handoffToken: string): Promise<SessionId> {
    const claim = this.dependencies.handoffTokens.parse(handoffToken);
    if (!claim) throw new InvalidHandoff('not a handoff token');
    const session = await this.dependencies.sessions.find(claim.id as SessionId);
    if (!session) throw new InvalidHandoff('unknown session');
    if (!this.dependencies.handoffTokens.verify(claim, session.createdEventId)) throw new InvalidHandoff('forged');
    const client = await this.dependencies.findClient.execute(session.terms.clientId);
    if (!client?.enabled) throw new InvalidHandoff('the client is disabled or deleted');
    return claim.id as SessionId;
  }

  async #supersede(olderCookies: readonly string[], sessionId: SessionId): Promise<void> {
    for (const older of await this.dependencies.authorizeLogin.liveLogins(olderCookies))
      if (older.sessionId !== sessionId) await this.dependencies.sessions.handle(older.sessionId, { type: 'SupersedeLogin' });
  }
}
