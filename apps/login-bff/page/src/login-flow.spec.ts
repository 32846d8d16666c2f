import type { Entry } from './login-flow.js';
import { CLAIM, ok, play, refused, SESSION, status, TOKEN, UNREACHABLE } from './testing/scripted-login.js';

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
