import type { Reply } from '#web-page/browser';
import type { LoginDetails, PushStatus, SessionStatus, StatusAnswer } from './hosted-api.js';
import { type Entry, LoginFlow, type LoginStorage, type LoginView } from './login-flow.js';
import type { CancelReason } from './hosted-api.js';
import type { Login, LoginState } from './login-state.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
const CLAIM: LoginDetails = {
  sessionId: SESSION,
  relyingPartyName: 'Harbour Bank',
  status: 'PENDING',
  expiresAt: 120,
  signatureType: 'AUTHENTICATION',
  pushStatus: 'NOT_REQUESTED',
};
const UNREACHABLE = { kind: 'UNREACHABLE' } as const;

const ok = <Body>(body: Body): Reply<Body> => ({ kind: 'OK', body });
const refused = (status: number, errorCode: string): Reply<never> => ({ kind: 'REFUSED', status, errorCode });
const status = (value: SessionStatus, more: Partial<StatusAnswer> = {}): Reply<StatusAnswer> => ok({ status: value, ...more });

interface Script {
  readonly claim?: readonly Reply<LoginDetails>[];
  readonly describe?: readonly Reply<LoginDetails>[];
  readonly withdraw?: Reply<true>;
  readonly pushAgain?: Reply<PushStatus>;
  readonly status?: readonly Reply<StatusAnswer>[];
  readonly complete?: readonly Reply<string>[];
  readonly remembered?: Login;
  /** The person cancels when this state is shown. */
  readonly cancelAt?: LoginState['kind'];
  /** How long each status answer takes. */
  readonly heldMs?: number;
}

const play = async (entry: Entry, script: Script) => {
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
      describe: () => (calls.push('describe'), next(script.describe, 'describe')),
      withdraw: () => (calls.push('withdraw'), next(script.withdraw && [script.withdraw], 'withdraw')),
      pushAgain: () => (calls.push('pushAgain'), next(script.pushAgain && [script.pushAgain], 'pushAgain')),
    },
    storage,
    pause: (milliseconds) => (pauses.push(milliseconds), Promise.resolve()),
    now: () => now,
    pollMs: 2000,
    onChange: (view) => {
      views.push(view);
      if (view.state.kind === script.cancelAt) cancelled = flow.cancel();
    },
  });
  await flow.run(entry);
  const state = views.at(-1)?.state;
  return { state, cancelled: await cancelled, calls, pauses, views, kinds: views.map(({ state: { kind } }) => kind), kept };
};

const TOKEN: Entry = { handoffToken: 'T' };

describe('a hosted login', () => {
  it('goes from the claim through scan and confirmation to the redirect', async () => {
    const played = await play(TOKEN, {
      claim: [ok(CLAIM)],
      status: [status('SCANNED', { expiresAt: 120 }), status('CONFIRMED')],
      complete: [ok('https://rp.example/cb?code=c&state=s')],
    });
    expect(played.kinds).toEqual(['WAITING', 'SCANNED', 'COMPLETING', 'REDIRECTING']);
    expect(played.state).toMatchObject({ redirect: 'https://rp.example/cb?code=c&state=s' });
    expect(played.calls).toEqual(['claim T', 'status PENDING', 'status SCANNED', 'complete']);
    expect(played.pauses).toEqual([]);
  });

  it('completes a signing session at COMPLETED, because CONFIRMED is never shown', async () => {
    const played = await play(TOKEN, { claim: [ok(CLAIM)], status: [status('SCANNED'), status('COMPLETED')], complete: [ok('https://rp.example/')] });
    expect(played.kinds.at(-1)).toBe('REDIRECTING');
  });

  it('stores the session for a reload and removes it at the end', async () => {
    const describe = [ok({ ...CLAIM, status: 'CANCELLED', reason: 'DECLINED' } as const)];
    const waiting = await play(TOKEN, { claim: [ok(CLAIM)], status: [status('SCANNED'), status('CANCELLED')], describe });
    expect(waiting.state).toMatchObject({ kind: 'ENDED', end: 'DECLINED' });
    expect(waiting.kept).toBeUndefined();
  });

  it('polls every two seconds where answers are not held', async () => {
    const played = await play(TOKEN, {
      claim: [ok(CLAIM)],
      status: [status('PENDING'), status('PENDING'), status('EXPIRED')],
      heldMs: 5,
    });
    expect(played.pauses).toEqual([2000, 2000]);
    expect(played.state).toMatchObject({ end: 'EXPIRED' });
  });

  it('shows the frames of a rotating code and asks for the next each second, without waiting', async () => {
    const played = await play(TOKEN, {
      claim: [ok(CLAIM)],
      status: [status('PENDING', { qrPayload: 'a' }), status('PENDING', { qrPayload: 'b' }), status('EXPIRED')],
    });
    expect(played.calls).toEqual(['claim T', 'status PENDING', 'status now', 'status now']);
    expect(played.pauses).toEqual([1000, 1000]);
    expect(played.views.map(({ state }) => ('qrPayload' in state ? state.qrPayload : '-'))).toEqual(['-', 'a', 'b', '-']);
  });
});

it('shows the first frame of a rotating code with the claim, and asks for the next without waiting', async () => {
  const played = await play(TOKEN, {
    claim: [ok({ ...CLAIM, qrPayload: 'first' })],
    status: [status('PENDING', { qrPayload: 'b' }), status('EXPIRED')],
  });
  expect(played.calls).toEqual(['claim T', 'status now', 'status now']);
  expect(played.views.map(({ state }) => ('qrPayload' in state ? state.qrPayload : '-'))).toEqual(['first', 'b', '-']);
  expect(JSON.stringify(played.views[0]?.state)).not.toContain('"login":{"qrPayload"');
});

describe('a login that was opened by a link', () => {
  const RETURNED: Entry = { returned: true, sessionId: SESSION, returnToken: 'R' };

  it('is finished with the return token, by the browser to which the app returns', async () => {
    const played = await play(RETURNED, { describe: [ok(CLAIM)], status: [status('CONFIRMED')], complete: [ok('https://rp.example/')] });
    expect(played.calls).toEqual(['describe', 'status now', 'complete R']);
    expect(played.state).toMatchObject({ kind: 'REDIRECTING' });
  });

  it('is not finished by another window, which says where it goes on', async () => {
    const played = await play(TOKEN, {
      claim: [ok(CLAIM)],
      status: [status('CONFIRMED')],
      complete: [refused(403, 'return_token_required')],
    });
    expect(played.calls.at(-1)).toBe('complete');
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'GOES_ON_BY_THE_APP' });
  });
});

describe('a hosted login without a network', () => {
  it('says so, retries at growing intervals, and continues where it was', async () => {
    const played = await play(TOKEN, {
      claim: [UNREACHABLE, UNREACHABLE, ok(CLAIM)],
      status: [status('SCANNED'), UNREACHABLE, status('CONFIRMED')],
      complete: [UNREACHABLE, ok('https://rp.example/')],
    });
    expect(played.views.map(({ state, offline }) => `${state.kind}${offline ? ' offline' : ''}`)).toEqual([
      'STARTING offline',
      'STARTING',
      'WAITING',
      'SCANNED',
      'SCANNED offline',
      'SCANNED',
      'COMPLETING',
      'COMPLETING offline',
      'COMPLETING',
      'REDIRECTING',
    ]);
    expect(played.pauses).toEqual([1000, 2000, 1000, 1000]);
    expect(played.calls.filter((call) => call.startsWith('status'))).toEqual(['status PENDING', 'status SCANNED', 'status now']);
  });

  it('waits as long as the service asks for', async () => {
    const played = await play(TOKEN, { claim: [{ kind: 'UNREACHABLE', retryAfterMs: 9000 }, refused(400, 'invalid_handoff')] });
    expect(played.pauses).toEqual([9000]);
  });
});

describe('a reopened hosted page', () => {
  it('continues the login of this tab by its cookie', async () => {
    const played = await play({}, { remembered: CLAIM, status: [status('SCANNED'), status('EXPIRED')] });
    expect(played.calls[0]).toBe('status now');
    expect(played.views[0]?.state).toMatchObject({ kind: 'SCANNED', login: { relyingPartyName: 'Harbour Bank' } });
  });

  it('continues the session that the app returned with', async () => {
    const played = await play({ returned: true }, { describe: [ok(CLAIM)], status: [status('CONFIRMED')], complete: [ok('https://rp.example/')] });
    expect(played.kinds).toEqual(['COMPLETING', 'REDIRECTING']);
  });

  it('does not show the name of one login with another', async () => {
    const other = { ...CLAIM, sessionId: 'other', relyingPartyName: 'Other' };
    const played = await play({ returned: true, sessionId: SESSION }, { remembered: other, describe: [ok(CLAIM)], status: [status('EXPIRED')] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'EXPIRED', login: { sessionId: SESSION, relyingPartyName: 'Harbour Bank' } });
  });

  it('sends the user to the browser that holds the login', async () => {
    const played = await play({ returned: true }, { describe: [refused(401, 'no_login_cookie')] });
    expect(played.state).toMatchObject({ end: 'OTHER_BROWSER' });
  });

  it('says that there is no login, without a token and a stored login', async () => {
    const played = await play({}, {});
    expect(played.state).toEqual({ kind: 'ENDED', end: 'NOTHING_TO_DO' });
    expect(played.calls).toEqual([]);
  });
});

describe('a cancelled hosted login', () => {
  it.each(['DECLINED', 'WITHDRAWN', 'SIGNING_FAILED'] satisfies CancelReason[])('asks the service why: %s', async (reason) => {
    const played = await play(TOKEN, {
      claim: [ok(CLAIM)],
      status: [status('CANCELLED')],
      describe: [ok({ ...CLAIM, status: 'CANCELLED', reason })],
    });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: reason });
  });

  it('says that it was declined when the service does not tell', async () => {
    const played = await play(TOKEN, { claim: [ok(CLAIM)], status: [status('CANCELLED')], describe: [refused(401, 'no_login_cookie')] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'DECLINED' });
  });
});

describe('Cancel', () => {
  it('withdraws the request and ends the page; a later answer of a status call changes nothing', async () => {
    const script = { claim: [ok(CLAIM)], withdraw: ok(true as const), status: [status('PENDING'), status('PENDING')], cancelAt: 'WAITING' } as const;
    const played = await play(TOKEN, script);
    expect(played.cancelled).toBe(true);
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'WITHDRAWN' });
    expect(played.kept).toBeUndefined();
  });

  it('lets a login go on that was confirmed meanwhile', async () => {
    const played = await play(TOKEN, {
      claim: [ok(CLAIM)],
      withdraw: refused(409, 'session_not_cancellable'),
      status: [status('SCANNED'), status('CONFIRMED')],
      complete: [ok('https://rp.example/')],
      cancelAt: 'SCANNED',
    });
    expect(played.cancelled).toBe(false);
    expect(played.state).toMatchObject({ kind: 'REDIRECTING' });
  });
});

describe('a hosted login ends', () => {
  it.each([
    [refused(409, 'session_superseded'), 'CONTINUED_ELSEWHERE'],
    [refused(401, 'no_login_cookie'), 'CONTINUED_ELSEWHERE'],
    [refused(404, 'session_not_found'), 'EXPIRED'],
    [refused(403, 'login_header_required'), 'FAILED'],
    [status('EXPIRED'), 'EXPIRED'],
  ] as const)('when the status answers %j: %s', async (answer, end) => {
    expect((await play(TOKEN, { claim: [ok(CLAIM)], status: [answer] })).state).toMatchObject({ kind: 'ENDED', end });
  });

  it.each([
    [refused(400, 'invalid_handoff'), 'INVALID_HANDOFF'],
    [refused(400, 'invalid_request'), 'FAILED'],
  ] as const)('when the claim answers %j: %s', async (answer, end) => {
    expect((await play(TOKEN, { claim: [answer] })).state).toEqual({ kind: 'ENDED', end });
  });

  it.each([
    [refused(409, 'session_already_completed'), 'ALREADY_COMPLETED'],
    [refused(409, 'session_superseded'), 'CONTINUED_ELSEWHERE'],
  ] as const)('when the completion answers %j: %s', async (answer, end) => {
    const played = await play(TOKEN, { claim: [ok(CLAIM)], status: [status('CONFIRMED')], complete: [answer] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end });
  });
});
