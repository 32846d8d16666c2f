import type { UnitOfWork } from '#engines/event-store';
import { type ClientId, InvalidRequest, type LocatingTokens, type Sealer } from '#kernel';

import { type FinishNumbers, isFinishNumber } from '../domain/finish-numbers.js';
import { redirectUrl } from '../domain/redirect.js';
import { linkScanOf, type Scan } from '../domain/session.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import { ReturnTokenRequired } from '../domain/session.errors.js';
import { ownSessionIn } from '../repositories/own-session.js';
import type { SessionInWork, Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import type { LiveLogin } from './authorize-login.js';

/** The answer to a completion. */
export interface Completed {
  /**
   * The address for the browser: of a login with the authorization code in it.
   *
   * @format uri
   */
  readonly redirect: string;
}

/** Called while the completion is stored: the exchange of the code, which follows, then begins with what it looks at. Never rejects. */
export type PrepareExchange = (clientId: ClientId, scan: Pick<Scan, 'identityId' | 'deviceId'>) => Promise<void>;

/**
 * POST completion: answers the redirect once, for a login with the authorization code, for a hosted signature with the
 * state alone (specification/sessions.md#completion-of-a-signing-session).
 */
export class CompleteSession {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: Sessions,
    private readonly codes: LocatingTokens,
    private readonly returnTokens: LocatingTokens,
    private readonly sealer: Sealer,
    private readonly finishNumbers: FinishNumbers,
    /** Of OpenID Connect, which its redirects name. */
    private readonly issuer: string,
    private readonly prepareExchange: PrepareExchange = async () => undefined,
  ) {}

  /**
   * Throws SessionNotFound, SessionAlreadyCompleted, SessionNotConfirmed, in this order; InvalidRequest for a signature
   * without hosted page, which has no redirect.
   */
  async execute(sessionId: string, clientId: ClientId): Promise<string> {
    let prepared: Promise<void> | undefined;
    const session = await this.unitOfWork.run(async (streams) => {
      const own = await ownSessionIn(streams, this.sessions, sessionId, clientId);
      if (own.found.terms.redirectUri === undefined) throw new InvalidRequest('a session without a redirect URI has no completion');
      own.decide({ type: 'CompleteSession' });
      if (own.found.status === 'CONFIRMED') prepared = this.prepareExchange(clientId, own.found.scan);
      return own;
    });
    await prepared;
    return this.#redirect(session);
  }

  /**
   * The same for the browser that holds the session's login cookie, with the return token that it brings, if any. Throws ReturnTokenRequired
   * when the login was opened by a link and the token is missing or another one (specification/login-ui.md#logins-opened-by-a-link).
   */
  async completeLogin({ sessionId }: LiveLogin, returnToken: unknown): Promise<string> {
    const claim = typeof returnToken === 'string' ? this.returnTokens.parse(returnToken) : undefined;
    const session = await this.unitOfWork.run(async (streams) => {
      const login = await this.sessions.in(streams, sessionId);
      const scan = linkScanOf(login.found);
      const returned = scan !== undefined && claim?.id === sessionId && this.returnTokens.verify(claim, scan.eventId);
      login.decide({ type: 'CompleteSession', returned });
      return login;
    });
    return this.#redirect(session);
  }

  /**
   * The same by the number that the phone shows (specification/login-ui.md#finishing-by-a-number). One try: a wrong number is stored before it is refused.
   * Throws InvalidRequest for a text that is no number, which is no try, and ReturnTokenRequired when the number is wrong, or no number finishes the login.
   */
  async finishByNumber({ sessionId }: LiveLogin, number: unknown): Promise<string> {
    if (!isFinishNumber(number)) throw new InvalidRequest('`number` must be the six digits that the phone shows');
    const session = await this.unitOfWork.run(async (streams) => {
      const login = await this.sessions.in(streams, sessionId);
      const right = 'grant' in login.found && this.finishNumbers.isShown(login.found.grant.eventId, number);
      login.decide({ type: 'FinishByNumber', right });
      return login;
    });
    if (session.state.status === 'CONFIRMED') throw new ReturnTokenRequired('a wrong number was typed');
    return this.#redirect(session);
  }

  #redirect({ id, state: session }: SessionInWork): string {
    if (session.status !== 'COMPLETED') throw new Error('a completed session has the status COMPLETED');
    const { terms } = session;
    const code = 'grant' in session ? this.codes.make(id, session.grant.eventId) : undefined;
    const { state } = this.sealer.open<SealedTerms>(terms.sealed, sessionStream(id));
    return redirectUrl(terms.redirectUri ?? '', { code, state, iss: terms.issuer && this.issuer });
  }
}
