import { type Clock, InvalidRequest, type LocatingTokens, type SessionId } from '#kernel';

import { endOf, type StartedSession } from '../domain/session.js';
import { NoLoginCookie, SessionSuperseded } from '../domain/session.errors.js';
import type { Sessions } from './sessions.js';

/** How long a login cookie outlives its session, in milliseconds (api-extensions 1.6). */
const COOKIE_GRACE = 60_000;

export interface LiveLogin {
  readonly sessionId: SessionId;
  readonly session: StartedSession;
}

/** Which login a browser drives: the cookie says so, the sessionId only what the page believes. */
export class AuthorizeLogin {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookies: LocatingTokens,
    private readonly clock: Clock,
  ) {}

  /** Throws, in this order: NoLoginCookie, InvalidRequest without a sessionId, SessionSuperseded (api-extensions 1.5). */
  async execute(cookie: string | undefined, sessionId: unknown): Promise<LiveLogin> {
    const login = cookie === undefined ? undefined : await this.liveLogin(cookie);
    if (!login) throw new NoLoginCookie(cookie === undefined ? 'no cookie' : 'no live login');
    if (typeof sessionId !== 'string' || sessionId === '') throw new InvalidRequest('`sessionId` is required in the query');
    if (login.session.login?.superseded) throw new SessionSuperseded('superseded');
    if (sessionId.toLowerCase() !== login.sessionId) throw new SessionSuperseded('cookie of a different login');
    return login;
  }

  /** The login that a cookie stands for, superseded or not; undefined when it is forged or over. */
  async liveLogin(cookie: string): Promise<LiveLogin | undefined> {
    const claim = this.cookies.parse(cookie);
    if (!claim) return undefined;
    const session = await this.sessions.find(claim.id as SessionId);
    if (!session?.login || !this.cookies.verify(claim, session.login.eventId)) return undefined;
    return this.clock.now() < endOf(session) + COOKIE_GRACE ? { sessionId: claim.id as SessionId, session } : undefined;
  }
}
