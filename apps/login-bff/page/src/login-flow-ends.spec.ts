import type { CancelReason } from './hosted-api.js';
import { CLAIM, ok, play, refused, SESSION, status, TOKEN, UNREACHABLE } from './testing/scripted-login.js';

describe('a login through OpenID Connect', () => {
  const endUrl = 'https://rp.example/callback?error=access_denied&state=s&iss=https%3A%2F%2Fid.example%2Fopenid';
  const claim = { ...CLAIM, endUrl };

  it.each([
    ['is declined', { status: [status('CANCELLED')], describe: [ok({ ...claim, reason: 'DECLINED' as const })] }, endUrl],
    ['met a wrong code', { status: [status('CANCELLED')], describe: [ok({ ...claim, reason: 'WRONG_CODE' as const })] }, endUrl],
    ['is out of time', { status: [status('EXPIRED')] }, `${endUrl}&error_description=time%20is%20up`],
    [
      'is cancelled on the page',
      { status: [status('PENDING'), status('CANCELLED')], cancelAt: 'WAITING' as const, withdraw: ok(true as const) },
      endUrl,
    ],
  ])('sends the browser back to its client when it %s', async (_, script, redirect) => {
    const played = await play(TOKEN, { claim: [ok(claim)], ...script });
    expect(played.result).toMatchObject({ kind: 'REDIRECTING', redirect });
  });

  it('stays where it is while the login may go on elsewhere', async () => {
    const played = await play(TOKEN, { claim: [ok(claim)], status: [refused(409, 'session_superseded')] });
    expect(played.result).toMatchObject({ kind: 'ENDED', end: 'CONTINUED_ELSEWHERE' });
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

  it('says that a login opened by a link goes on in neither browser, when this one did not begin it', async () => {
    const returned = { returned: true, sessionId: SESSION, returnToken: 'R' };
    const played = await play(returned, { describe: [refused(401, 'no_login_cookie')] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'LINK_FROM_ELSEWHERE' });
    const newer = await play(returned, { describe: [refused(409, 'session_superseded')] });
    expect(newer.state).toMatchObject({ kind: 'ENDED', end: 'CONTINUED_ELSEWHERE' });
  });

  it('continues by the cookie alone when the tab has lost what it stored', async () => {
    const played = await play({}, { describe: [ok(CLAIM)], status: [status('PENDING'), status('CONFIRMED')], complete: [ok('https://rp.example/')] });
    expect(played.calls.slice(0, 2)).toEqual(['describe', 'status now']);
    expect(played.kinds).toEqual(['WAITING', 'COMPLETING', 'REDIRECTING']);
  });

  it('asks again when that question gets no answer', async () => {
    const played = await play({}, { describe: [UNREACHABLE, ok(CLAIM)], status: [status('EXPIRED')] });
    expect(played.state).toMatchObject({ end: 'EXPIRED', login: { relyingPartyName: 'Harbour Bank' } });
  });

  it('says that there is no login, without a token, a stored login and a cookie', async () => {
    const played = await play({}, { describe: [refused(401, 'no_login_cookie')] });
    expect(played.state).toEqual({ kind: 'ENDED', end: 'NOTHING_TO_DO' });
  });

  it('says that another login was begun when the cookie is that of a superseded one', async () => {
    const played = await play({}, { describe: [refused(409, 'session_superseded')] });
    expect(played.state).toEqual({ kind: 'ENDED', end: 'CONTINUED_ELSEWHERE' });
  });

  it('says that the cookie is gone when this tab keeps a login that the browser no longer has', async () => {
    const played = await play({}, { remembered: CLAIM, status: [refused(401, 'no_login_cookie')] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'COOKIE_GONE' });
  });
});

describe('a browser without the cookie', () => {
  const noCookie = refused(401, 'no_login_cookie');

  it('is told that cookies are needed when the first call after the claim brings none', async () => {
    const played = await play(TOKEN, { claim: [ok(CLAIM)], status: [noCookie] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'COOKIES_NEEDED', login: { relyingPartyName: 'Harbour Bank' } });
    expect(played.kept).toBeUndefined();
  });

  it('is told only that the cookie is gone when an earlier call brought it', async () => {
    const played = await play(TOKEN, { claim: [ok(CLAIM)], status: [status('PENDING'), noCookie] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'COOKIE_GONE' });
    const completing = await play(TOKEN, { claim: [ok(CLAIM)], status: [status('CONFIRMED')], complete: [noCookie] });
    expect(completing.state).toMatchObject({ kind: 'ENDED', end: 'COOKIE_GONE' });
  });

  it.each([{}, { returned: true }, { returned: true, sessionId: SESSION, returnToken: 'R' }])(
    'is told that cookies are needed when it keeps none: %j',
    async (entry) => {
      const played = await play(entry, { cookiesBlocked: true, describe: [noCookie] });
      expect(played.state).toMatchObject({ kind: 'ENDED', end: 'COOKIES_NEEDED' });
    },
  );
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

describe('a login that was opened by a link', () => {
  const required = refused(403, 'return_token_required');
  const began = { claim: [ok({ ...CLAIM, finishByNumber: true as const })], status: [status('CONFIRMED')], complete: [required] };

  it('ends here where no number may finish it', async () => {
    const played = await play(TOKEN, { ...began, claim: [ok(CLAIM)] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end: 'GOES_ON_BY_THE_APP' });
  });

  it('asks for the number, and goes on by it', async () => {
    const played = await play(TOKEN, { ...began, typed: ['123456', '654321'], number: [UNREACHABLE, ok('https://rp.example/')] });
    expect(played.calls.slice(-3)).toEqual(['complete', 'number 123456', 'number 123456']);
    expect(played.kinds.filter((kind, at) => kind !== played.kinds[at - 1])).toEqual([
      'WAITING',
      'COMPLETING',
      'NUMBER',
      'COMPLETING',
      'REDIRECTING',
    ]);
    expect(played.kept).toBeUndefined();
  });

  it.each([
    [required, 'WRONG_NUMBER'],
    [refused(409, 'session_already_completed'), 'ALREADY_COMPLETED'],
    [refused(401, 'no_login_cookie'), 'COOKIE_GONE'],
  ] as const)('ends when the number is answered %j: %s', async (answer, end) => {
    const played = await play(TOKEN, { ...began, typed: ['123456'], number: [answer] });
    expect(played.state).toMatchObject({ kind: 'ENDED', end });
  });
});

describe('a hosted login ends', () => {
  it.each([
    [refused(409, 'session_superseded'), 'CONTINUED_ELSEWHERE'],
    [refused(401, 'no_login_cookie'), 'COOKIES_NEEDED'],
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
