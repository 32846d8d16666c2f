import { type Reply, retryDelayMs } from '#web-page/browser';
import type { HostedApi, SessionStatus, StatusAnswer } from './hosted-api.js';
import { afterClaim, afterCompletion, afterStatus, type AnsweredReply, type Login, type LoginState } from './login-state.js';

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
  readonly api: Pick<HostedApi, 'claim' | 'status' | 'complete'>;
  readonly storage: LoginStorage;
  /** Waits. May return early when the network is back. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Epoch milliseconds, only for measuring how long an answer took. */
  readonly now: () => number;
  readonly pollMs: number;
  readonly onChange: (view: LoginView) => void;
}

/** How this page was opened: by the relying party with a token, or by the app on return with the session's id. */
export interface Entry {
  readonly handoffToken?: string;
  readonly sessionId?: string;
}

/** An unchanged status that comes sooner than this was not held: the service does not do long polling. */
const HELD_MS = 1000;
/** Frames of a rotating QR code change each second. */
const FRAME_MS = 1000;

/** One hosted login from the claim to the redirect. Ends when the state is ENDED or REDIRECTING. */
export class LoginFlow {
  private view: LoginView = { state: { kind: 'STARTING' }, offline: false };
  private failures = 0;
  private claimedHere = false;

  constructor(private readonly parts: LoginFlowParts) {}

  async run(entry: Entry): Promise<LoginState> {
    const known = await this.begin(entry);
    if (known !== undefined) await this.follow(known);
    const { state } = this.view;
    if (state.kind === 'ENDED' || state.kind === 'REDIRECTING') this.parts.storage.forget();
    return state;
  }

  private async begin(entry: Entry): Promise<Login | undefined> {
    if (entry.handoffToken !== undefined) return this.claim(entry.handoffToken);
    const remembered = this.parts.storage.recall();
    const sessionId = entry.sessionId ?? remembered?.sessionId;
    if (sessionId === undefined) {
      this.show({ kind: 'ENDED', end: 'NOTHING_TO_DO' });
      return undefined;
    }
    return remembered?.sessionId === sessionId ? remembered : { sessionId };
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
    let frames = false;
    for (;;) {
      const since: SessionStatus | undefined = frames ? undefined : status;
      const calledAt = this.parts.now();
      const reply = await this.ask(login, since);
      const state = afterStatus(this.login ?? login, reply, this.claimedHere);
      this.show(state);
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

  private async complete(login: Login): Promise<void> {
    const reply = await this.repeatUntilAnswered(() => this.parts.api.complete(login.sessionId));
    this.show(afterCompletion(login, reply, this.claimedHere));
  }

  /** Repeats a call until the service answers, and shows meanwhile that there is no connection. */
  private async repeatUntilAnswered<Body>(call: (again: boolean) => Promise<Reply<Body>>): Promise<AnsweredReply<Body>> {
    for (;;) {
      const reply = await call(this.failures > 0);
      if (reply.kind !== 'UNREACHABLE') {
        this.failures = 0;
        if (this.view.offline) this.publish({ ...this.view, offline: false });
        return reply;
      }
      this.failures += 1;
      if (!this.view.offline) this.publish({ ...this.view, offline: true });
      await this.parts.pause(retryDelayMs(this.failures, reply.retryAfterMs));
    }
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
