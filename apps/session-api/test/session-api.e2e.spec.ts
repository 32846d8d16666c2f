import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { CODE_CHALLENGE, LOGIN, REDIRECT_URI } from '#testkit/session/login-request';

import { sessionApiFixture, properties } from './session-api.fixture.js';

let api: Awaited<ReturnType<typeof sessionApiFixture>>;

beforeAll(async () => {
  api = await sessionApiFixture();
});

afterAll(() => api.close());

describe('POST session', () => {
  it('creates a session for 120 seconds', async () => {
    const { status, body } = await api.call('POST', '/session', LOGIN);
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAt: Math.floor(api.platform.clock.now() / 1000) + 120,
      pushStatus: 'NOT_REQUESTED',
    });
    expect(await api.events(body.sessionId as string)).toEqual(['SessionCreated']);
  });

  it('stores no text of the client in the clear', async () => {
    const { body } = await api.call('POST', '/session', { ...LOGIN, title: 'Title of the client' });
    const stored = JSON.stringify(await api.platform.eventStore.read(`session-${body.sessionId as string}` as never), (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    );
    expect(stored).not.toContain('state of the client');
    expect(stored).not.toContain('Title of the client');
  });

  it('answers a handoff token with the hosted page', async () => {
    const { body } = await api.call('POST', '/session', { ...LOGIN, hosted_page: true });
    expect(body.handoffToken).toMatch(/^[A-Za-z0-9_-]{60,120}$/);
  });

  it.each([
    ['redirect_uri', { redirect_uri: undefined }, '`redirect_uri` is required for AUTHENTICATION'],
    ['redirect_uri', { redirect_uri: 'https://rp.example/callback' }, '`redirect_uri` is not registered'],
    ['redirect_uri', { redirect_uri: 'x'.repeat(2001) }, '`redirect_uri`'],
    ['state', { state: 'x'.repeat(501) }, '`state`'],
    ['redirect_uri', { redirect_uri: null }, '`redirect_uri` is required for AUTHENTICATION'],
    ['state', { state: '\ud800' }, '`state`'],
    ['signature_type', { signature_type: undefined }, '`signature_type`'],
    ['signature_type', { signature_type: null }, '`signature_type` is required'],
    ['signature_type', { signature_type: 'authentication' }, '`signature_type`'],
    ['signature_type', { signature_type: 'signing' }, '`signature_type`'],
    ['code_challenge', { code_challenge: undefined }, '`code_challenge` is required'],
    ['code_challenge', { code_challenge: null }, '`code_challenge` is required'],
    ['code_challenge', { code_challenge: CODE_CHALLENGE.slice(1) }, '`code_challenge`'],
    ['code_challenge', { code_challenge: 'x'.repeat(129) }, '`code_challenge`'],
    ['code_challenge', { code_challenge: `${CODE_CHALLENGE}=` }, '`code_challenge`'],
    ['code_challenge_method', { code_challenge_method: undefined }, '`code_challenge_method` is required'],
    ['code_challenge_method', { code_challenge_method: null }, '`code_challenge_method` is required'],
    ['code_challenge_method', { code_challenge_method: 'plain' }, '`code_challenge_method`'],
    ['signed_data_hash', { signed_data_hash: 'a'.repeat(128) }, '`signed_data_hash` does not belong to AUTHENTICATION'],
    ['signed_data_name', { signed_data_name: 'a.pdf' }, '`signed_data_name` does not belong to AUTHENTICATION'],
    ['documents', { documents: [] }, '`documents` must be a list of 1 to 50'],
    ['documents', { documents: [{ name: 'a.pdf', hash: 'a'.repeat(128) }] }, '`documents` does not belong to AUTHENTICATION'],
    ['title', { title: 'x'.repeat(256) }, '`title`'],
    ['title', { title: { constructor: 'x' } }, '`title` holds a member of the name `constructor`'],
    ['title', { title: 'line\nbreak' }, '`title`'],
    ['title', { title: 'abc\u202edef' }, '`title`'],
    ['title', { title: 'abc\u2028def' }, '`title`'],
    ['subject_id', { subject_id: 'nobody' }, '`subject_id`'],
    ['push', { push: true }, '`push` needs `subject_id`'],
    ['push', { push: 'true' }, '`push`'],
    ['properties', { properties: '' }, '`properties`'],
    ['properties', { properties: 'e30=' }, '`properties` is not base64url'],
    ['properties', { properties: properties({}) }, '`properties` asks for nothing'],
    ['properties', { properties: properties({ attributes: ['name', 'name'] }) }, '`properties` names something twice'],
    ['properties', { properties: properties({ attributes: ['shoeSize'] }) }, '`properties` names an attribute'],
    ['properties', { properties: properties({ predicates: ['ageOver0'] }) }, '`properties` names an attribute'],
    ['properties', { properties: properties({ attributes: 'name' }) }, '`properties` needs `attributes`'],
    ['properties', { properties: properties({ attributes: ['name'], more: 1 }) }, '`properties` has a member'],
    ['properties', { properties: properties([]) }, '`properties` does not hold a JSON object'],
    ['hosted_page', { hosted_page: 1 }, '`hosted_page`'],
    ['client_id', { client_id: 'x' }, '`client_id`'],
    ['redirectUri', { redirectUri: REDIRECT_URI }, '`redirectUri`'],
  ])('refuses a wrong %s (%#)', async (_, change, text) => {
    const { status, body } = await api.call('POST', '/session', { ...LOGIN, ...change });
    expect({ status, code: body.errorCode }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.defaultTranslation).toContain(text);
  });

  it.each(['state', 'signed_data_hash', 'signed_data_name', 'title', 'subject_id', 'push', 'properties', 'hosted_page'])(
    'counts null for %s as absent',
    async (field) => {
      const { status, body } = await api.call('POST', '/session', { ...LOGIN, [field]: null });
      expect([status, Object.keys(body).sort()]).toEqual([200, ['expiresAt', 'pushStatus', 'sessionId']]);
    },
  );

  it('counts code points, not UTF-16 units', async () => {
    expect((await api.call('POST', '/session', { ...LOGIN, title: '😀'.repeat(255), state: '😀'.repeat(500) })).status).toBe(200);
    expect((await api.call('POST', '/session', { ...LOGIN, title: '😀'.repeat(256) })).status).toBe(400);
  });

  it('refuses properties outside the allow-list', async () => {
    const { status, body } = await api.call('POST', '/session', { ...LOGIN, properties: properties({ attributes: ['personalCode'] }) });
    expect({ status, code: body.errorCode }).toEqual({ status: 400, code: 'invalid_scope' });
  });

  it('answers NO_DEVICE for a subject that cannot be resolved, and counts it', async () => {
    const push = { ...LOGIN, push: true, subject_id: '00000000-0000-4000-8000-000000000001' };
    for (let count = 0; count < 5; count++) expect((await api.call('POST', '/session', push)).body.pushStatus).toBe('NO_DEVICE');
    const sixth = await api.call('POST', '/session', push);
    expect({ status: sixth.status, code: sixth.body.errorCode }).toEqual({ status: 429, code: 'rate_limited' });
    expect(sixth.headers).toMatchObject({ 'retry-after': expect.any(String), 'ratelimit-limit': '5' });
  });
});

describe('Idempotency-Key', () => {
  const once = { 'idempotency-key': 'order-1' };

  it('answers the same session to twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call('POST', '/session', { ...LOGIN, hosted_page: true }, once)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('takes null for a field, and the body without the field, for the same request', async () => {
    const same = { 'idempotency-key': 'order-with-null' };
    const first = await api.call('POST', '/session', { ...LOGIN, title: null }, same);
    expect((await api.call('POST', '/session', LOGIN, same)).body).toEqual(first.body);
  });

  it('refuses another body', async () => {
    const { status, body } = await api.call('POST', '/session', LOGIN, once);
    expect({ status, code: body.errorCode }).toEqual({ status: 409, code: 'idempotency_conflict' });
  });

  it('is forgotten after 120 seconds', async () => {
    const first = await api.call('POST', '/session', LOGIN, { 'idempotency-key': 'order-2' });
    api.platform.clock.advance(120_000);
    const second = await api.call('POST', '/session', LOGIN, { 'idempotency-key': 'order-2' });
    expect(second.body.sessionId).not.toBe(first.body.sessionId);
  });

  it('belongs to one client', async () => {
    const mine = await api.call('POST', '/session', LOGIN, { 'idempotency-key': 'order-3' });
    const theirs = await api.call('POST', '/session', LOGIN, { 'idempotency-key': 'order-3' }, api.other);
    expect(theirs.status).toBe(200);
    expect(theirs.body.sessionId).not.toBe(mine.body.sessionId);
  });

  it.each(['', 'ü', 'x'.repeat(256), 'two words'])('refuses the key (%#)', async (key) => {
    expect((await api.call('POST', '/session', LOGIN, { 'idempotency-key': key })).body.errorCode).toBe('invalid_request');
  });
});

describe('other endpoints', () => {
  it('have no result for an authentication session', async () => {
    const sessionId = await api.create();
    expect(await api.call('GET', `/session/${sessionId}/result`)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    expect(await api.call('GET', `/session/${sessionId}/result`, undefined, {}, api.other)).toMatchObject({ status: 404 });
  });

  it('let the client withdraw a session', async () => {
    const sessionId = await api.create();
    expect((await api.call('DELETE', `/session/${sessionId}`)).status).toBe(204);
    expect(await api.events(sessionId)).toEqual(['SessionCreated', 'SessionCancelled']);
    expect(await api.call('DELETE', `/session/${sessionId}`)).toMatchObject({ status: 409, body: { errorCode: 'session_not_cancellable' } });
  });

  it.each(['/session', '/nothing', '/session/x/y/z'])('check the credentials at %s before they read the body', async (path) => {
    const answer = await api.app.inject({
      method: 'POST',
      url: `/relying-party/v1${path}`,
      headers: { 'content-type': 'application/json' },
      payload: '{broken',
    });
    expect([answer.statusCode, answer.body, answer.headers['www-authenticate']]).toEqual([401, '', 'Basic realm="Realm"']);
  });
});
