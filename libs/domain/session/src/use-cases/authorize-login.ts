import { type Clock, InvalidRequest, type LocatingTokens, type SessionId } from '#kernel';

import { endOf, type StartedSession } from '../domain/session.js';
import { NoLoginCookie, SessionSuperseded } from '../domain/session.errors.js';
import type { StatusRecord } from '../status/status-record.js';

/** How long a login cookie outlives its session, in milliseconds (specification/login-ui.md#login-cookie). */
const COOKIE_GRACE = 60_000;

export interface LiveLogin<Found = StartedSession> {
  readonly sessionId: SessionId;
  readonly session: Found;
}

/** The source of logins: sessions, or only their statuses. */
export interface LoginSource<Found> {
  find(sessionId: SessionId): Promise<Found | undefined>;
}

/** Finds the login of a browser. A cookie decides; the sessionId only tells which login the page expects. */
export class AuthorizeLogin<Found extends StartedSession | StatusRecord = StartedSession> {
  constructor(
    private readonly sessions: LoginSource<Found>,
    private readonly cookies: LocatingTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * The login that the page expects, if one of the cookies is its own: a browser may send several, in any order (RFC 6265 section 4.2.2).
   * Throws, in this order: NoLoginCookie, InvalidRequest without a sessionId, SessionSuperseded (specification/login-ui.md#order-of-checks).
   */
  async execute(cookies: readonly string[], sessionId: unknown): Promise<LiveLogin<Found>> {
    const [first, ...others] = await this.#loginsOf(cookies);
    if (typeof sessionId !== 'string' || sessionId === '') throw new InvalidRequest('`sessionId` is required in the query');
    const login = [first, ...others].find((each) => each.sessionId === sessionId.toLowerCase()) ?? first;
    assertNotSuperseded(login);
    if (sessionId.toLowerCase() !== login.sessionId) throw new SessionSuperseded('cookie of a different login');
    return login;
  }

  /** The login of a page whose address names none: of several cookies, that of a login that is not superseded. Throws NoLoginCookie, SessionSuperseded. */
  async current(cookies: readonly string[]): Promise<LiveLogin<Found>> {
    const [first, ...others] = await this.#loginsOf(cookies);
    const login = [first, ...others].find(({ session }) => !session.login?.superseded) ?? first;
    assertNotSuperseded(login);
    return login;
  }

  /** The logins of the cookies, superseded or not; of those that are forged, or whose login is over, none. */
  async liveLogins(cookies: readonly string[]): Promise<readonly LiveLogin<Found>[]> {
    const logins: LiveLogin<Found>[] = [];
    for (const cookie of cookies) {
      const login = await this.liveLogin(cookie);
      if (login) logins.push(login);
    }
    return logins;
  }

  /** The login of a cookie, superseded or not; undefined when the cookie is forged or the login is over. */
  async liveLogin(cookie: string): Promise<LiveLogin<Found> | undefined> {
    const claim = this.cookies.parse(cookie);
    if (!claim) return undefined;
    const session = await this.sessions.find(claim.id as SessionId);
    if (!session?.login || !this.cookies.verify(claim, session.login.eventId)) return undefined;
    return this.clock.now() < endsAt(session) + COOKIE_GRACE ? { sessionId: claim.id as SessionId, session } : undefined;
  }

  async #loginsOf(cookies: readonly string[]): Promise<readonly [LiveLogin<Found>, ...LiveLogin<Found>[]]> {
    const [first, ...others] = await this.liveLogins(cookies);
    if (!first) throw new NoLoginCookie(cookies.length === 0 ? 'no cookie' : 'no live login');
    return [first, ...others];
  }
}

const assertNotSuperseded = ({ session }: LiveLogin<StartedSession | StatusRecord>): void => {
  if (session.login?.superseded) throw new SessionSuperseded('superseded');
};

const endsAt = (found: StartedSession | StatusRecord): number => ('endsAt' in found ? found.endsAt : endOf(found));
