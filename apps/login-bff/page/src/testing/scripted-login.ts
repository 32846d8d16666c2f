import type { Reply } from '#web-page/browser';
import type { LoginDetails, PushStatus, SessionStatus, StatusAnswer } from '../hosted-api.js';
import { type Entry, LoginFlow, type LoginStorage, type LoginView } from '../login-flow.js';
import type { Login, LoginState } from '../login-state.js';

export const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
export const CLAIM: LoginDetails = {
  sessionId: SESSION,
  relyingPartyName: 'Harbour Bank',
  status: 'PENDING',
  expiresAt: 120,
  signatureType: 'AUTHENTICATION',
  pushStatus: 'NOT_REQUESTED',
};
export const UNREACHABLE = { kind: 'UNREACHABLE' } as const;

export const ok = <Body>(body: Body): Reply<Body> => ({ kind: 'OK', body });
export const refused = (status: number, errorCode: string): Reply<never> => ({ kind: 'REFUSED', status, errorCode });
export const status = (value: SessionStatus, more: Partial<StatusAnswer> = {}): Reply<StatusAnswer> => ok({ status: value, ...more });

interface Script {
  readonly claim?: readonly Reply<LoginDetails>[];
  readonly describe?: readonly Reply<LoginDetails>[];
  readonly withdraw?: Reply<true>;
  readonly pushAgain?: Reply<PushStatus>;
  readonly status?: readonly Reply<StatusAnswer>[];
  readonly complete?: readonly Reply<string>[];
  readonly number?: readonly Reply<string>[];
  /** The person types these when the page asks for a number. */
  readonly typed?: readonly string[];
  readonly remembered?: Login;
  /** The person cancels when this state is shown. */
  readonly cancelAt?: LoginState['kind'];
  /** The browser keeps no cookies. */
  readonly cookiesBlocked?: boolean;
  /** How long each status answer takes. */
  readonly heldMs?: number;
}

/** Plays a login from its entry to its end against scripted answers of the service. */
export const play = async (entry: Entry, script: Script) => {
  const calls: string[] = [];
  const views: LoginView[] = [];
  const pauses: number[] = [];
  let now = 0;
  let kept = script.remembered;
  const next = <Body>(replies: readonly Reply<Body>[] | undefined, name: string): Promise<Reply<Body>> => {
    const index = calls.filter((call) => call.startsWith(name)).length - 1;
    const reply = replies?.[index];
    return reply ? Promise.resolve(reply) : Promise.reject(new Error(`no answer to ${calls.join(', ')}`));
  };
  const storage: LoginStorage = {
    recall: () => kept,
    keep: (login) => (kept = login),
    forget: () => (kept = undefined),
  };
  let cancelled: Promise<boolean> | undefined;
  const flow: LoginFlow = new LoginFlow({
    api: {
      claim: (token) => (calls.push(`claim ${token}`), next(script.claim, 'claim')),
      status: (sessionId, since) => {
        calls.push(`status ${sessionId === SESSION ? '' : sessionId}${since ?? 'now'}`);
        now += script.heldMs ?? 20_000;
        return next(script.status, 'status');
      },
      complete: (_, returnToken) => (calls.push(['complete', returnToken].join(' ').trim()), next(script.complete, 'complete')),
      finishByNumber: (_, number) => (calls.push(`number ${number}`), next(script.number, 'number')),
      describe: () => (calls.push('describe'), next(script.describe, 'describe')),
      withdraw: () => (calls.push('withdraw'), next(script.withdraw && [script.withdraw], 'withdraw')),
      pushAgain: () => (calls.push('pushAgain'), next(script.pushAgain && [script.pushAgain], 'pushAgain')),
    },
    storage,
    pause: (milliseconds) => (pauses.push(milliseconds), Promise.resolve()),
    now: () => now,
    pollMs: 2000,
    cookiesBlocked: () => script.cookiesBlocked ?? false,
    onChange: (view) => {
      views.push(view);
      // The flow asks after it has shown the state.
      if (view.state.kind === 'NUMBER') queueMicrotask(() => script.typed?.forEach((number) => flow.enterNumber(number)));
      if (view.state.kind === script.cancelAt) cancelled = flow.cancel();
    },
  });
  const result = await flow.run(entry);
  const state = views.at(-1)?.state;
  return { state, result, cancelled: await cancelled, calls, pauses, views, kinds: views.map(({ state: { kind } }) => kind), kept };
};

export const TOKEN: Entry = { handoffToken: 'T' };
