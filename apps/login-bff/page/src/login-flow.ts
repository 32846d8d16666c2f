import type { Pause } from '#kernel/browser';
import { type AnsweredReply, type Reply, untilAnswered } from '#web-page/browser';
import type { HostedApi, PushStatus, SessionStatus, StatusAnswer } from './hosted-api.js';
import {
  afterCancel,
  afterClaim,
  afterCompletion,
  afterEnd,
  afterNumber,
  afterStatus,
  type End,
  type Login,
  loginOf,
  type LoginState,
} from './login-state.js';

/** Keeps the shown login over a reload of this tab: never the token, never the cookie. */
export interface LoginStorage {
  recall(): Login | undefined;
  keep(login: Login): void;
  forget(): void;
}

export interface LoginView {
  readonly state: LoginState;
  readonly offline: boolean;
}

export interface LoginFlowParts {
  readonly api: Pick<HostedApi, 'claim' | 'describe' | 'status' | 'complete' | 'finishByNumber' | 'withdraw' | 'pushAgain'>;
  readonly storage: LoginStorage;
  /** Waits. May return early when the network is back. */
  readonly pause: Pause;
  /** Epoch milliseconds, only for measuring how long an answer took. */
  readonly now: () => number;
  readonly pollMs: number;
  /** Whether the browser keeps no cookies of this page. If it keeps them, it may still not send that of the login. */
  readonly cookiesBlocked: () => boolean;
  readonly onChange: (view: LoginView) => void;
}

/** How this page was opened: by the relying party with a token, or by the app on return. */
export interface Entry {
  readonly handoffToken?: string;
  readonly returned?: boolean;
  readonly sessionId?: string;
  /** The app brought it back to this browser, after a login by link. */
  readonly returnToken?: string;
}

/** An unchanged status that comes sooner than this was not held: the service does not do long polling. */
const HELD_MS = 1000;
/** Frames of a rotating QR code change each second. */
const FRAME_MS = 1000;

/** One hosted login from the claim to the redirect. Ends when the state is ENDED or REDIRECTING. */
export class LoginFlow {
  private view: LoginView = { state: { kind: 'STARTING' }, offline: false };
  /** This page has claimed the login, so its next call must bring the cookie. */
  private claimedHere = false;
  /** The service has accepted the cookie of the login. */
  private cookieAccepted = false;
  private returnToken: string | undefined;
  /** Takes the number that the person types, while the page asks for one. */
  private takeNumber: ((number: string) => void) | undefined;

  constructor(private readonly parts: LoginFlowParts) {}

  async run(entry: Entry): Promise<LoginState> {
    this.returnToken = entry.returnToken;
    const known = await this.begin(entry);
    if (known !== undefined) await this.follow(known);
    const state = afterEnd(this.view.state);
    if (state.kind === 'ENDED' || state.kind === 'REDIRECTING') this.parts.storage.forget();
    return state;
  }

  private async begin(entry: Entry): Promise<Login | undefined> {
    if (entry.handoffToken !== undefined) return this.claim(entry.handoffToken);
    const remembered = this.parts.storage.recall();
    const sessionId = entry.sessionId ?? remembered?.sessionId;
    if (sessionId !== undefined && remembered?.sessionId === sessionId) return remembered;
    return this.resume(entry);
  }

  /** This tab has no stored login. The cookie identifies the login if this browser began it. */
  private async resume(entry: Entry): Promise<Login | undefined> {
    const { sessionId } = entry;
    const reply = await this.repeatUntilAnswered(() => this.parts.api.describe());
    if (reply.kind === 'REFUSED') return this.nothing(this.endWithoutLogin(entry, reply.errorCode));
    this.cookieAccepted = true;
    return sessionId === undefined || sessionId === reply.body.sessionId ? loginOf(reply.body) : this.nothing('CONTINUED_ELSEWHERE');
  }

  private endWithoutLogin({ returned = false, returnToken }: Entry, errorCode: string | undefined): End {
    if (errorCode === 'session_superseded') return 'CONTINUED_ELSEWHERE';
    if (this.parts.cookiesBlocked()) return 'COOKIES_NEEDED';
    if (!returned) return 'NOTHING_TO_DO';
    return returnToken === undefined ? 'OTHER_BROWSER' : 'LINK_FROM_ELSEWHERE';
  }

  private nothing(end: End): undefined {
    this.show({ kind: 'ENDED', end });
    return undefined;
  }

  /** Withdraws the request. Answers whether it did: a login that was confirmed meanwhile goes on. */
  async cancel(): Promise<boolean> {
    const { login } = this;
    if (login === undefined) return false;
    const reply = await this.repeatUntilAnswered(() => this.parts.api.withdraw(login.sessionId));
    if (reply.kind !== 'OK' || this.over) return false;
    this.show({ kind: 'ENDED', end: 'WITHDRAWN', login });
    this.parts.storage.forget();
    return true;
  }

  /** Sends the request to the phone once more. Undefined when the service refuses: too often, or too late. */
  async pushAgain(): Promise<PushStatus | undefined> {
    const { login } = this;
    if (login === undefined) return undefined;
    const reply = await this.parts.api.pushAgain(login.sessionId);
    return reply.kind === 'OK' ? reply.body : undefined;
  }

  /** The person has typed the number that the phone shows. A second call changes nothing. */
  enterNumber(number: string): void {
    this.takeNumber?.(number);
    this.takeNumber = undefined;
  }

  private async claim(handoffToken: string): Promise<Login | undefined> {
    const reply = await this.repeatUntilAnswered(() => this.parts.api.claim(handoffToken));
    const state = afterClaim(reply);
    if (state.kind === 'WAITING') {
      this.claimedHere = true;
      this.parts.storage.keep(state.login);
    }
    this.show(state);
    return state.kind === 'WAITING' ? state.login : undefined;
  }

  private async follow(login: Login): Promise<void> {
    let status: SessionStatus | undefined = this.claimedHere ? 'PENDING' : undefined;
    let frames = 'qrPayload' in this.view.state;
    for (;;) {
      const since: SessionStatus | undefined = frames ? undefined : status;
      const calledAt = this.parts.now();
      const reply = await this.ask(login, since);
      const state = afterStatus(this.login ?? login, reply, this.claimedHere && !this.cookieAccepted);
      this.cookieAccepted ||= reply.kind === 'OK';
      if (this.over) return;
      if (state.kind !== 'CANCELLED') this.show(state);
      if (state.kind === 'CANCELLED') return this.findReason(state.login);
      if (state.kind === 'COMPLETING') return this.complete(state.login);
      if (reply.kind === 'REFUSED' || state.kind === 'ENDED') return;

      if (state.kind === 'WAITING' || state.kind === 'SCANNED') this.parts.storage.keep(state.login);
      frames = reply.body.qrPayload !== undefined;
      const unchanged = reply.body.status === status;
      status = reply.body.status;
      if (frames) await this.parts.pause(FRAME_MS);
      else if (unchanged && this.parts.now() - calledAt < HELD_MS) await this.parts.pause(this.parts.pollMs);
    }
  }

  private ask({ sessionId }: Login, since: SessionStatus | undefined): Promise<AnsweredReply<StatusAnswer>> {
    // After a failure ask for an answer at once: during a held one the page would keep saying "no connection".
    return this.repeatUntilAnswered((again) => this.parts.api.status(sessionId, again ? undefined : since));
  }

  private async findReason(login: Login): Promise<void> {
    const reply = await this.repeatUntilAnswered(() => this.parts.api.describe());
    this.show(afterCancel(login, reply.kind === 'OK' ? reply.body.reason : undefined));
  }

  private async complete(login: Login): Promise<void> {
    const reply = await this.repeatUntilAnswered(() => this.parts.api.complete(login.sessionId, this.returnToken));
    const state = afterCompletion(login, reply);
    this.show(state);
    if (state.kind === 'NUMBER') await this.finishByNumber(login);
  }

  private async finishByNumber(login: Login): Promise<void> {
    const number = await new Promise<string>((typed) => (this.takeNumber = typed));
    this.show({ kind: 'COMPLETING', login });
    this.show(afterNumber(login, await this.repeatUntilAnswered(() => this.parts.api.finishByNumber(login.sessionId, number))));
  }

  /** Repeats a call until the service answers, and shows meanwhile that there is no connection. */
  private async repeatUntilAnswered<Body>(call: (again: boolean) => Promise<Reply<Body>>): Promise<AnsweredReply<Body>> {
    const showOffline = (offline: boolean): void => {
      if (this.view.offline !== offline) this.publish({ ...this.view, offline });
    };
    const reply = await untilAnswered(call, { pause: this.parts.pause, onRetry: () => showOffline(true) });
    showOffline(false);
    return reply;
  }

  /** The end is shown, for instance since the person cancelled while a status call was held. */
  private get over(): boolean {
    return this.view.state.kind === 'ENDED';
  }

  private get login(): Login | undefined {
    return 'login' in this.view.state ? this.view.state.login : undefined;
  }

  private show(state: LoginState): void {
    this.publish({ ...this.view, state });
  }

  private publish(view: LoginView): void {
    this.view = view;
    this.parts.onChange(view);
  }
}
