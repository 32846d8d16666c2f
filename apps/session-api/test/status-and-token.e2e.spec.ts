import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { CODE_VERIFIER, LOGIN, REDIRECT_URI } from '#testkit/session/login-request';

import { sessionApiFixture, properties } from './session-api.fixture.js';

let api: Awaited<ReturnType<typeof sessionApiFixture>>;

beforeAll(async () => {
  api = await sessionApiFixture();
});

afterAll(() => api.close());

describe('GET status', () => {
  const status = async (sessionId: string) => (await api.call('GET', `/session/${sessionId}/status`)).body;

  it('shows each status, with expiresAt while the session is open', async () => {
    const expiresAt = Math.floor(api.platform.clock.now() / 1000) + 120;
    const sessionId = await api.create();
    expect(await status(sessionId)).toEqual({ status: 'PENDING', expiresAt });
    await api.scan(sessionId);
    expect(await status(sessionId)).toEqual({ status: 'SCANNED', expiresAt });
    const at = api.platform.clock.now();
    await api.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', codeExpiresAt: at + 60_000, at } });
    expect(await status(sessionId)).toEqual({ status: 'CONFIRMED' });
    await api.call('POST', `/session/${sessionId}/completion`);
    expect(await status(sessionId)).toEqual({ status: 'COMPLETED' });
  });

  it('records that the session has expired before it shows it', async () => {
    const sessionId = await api.create();
    api.platform.clock.advance(119_999);
    expect(await status(sessionId)).toMatchObject({ status: 'PENDING' });
    api.platform.clock.advance(1);
    expect(await status(sessionId)).toEqual({ status: 'EXPIRED' });
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionExpired']);
  });

  it('forgets an ended session after ten minutes', async () => {
    const sessionId = await api.create();
    api.platform.clock.advance(120_000 + 599_999);
    expect(await status(sessionId)).toEqual({ status: 'EXPIRED' });
    api.platform.clock.advance(1);
    expect(await status(sessionId)).toMatchObject({ errorCode: 'session_not_found' });
  });

  it('forgets a confirmed session ten minutes after the confirmation', async () => {
    const sessionId = await api.create();
    await api.confirm(sessionId);
    api.platform.clock.advance(599_999);
    expect(await status(sessionId)).toEqual({ status: 'CONFIRMED' });
    api.platform.clock.advance(1);
    expect(await status(sessionId)).toMatchObject({ errorCode: 'session_not_found' });
  });

  it('answers unknown, foreign and malformed session ids alike', async () => {
    const sessionId = await api.create();
    const bodies = await Promise.all([
      api.call('GET', `/session/${sessionId}/status`, undefined, {}, api.other),
      api.call('GET', '/session/00000000-0000-4000-8000-000000000000/status'),
      api.call('GET', '/session/nonsense/status'),
    ]);
    expect(new Set(bodies.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ status: 404, body: { errorCode: 'session_not_found' } });
  });

  it('waits for a change with Prefer: wait', async () => {
    const sessionId = await api.create();
    const waiting = api.call('GET', `/session/${sessionId}/status?since=PENDING`, undefined, { prefer: 'wait=20' });
    await api.scan(sessionId);
    const answer = await waiting;
    expect(answer.body).toMatchObject({ status: 'SCANNED' });
    expect(answer.headers['preference-applied']).toBe('wait=20');
  });

  it('answers at once when the status is already later, or terminal', async () => {
    const sessionId = await api.create();
    await api.scan(sessionId);
    expect((await api.call('GET', `/session/${sessionId}/status?since=PENDING`, undefined, { prefer: 'wait=20' })).body.status).toBe('SCANNED');
    await api.call('DELETE', `/session/${sessionId}`);
    expect((await api.call('GET', `/session/${sessionId}/status`, undefined, { prefer: 'wait=20' })).body.status).toBe('CANCELLED');
  });

  it('refuses an unknown since', async () => {
    const sessionId = await api.create();
    expect(await api.call('GET', `/session/${sessionId}/status?since=pending`)).toMatchObject({
      status: 400,
      body: { errorCode: 'invalid_request' },
    });
  });
});

describe('POST completion', () => {
  it('answers the redirect once', async () => {
    const sessionId = await api.create();
    await api.confirm(sessionId);
    const { status, body } = await api.call('POST', `/session/${sessionId}/completion`);
    expect(status).toBe(200);
    const redirect = new URL(body.redirect as string);
    expect(redirect.href.startsWith(`${REDIRECT_URI}&code=`)).toBe(true);
    expect(redirect.searchParams.get('state')).toBe('state of the client');
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted']);
    expect(await api.call('POST', `/session/${sessionId}/completion`)).toMatchObject({
      status: 409,
      body: { errorCode: 'session_already_completed' },
    });
  });

  it('adds no state when none was given', async () => {
    const { redirect } = await api.login({ ...LOGIN, state: undefined });
    expect(new URL(redirect).searchParams.has('state')).toBe(false);
  });

  it('ignores any body of any type', async () => {
    const sessionId = await api.create();
    for (const [body, type] of [
      ['{broken', 'application/json'],
      ['x'.repeat(100_000), 'text/plain'],
      ['', 'application/json'],
    ] as const) {
      expect((await api.call('POST', `/session/${sessionId}/completion`, body, { 'content-type': type })).body.errorCode).toBe(
        'session_not_confirmed',
      );
    }
  });

  it('refuses a session that is not confirmed', async () => {
    const sessionId = await api.create();
    expect(await api.call('POST', `/session/${sessionId}/completion`)).toMatchObject({ status: 409, body: { errorCode: 'session_not_confirmed' } });
    expect(await api.call('POST', `/session/${sessionId}/completion`, undefined, {}, api.other)).toMatchObject({ status: 404 });
  });
});

describe('POST token', () => {
  const exchange = (code: string, verifier = CODE_VERIFIER, by = api.client) =>
    api.call('POST', '/session/token', { code, code_verifier: verifier }, {}, by);

  it('answers a subjectId that stays the same', async () => {
    const first = await api.login();
    const { status, body } = await exchange(first.code);
    expect(status).toBe(200);
    expect(body).toEqual({ subjectId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/) });
    expect((await api.events(first.sessionId)).at(-1)).toBe('CodeRedeemed');
    expect((await exchange((await api.login()).code)).body).toEqual(body);
  });

  it('answers the requested properties of the person', async () => {
    const asked = properties({ attributes: ['name', 'email'], predicates: ['ageOver18', 'ageOver100'] });
    const { code } = await api.login({ ...LOGIN, properties: asked });
    expect((await exchange(code)).body).toMatchObject({ attributes: { name: 'Mari Maasikas' }, predicates: { ageOver18: true, ageOver100: false } });
  });

  it('answers every cause of a refusal alike', async () => {
    const spent = await api.login();
    await exchange(spent.code);
    const expired = await api.login();
    api.platform.clock.advance(60_000);
    const fresh = await api.login();
    const answers = [
      await exchange(spent.code),
      await exchange(expired.code),
      await exchange('unknown'),
      await exchange(`${fresh.code.slice(0, -2)}AA`),
      await exchange(fresh.code, 'x'.repeat(43)),
      await exchange(fresh.code, CODE_VERIFIER, api.other),
    ];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 400, body: { errorCode: 'invalid_grant', payload: null } });
    expect((await exchange(fresh.code)).status).toBe(200);
  });

  it('answers the subjectId to one of a thousand concurrent exchanges', async () => {
    const { code } = await api.login();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => exchange(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.errorCode === 'invalid_grant')).toHaveLength(999);
  });

  it.each([
    ['code', { code: undefined }],
    ['code', { code: '  ' }],
    ['code', { code: 'x'.repeat(256) }],
    ['code_verifier', { code_verifier: undefined }],
    ['code_verifier', { code_verifier: 'x'.repeat(42) }],
    ['code_verifier', { code_verifier: `${'x'.repeat(43)}+` }],
  ])('names the field %s (%#)', async (field, change) => {
    const { status, body } = await api.call('POST', '/session/token', { code: 'x', code_verifier: CODE_VERIFIER, ...change });
    expect(status).toBe(400);
    expect(body.defaultTranslation).toContain(`\`${field}\``);
  });
});
