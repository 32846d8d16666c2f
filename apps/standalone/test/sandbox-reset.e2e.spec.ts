import { RelyingPartyClient } from '#clients/relying-party';
import { eventually } from '#testkit/kernel/eventually';

import { base, basic, newPhone, newSession, post, qrOf, restart, scan, standalone, statusOf, useSandbox } from './sandbox.fixture.js';

const REDIRECT_URI = 'http://localhost:5173/callback';
const SUBJECT_ID = 'a87ba057-bf4e-8ef6-ad55-49e83b46b0c9';

useSandbox({ sandboxRedirectUris: [REDIRECT_URI] });

const reset = async (headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${base}/sandbox/v1/reset`, { method: 'POST', headers })).status;

const seeded = (): RelyingPartyClient => {
  const { clientId, clientSecret } = standalone.sandbox!;
  return new RelyingPartyClient({ baseUrl: base, clientId, clientSecret });
};
const loginPage = (handoffToken: string): string => `${base.replace('127.0.0.1', 'localhost')}/login/?t=${encodeURIComponent(handoffToken)}`;

/** How a login ended: `done`, or the error of the step that was refused. Throws for an answer that is neither, and for a lost connection. */
const logIn = async (phoneId = 'ok', client = seeded()): Promise<string> => {
  try {
    const login = await client.beginLogin({ redirectUri: REDIRECT_URI, hostedPage: true });
    const { status, body } = await post(`/sandbox/v1/phones/${phoneId}/login`, { url: loginPage(login.handoffToken) });
    if (status !== 200 || body.redirect === undefined) return `${status} ${body.errorCode ?? body.status}`;
    const { subjectId } = await client.finishLogin(login, new URL(body.redirect).searchParams);
    return subjectId === SUBJECT_ID ? 'done' : `another subject: ${subjectId}`;
  } catch (error) {
    const { status, errorCode } = error as { status?: number; errorCode?: string };
    if (status === undefined) throw error;
    return `${status} ${errorCode}`;
  }
};

describe('POST /sandbox/v1/reset', () => {
  it('leaves nothing of what was done before, and the same client and phones', async () => {
    const phone = await newPhone('ok');
    const sessionId = await newSession();
    const own = await post('/sandbox/v1/clients', { redirect_uris: [REDIRECT_URI] });
    const before = { demo: basic(), locked: await logIn('wrong-pin') };
    await post('/sandbox/v1/clock', { advance_seconds: 86_400 });
    await post('/sandbox/v1/faults', { time_stamp_down: true });
    const moved = standalone.platform.clock.now();
    expect(await logIn()).toBe('done');

    expect(await reset()).toBe(204);

    expect(standalone.platform.clock.now()).toBeLessThan(moved - 80_000_000);
    expect(await statusOf(sessionId)).toBeUndefined();
    expect(await scan(phone, qrOf(sessionId))).toMatchObject({ status: 404, body: { errorCode: 'phone_not_found' } });
    expect(await scan('ok', qrOf(sessionId))).toMatchObject({ status: 404, body: { errorCode: 'session_not_found' } });
    for (const headers of [
      before.demo,
      { authorization: `Basic ${Buffer.from(`${own.body.clientId}:${own.body.clientSecret}`).toString('base64')}` },
    ])
      expect((await fetch(`${base}/relying-party/v1/subject-migrations`, { headers })).status).toBe(401);
    expect(await logIn()).toBe('done');
    // It was locked, and its first login is answered as its first one.
    expect([before.locked, await logIn('wrong-pin')]).toEqual(['200 CANCELLED', '200 CANCELLED']);
    const { body: signing } = await post('/relying-party/v1/session', { signature_type: 'SIGNING', signed_data_hash: 'a'.repeat(128) }, basic());
    expect((await scan('ok', qrOf(signing.sessionId))).body.status).toBe('SCANNED');
    let seen = await statusOf(signing.sessionId);
    while (seen === 'SCANNED') seen = await statusOf(signing.sessionId);
    expect(seen).toBe('COMPLETED');
  });

  it('ends the sessions and codes that were open', async () => {
    const client = seeded();
    const login = await client.beginLogin({ redirectUri: REDIRECT_URI, hostedPage: true });
    const { body } = await post('/sandbox/v1/phones/ok/login', { url: loginPage(login.handoffToken) });
    const unopened = await client.beginLogin({ redirectUri: REDIRECT_URI, hostedPage: true });
    expect(await reset()).toBe(204);
    await expect(client.finishLogin(login, new URL(body.redirect).searchParams)).rejects.toMatchObject({ errorCode: 'invalid_grant' });
    expect(await post('/sandbox/v1/phones/ok/login', { url: loginPage(unopened.handoffToken) })).toMatchObject({
      status: 400,
      body: { errorCode: 'invalid_handoff' },
    });
  });

  it('keeps the keys: what was signed before is still verified, and the admin token holds', async () => {
    const keys = async (): Promise<string> => (await fetch(`${base}/openid/jwks`)).text();
    const admin = async (): Promise<number> =>
      (await fetch(`${base}/admin/v1/clients`, { headers: { authorization: `Bearer ${standalone.platform.adminToken.reveal()}` } })).status;
    const before = await keys();
    expect(await reset()).toBe(204);
    expect([await keys(), await admin()]).toEqual([before, 200]);
  });

  it('holds after a restart, and the demo has a client that works', async () => {
    await post('/sandbox/v1/clock', { advance_seconds: 86_400 });
    const moved = standalone.platform.clock.now();
    expect(await reset()).toBe(204);
    await standalone.close();
    await restart();
    expect(standalone.platform.clock.now()).toBeLessThan(moved - 80_000_000);
    expect([await logIn(), await statusOf(await newSession())]).toEqual(['done', 'PENDING']);
  });

  it('lets long polls and slow phones go', async () => {
    const sessionId = await newSession();
    const polled = fetch(`${base}/relying-party/v1/session/${sessionId}/status`, { headers: { ...basic(), prefer: 'wait=30' } });
    const slow = await newPhone('slow', { delay_seconds: 600 });
    const login = await seeded().beginLogin({ redirectUri: REDIRECT_URI, hostedPage: true });
    const acting = post(`/sandbox/v1/phones/${slow}/login`, { url: loginPage(login.handoffToken) });
    let seen = 'PENDING';
    while (seen === 'PENDING') seen = (await seeded().status(login.sessionId)).status;
    expect(await reset()).toBe(204);
    expect((await polled).status).toBe(200);
    expect(await acting).toMatchObject({ status: 503, body: { errorCode: 'service_unavailable' } });
  });

  it('leaves nothing behind in the process, however often', async () => {
    const resets = async (): Promise<void> => {
      for (let time = 0; time < 3; time++) expect(await reset()).toBe(204);
    };
    // A call of a file that is under way, such as a flush, ends by itself.
    const held = (): number =>
      process.getActiveResourcesInfo().filter((name) => !name.startsWith('FSReq')).length +
      process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    await resets();
    await resets();
    const first = held();
    await resets();
    await resets();
    await eventually(() => held() <= first, { what: () => `${first} things, as before; ${held()} so far` });
  });
});

describe('resets at the same time', () => {
  /** Each login ends, or is told why not: the session, its client's record or its token is unknown by then, or the reset asks to repeat the call. */
  const TOLD = [
    'done',
    '404 session_not_found',
    '400 invalid_handoff',
    '400 invalid_grant',
    '401 no_login_cookie',
    '401 invalid_device_proof',
    '503 service_unavailable',
  ];

  it('with 40 logins: each ends or is told why not', async () => {
    const outcomes: string[] = [];
    const logins = Promise.all(
      Array.from({ length: 40 }, async () => {
        for (let time = 0; time < 3; time++) outcomes.push(await logIn());
      }),
    );
    const resets: number[] = [];
    for (let time = 0; time < 3; time++) resets.push(...(await Promise.all([reset(), reset(), reset()])));
    await logins;
    expect(resets).toEqual(Array.from({ length: 9 }, () => 204));
    expect(outcomes).toHaveLength(120);
    expect(outcomes.filter((outcome) => !TOLD.includes(outcome))).toEqual([]);
    expect(await logIn()).toBe('done');
  });

  it('are answered, 30 of them, and what came before them is gone', async () => {
    const sessionId = await newSession();
    expect(await Promise.all(Array.from({ length: 30 }, () => reset()))).toEqual(Array.from({ length: 30 }, () => 204));
    expect(await statusOf(sessionId)).toBeUndefined();
    expect(await logIn()).toBe('done');
  });

  it('with an end of the process: both end', async () => {
    const asked = reset().catch(() => 'refused');
    await standalone.close();
    expect([204, 503, 'refused']).toContain(await asked);
    await restart();
    expect(await logIn()).toBe('done');
  });
});

describe('a reset is refused', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:5173' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'x-forwarded-for': '127.0.0.1' },
  ])('to a web page, which needs neither a body nor an answer for it: %j', async (headers) => {
    const sessionId = await newSession();
    expect(await reset(headers as Record<string, string>)).toBe(403);
    expect(await statusOf(sessionId)).toBe('PENDING');
  });
});
