import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type CountedRun, countCalls } from '#testkit/event-store/count-calls';
import { CODE_CHALLENGE, CODE_VERIFIER, REDIRECT_URI } from '#testkit/session/login-request';
import { epochSeconds, LocatingTokens } from '#kernel';
import { DpopKey } from '#testkit/openid/dpop-key';

import { backchannelFixture, CIBA } from './backchannel.fixture.js';
import { basic, GRANT } from './openid.fixture.js';

const ISSUER = 'http://localhost:3000/openid';

let api: Awaited<ReturnType<typeof backchannelFixture>>;
let count: CountedRun;
beforeAll(async () => {
  // Each test pushes to the one person.
  api = await backchannelFixture(undefined, { PUSH_LIMIT: '1000', PUSH_PERSON_LIMIT: '1000' });
  count = countCalls(api.platform.eventStore);
});
afterAll(() => api.close());

const asked = (more: Readonly<Record<string, string>> = {}) => api.ask({ login_hint: api.sub, ...more });
const claimsOf = async (idToken: unknown) => {
  const keys = createLocalJWKSet((await api.get('jwks')).body as unknown as JSONWebKeySet);
  const options = { issuer: ISSUER, audience: api.client.clientId, currentDate: new Date(api.platform.clock.now()) };
  return (await jwtVerify(String(idToken), keys, options)).payload;
};

describe('a login without a browser', () => {
  it('is named by the metadata', async () => {
    expect((await api.get('.well-known/openid-configuration')).body).toMatchObject({
      backchannel_authentication_endpoint: `${ISSUER}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_user_code_parameter_supported: false,
      grant_types_supported: ['authorization_code', CIBA],
    });
  });

  it('shows the message on the phone of the person, and answers the tokens once it is approved', async () => {
    const { status, body } = await api.post('bc-authorize', {
      scope: 'openid profile',
      login_hint: api.sub,
      binding_message: 'Call from the harbour, 4711',
      acr_values: 'anything',
      requested_expiry: '120',
    });
    expect([status, body]).toEqual([200, { auth_req_id: expect.stringMatching(/^[\w-]{60,}$/), expires_in: 300, interval: 2 }]);
    const id = String(body['auth_req_id']);
    expect((await api.pending()).map(({ sessionId }) => sessionId)).toContain(api.sessionOf(id));

    const { title, requested, toBeSigned, relyingPartyName } = await api.scan(id);
    expect([title, relyingPartyName, requested]).toEqual(['Call from the harbour, 4711', 'Shop', { attributes: ['name'], predicates: [] }]);
    await api.confirm(id, toBeSigned);

    const now = Math.floor(api.platform.clock.now() / 1000);
    const tokens = await api.poll(id);
    expect([tokens.status, tokens.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(tokens.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid profile',
      id_token: expect.any(String),
    });
    const claims = await claimsOf(tokens.body['id_token']);
    expect(claims).toMatchObject({ sub: api.sub, auth_time: now, amr: ['pin', 'swk', 'mfa'], name: 'Mari Maasikas' });
    const authorization = `Bearer ${String(tokens.body['access_token'])}`;
    expect((await api.get('userinfo', {}, { authorization })).body).toEqual({ sub: api.sub, name: 'Mari Maasikas' });
  });

  it('has the events of a native login and no more, the last two in one append', async () => {
    const id = await asked();
    await api.approve(id);
    const [, { appends }] = await count(() => api.poll(id));
    expect(appends).toBe(1);
    expect(await api.events(api.sessionOf(id))).toEqual(['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'CodeRedeemed']);
  });

  it('gives evidence where the scope asks for it', async () => {
    const id = await asked({ scope: 'openid evidence' });
    await api.approve(id);
    expect((await api.poll(id)).body).toHaveProperty('evidence');
  });

  it('takes an ID token of the client as the hint, also one that is over', async () => {
    const id = await asked();
    await api.approve(id);
    const { id_token: hint } = (await api.poll(id)).body;
    api.platform.clock.advance(86_400_000);
    const again = await api.ask({ id_token_hint: String(hint) });
    await api.approve(again);
    expect((await claimsOf((await api.poll(again)).body['id_token'])).sub).toBe(api.sub);
  });

  it('asks for the verification code on the phone, for a client that has them', async () => {
    const { changeClient } = api.platform.useCases.relyingParties();
    await changeClient.execute(api.client.clientId, { verificationCode: true });
    const { body } = await api.post('bc-authorize', { scope: 'openid', login_hint: api.sub });
    expect(body['verification_code']).toMatch(/^\d\d$/);
    const id = String(body['auth_req_id']);
    const { verificationCodes = [], toBeSigned } = await api.scan(id);
    expect(verificationCodes).toContain(body['verification_code']);
    await expect(api.confirm(id, toBeSigned)).rejects.toMatchObject({ code: 'invalid_request' });
    const wrong = verificationCodes.find((code) => code !== body['verification_code']);
    await expect(api.confirm(id, toBeSigned, wrong)).rejects.toMatchObject({ code: 'wrong_verification_code' });
    expect((await api.poll(id)).body).toMatchObject({ error: 'access_denied' });
    await changeClient.execute(api.client.clientId, { verificationCode: false });
  });
});

describe('a poll', () => {
  it('answers that the person has not decided, and then to slow down', async () => {
    const id = await asked();
    expect(await api.poll(id)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    await api.scan(id);
    expect(await api.poll(id)).toMatchObject({ status: 400, body: { error: 'slow_down' } });
  });

  it('is never told to slow down once the person has approved', async () => {
    const id = await asked();
    await api.poll(id);
    await api.approve(id);
    expect((await api.poll(id)).status).toBe(200);
  });

  it('is held until the person has approved, where it asks for that; a scan alone ends it not', async () => {
    const id = await asked();
    const held = api.poll(id, { authorization: basic(api.client), prefer: 'wait=20' });
    const { toBeSigned } = await api.scan(id);
    await api.confirm(id, toBeSigned);
    const { status, headers } = await held;
    expect([status, headers['preference-applied']]).toEqual([200, 'wait=20']);
  });

  it('is held until the person has declined', async () => {
    const id = await asked();
    const held = api.poll(id, { authorization: basic(api.client), prefer: 'wait=20' });
    await api.decline(id);
    expect((await held).body).toMatchObject({ error: 'access_denied' });
    api.platform.clock.advance(3_600_000);
  });

  it('works once', async () => {
    const id = await asked();
    await api.approve(id);
    expect((await api.poll(id)).status).toBe(200);
    expect(await api.poll(id)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it.each([undefined, 'x'.repeat(256)])('needs the id of a request: %#', async (auth_req_id) => {
    expect((await api.post('token', { grant_type: CIBA, auth_req_id })).body).toMatchObject({ error: 'invalid_request' });
  });

  it('of another client, with an altered id, or with the token of another purpose, finds nothing', async () => {
    const id = await asked();
    await api.approve(id);
    const [created] = await api.platform.eventStore.read(`session-${api.sessionOf(id)}` as never);
    const handoff = new LocatingTokens(api.platform.keys.token, 'handoff-token').make(api.sessionOf(id), created?.id ?? '');
    for (const wrong of [`${id.slice(0, -2)}AA`, 'x', handoff]) expect((await api.poll(wrong)).body).toEqual({ error: 'invalid_grant' });
    expect((await api.poll(id, { authorization: basic(api.other) })).body).toEqual({ error: 'invalid_grant' });
    expect((await api.poll(id)).status).toBe(200);
  });

  it('finds no login that began in a browser', async () => {
    const sessionId = await api.begin();
    const [created] = await api.platform.eventStore.read(`session-${sessionId}` as never);
    const id = new LocatingTokens(api.platform.keys.token, 'openid-auth-req-id').make(sessionId, created?.id ?? '');
    expect((await api.poll(id)).body).toEqual({ error: 'invalid_grant' });
  });
});

describe('the end of a login without a browser', () => {
  it('is expired_token once the time is up, and an unknown request ten minutes later', async () => {
    const id = await asked();
    api.platform.clock.advance(299_999);
    expect((await api.poll(id)).body).toMatchObject({ error: 'authorization_pending' });
    api.platform.clock.advance(1);
    expect((await api.poll(id)).body).toMatchObject({ error: 'expired_token' });
    api.platform.clock.advance(600_000);
    expect((await api.poll(id)).body).toEqual({ error: 'invalid_grant' });
  });

  it('is expired_token a minute after the time of the request, though the person approved', async () => {
    const id = await asked();
    await api.approve(id);
    api.platform.clock.advance(359_999);
    const other = await asked();
    await api.approve(other);
    expect((await api.poll(id)).status).toBe(200);
    api.platform.clock.advance(360_000);
    expect((await api.poll(other)).body).toMatchObject({ error: 'expired_token' });
    expect(await api.events(api.sessionOf(other))).not.toContain('CodeRedeemed');
  });

  it('is access_denied where the approval is not that of the phone', async () => {
    const id = await asked();
    await api.scan(id);
    const at = api.platform.clock.now();
    await api.append(api.sessionOf(id), {
      type: 'SessionConfirmed',
      data: { signature: api.sign('another statement'), codeExpiresAt: at + 60_000, at },
    });
    expect(await api.poll(id)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect(await api.events(api.sessionOf(id))).not.toContain('SessionCompleted');
  });

  it.each([
    ['the phone was revoked', (world: typeof api) => world.platform.useCases.phones().revokeDevice.execute(world.identityId, world.deviceId)],
    ['the person was erased', (world: typeof api) => world.platform.useCases.erasures().eraseIdentity.execute(world.identityId)],
  ])('is access_denied where %s after the approval', async (_, end) => {
    const world = await backchannelFixture();
    const id = await world.ask({ login_hint: world.sub });
    await world.approve(id);
    await end(world);
    expect((await world.poll(id)).body).toMatchObject({ error: 'access_denied' });
    expect(await world.events(world.sessionOf(id))).not.toContain('CodeRedeemed');
    await world.close();
  });
});

describe('a request that breaks a rule stores nothing', () => {
  const refused = async (form: Readonly<Record<string, string>>) => {
    const [answer, { appends }] = await count(() => api.post('bc-authorize', { scope: 'openid', ...form }));
    expect([answer.status, appends]).toEqual([400, 0]);
    return answer.body['error'];
  };

  it.each(['47101010033', 'EE47101010033', '+37255500000', 'mari@example.com', '00000000-0000-8000-8000-000000000001'])(
    'as a hint that is not a subject of the client: %j',
    async (login_hint) => {
      expect(await refused({ login_hint })).toBe('unknown_user_id');
    },
  );

  it("as the subject of another client's", async () => {
    const { linkSubject } = api.platform.useCases.identity();
    expect(await refused({ login_hint: await linkSubject.execute(api.other.clientId, api.identityId) })).toBe('unknown_user_id');
  });

  it('as a person who has blocked the client: told as one that does not exist', async () => {
    const { blockClient } = api.platform.useCases.deviceSessions();
    await blockClient.execute(api.client.clientId, await api.phone());
    expect(await refused({ login_hint: api.sub })).toBe('unknown_user_id');
    await blockClient.undo(api.client.clientId, await api.phone());
  });

  it.each([
    ['no hint', {}],
    ['an empty hint, which counts as none', { login_hint: '' }],
    ['two hints', { login_hint: 'one', id_token_hint: 'two' }],
    ['a token as the hint', { login_hint_token: 'one' }],
    ['a text that is no ID token of the client', { id_token_hint: 'one' }],
    ['a wish for a time that is no number', { login_hint: 'SUB', requested_expiry: 'soon' }],
  ])('as %s', async (_, form: Readonly<Record<string, string>>) => {
    expect(await refused({ ...form, ...(form['login_hint'] === 'SUB' && { login_hint: api.sub }) })).toBe('invalid_request');
  });

  it.each([' ', 'two\nlines', 'abc\u202edef', 'x'.repeat(256)])('as a message that the phone cannot show: %j', async (binding_message) => {
    expect(await refused({ login_hint: api.sub, binding_message })).toBe('invalid_binding_message');
  });

  it('as a text that the client has not signed as its request, or no scope openid', async () => {
    expect(await refused({ request: 'jwt' })).toBe('invalid_request_object');
    expect(await refused({ login_hint: api.sub, scope: 'profile' })).toBe('invalid_scope');
  });

  it('as a client without its secret', async () => {
    const answer = await api.post('bc-authorize', { scope: 'openid', login_hint: api.sub, client_id: api.client.clientId }, {});
    expect([answer.status, answer.body]).toEqual([401, { error: 'invalid_client' }]);
  });
});

describe('a client whose tokens are bound to a key', () => {
  it('proves the key with the poll that gets them', async () => {
    const { changeClient } = api.platform.useCases.relyingParties();
    await changeClient.execute(api.client.clientId, { dpopBoundAccessTokens: true });
    const id = await asked();
    await api.approve(id);
    expect((await api.poll(id)).body).toMatchObject({ error: 'invalid_dpop_proof' });
    expect(await api.events(api.sessionOf(id))).not.toContain('SessionCompleted');
    const dpop = await new DpopKey().proof({ htu: `${ISSUER}/token`, iat: epochSeconds(api.platform.clock.now()) });
    expect((await api.poll(id, { authorization: basic(api.client), dpop })).body).toMatchObject({ token_type: 'DPoP' });
    await changeClient.execute(api.client.clientId, { dpopBoundAccessTokens: false });
  });
});

describe('a client with an address for pings', () => {
  const address = async (backchannelClientNotificationEndpoint: string) =>
    api.platform.useCases.relyingParties().changeClient.execute(api.client.clientId, { backchannelClientNotificationEndpoint });
  beforeAll(() => address('https://rp.example/ciba'));
  afterAll(() => address(''));

  it.each([undefined, '', 'with a blank', 'x'.repeat(1025)])('has to bring a token for them: %#', async (client_notification_token) => {
    const { body } = await api.post('bc-authorize', { scope: 'openid', login_hint: api.sub, client_notification_token });
    expect(body).toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('client_notification_token') });
  });

  it('may still poll, and its token is stored sealed, and shown to no phone', async () => {
    const token = 'the-token-of-the-client';
    const id = await asked({ client_notification_token: token });
    expect((await api.poll(id)).body).toMatchObject({ error: 'authorization_pending' });
    const [created] = await api.platform.eventStore.read(`session-${api.sessionOf(id)}` as never);
    expect(JSON.stringify(created?.data)).not.toContain(token);
    expect(JSON.stringify(await api.scan(id))).not.toContain(token);
  });
});

describe('a login without a browser is none of', () => {
  it('the native interface: no completion, no code', async () => {
    const { completeSession, exchangeToken } = api.platform.useCases.relyingPartySessions();
    const client = (await api.platform.useCases.relyingParties().findClient.execute(api.client.clientId))!;
    const id = await asked();
    await api.approve(id);
    const sessionId = api.sessionOf(id);
    await expect(completeSession.execute(sessionId, client.clientId)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await api.poll(id)).status).toBe(200);
    const confirmed = (await api.platform.eventStore.read(`session-${sessionId}` as never)).find(({ type }) => type === 'SessionConfirmed');
    const code = new LocatingTokens(api.platform.keys.token, 'authorization-code').make(sessionId, confirmed?.id ?? '');
    await expect(exchangeToken.execute({ code, codeVerifier: CODE_VERIFIER }, client)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect((await api.post('token', { ...GRANT, code })).body).toEqual({ error: 'invalid_grant' });
  });

  it('the code flow: its parameters have no effect', async () => {
    const id = await asked({ redirect_uri: REDIRECT_URI, code_challenge: CODE_CHALLENGE, nonce: 'nonce', state: 'state' });
    const [created] = await api.platform.eventStore.read(`session-${api.sessionOf(id)}` as never);
    for (const member of ['redirectUri', 'codeChallenge', 'handoffExpiresAt']) expect(created?.data).not.toHaveProperty(member);
    expect(created?.data).toMatchObject({ issuer: true, backchannel: true, subjectId: api.sub, pushStatus: 'DISPATCHED' });
  });
});

describe('too many requests for one person', () => {
  it('are refused with the time to wait, and the person is not asked', async () => {
    const world = await backchannelFixture();
    for (let count = 0; count < 5; count++) await world.ask({ login_hint: world.sub });
    const { status, body, headers } = await world.post('bc-authorize', { scope: 'openid', login_hint: world.sub });
    expect([status, body['error'], Number(headers['retry-after']) > 0]).toEqual([429, 'temporarily_unavailable', true]);
    expect(await world.pending()).toHaveLength(5);
    await world.close();
  });
});
