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

interface Claimed {
  readonly sessionId: SessionId;
  readonly session: Session;
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

/**
 * POST claim: the hosted page exchanges the handoff token, once, for the login cookie. A browser that holds the cookie may bring the token of a login of OpenID Connect again: a
 * `request_uri` ends with the approval, and not when its page is loaded (FAPI 2.0 Security Profile section 5.3.2.2).
 */
export class ClaimHandoff {
  constructor(private readonly dependencies: ClaimHandoffDependencies) {}

  /** `olderCookies` are the login cookies that the browser already holds. Throws InvalidHandoff for every cause. */
  async execute(handoffToken: string, olderCookies: readonly string[], browser: ClaimingBrowser): Promise<ClaimedLogin> {
    const { sessionId, session } = await this.#claimed(handoffToken, olderCookies, browser);
    if ((session.status !== 'PENDING' && session.status !== 'SCANNED') || !session.login) throw new InvalidHandoff('no longer pending');
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

  async #claimed(handoffToken: string, cookies: readonly string[], browser: ClaimingBrowser): Promise<Claimed> {
    const { sessions, sealedLoginRequests } = this.dependencies;
    const sealed = await sealedLoginRequests.open(handoffToken);
    if (sealed) {
      const { sessionId, terms } = sealed;
      return { sessionId, session: await sessions.createClaimed(sessionId, terms, this.#waitingPage(sessionId, browser).sealed) };
    }
    const found = await this.#verified(handoffToken);
    if (this.#isLoadedAnew(found, cookies)) return found;
    const { sessionId } = found;
    return { sessionId, session: await sessions.handle(sessionId, { type: 'ClaimHandoff', ...this.#waitingPage(sessionId, browser) }) };
  }

  #isLoadedAnew({ sessionId, session }: Claimed, cookies: readonly string[]): boolean {
    if (session.status === 'NONE' || session.terms.issuer !== true || !session.login || session.login.superseded) return false;
    const { eventId } = session.login;
    return cookies.some((cookie) => {
      const claim = this.dependencies.cookies.parse(cookie);
      return claim?.id === sessionId && this.dependencies.cookies.verify(claim, eventId);
    });
  }

  #waitingPage(sessionId: SessionId, browser: ClaimingBrowser): { readonly sealed?: string } {
    const { waitingPages, sealer } = this.dependencies;
    const kept = waitingPages.kept(sessionId, browser);
    return kept ? { sealed: sealer.seal(kept, sessionStream(sessionId)) } : {};
  }

  async #verified(handoffToken: string): Promise<Claimed> {
    const claim = this.dependencies.handoffTokens.parse(handoffToken);
    if (!claim) throw new InvalidHandoff('not a handoff token');
    const session = await this.dependencies.sessions.find(claim.id as SessionId);
    if (!session) throw new InvalidHandoff('unknown session');
    if (!this.dependencies.handoffTokens.verify(claim, session.createdEventId)) throw new InvalidHandoff('forged');
    const client = await this.dependencies.findClient.execute(session.terms.clientId);
    if (!client?.enabled) throw new InvalidHandoff('the client is disabled or deleted');
    return { sessionId: claim.id as SessionId, session };
  }

  async #supersede(olderCookies: readonly string[], sessionId: SessionId): Promise<void> {
    for (const older of await this.dependencies.authorizeLogin.liveLogins(olderCookies))
      if (older.sessionId !== sessionId) await this.dependencies.sessions.handle(older.sessionId, { type: 'SupersedeLogin' });
  }
}
