import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import {
  CallbackRefused,
  ClientAuthenticationFailed,
  codeChallengeOf,
  InvalidGrant,
  InvalidRequest,
  RateLimited,
  RelyingPartyClient,
  type RelyingPartyClientOptions,
  ServiceUnavailable,
  ServiceUnreachable,
  SessionConflict,
  SessionNotFound,
  type SessionState,
  UnexpectedAnswer,
  WaitTimedOut,
} from './index.js';
import { ScriptedService, refused } from './testing/scripted-service.js';

const CLIENT_ID = '7f3c9a52-1f0e-4f57-9a44-2b8f3f0b6c11';
const CLIENT_SECRET = 'sëcret-of-the-client';
const SESSION_ID = '0b9f2c1e-61ac-4a07-8a3f-7a4f0a3c9e55';
const SUBJECT_ID = '5e2b7c90-3d1f-8a6b-9c4e-1f2a3b4c5d6e';
const CREATED = { sessionId: SESSION_ID, expiresAt: 1_900_000_120, pushStatus: 'NOT_REQUESTED' };
const PENDING = { status: 200, body: { status: 'PENDING', expiresAt: 1_900_000_120 } };
const SCANNED = { status: 200, body: { status: 'SCANNED', expiresAt: 1_900_000_120 } };
const CONFIRMED = { status: 200, body: { status: 'CONFIRMED' } };
const HELD = { headers: { 'preference-applied': 'wait=25' } };

let service: ScriptedService;
let pauses: number[];
let client: RelyingPartyClient;

const clientWith = (options: Partial<RelyingPartyClientOptions> = {}): RelyingPartyClient =>
  new RelyingPartyClient({
    baseUrl: service.baseUrl,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    pause: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      pauses.push(milliseconds);
    },
    ...options,
  });

const caught = async <Refusal>(call: Promise<unknown>, type: new (...parts: never[]) => Refusal): Promise<Refusal> => {
  const error = await call.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(type);
  return error as Refusal;
};

beforeEach(async () => {
  service = await ScriptedService.start();
  pauses = [];
  client = clientWith();
});

afterEach(() => service.stop());

describe('begins a login', () => {
  it('sends the body of POST session, with HTTP Basic in UTF-8', async () => {
    service.willAnswer({ status: 200, body: CREATED });
    const login = await client.beginLogin({ redirectUri: 'https://shop.example/callback', title: 'Harbour' });

    const [request] = service.seen;
    expect(request).toMatchObject({ method: 'POST', path: '/relying-party/v1/session' });
    expect(request?.body).toEqual({
      signature_type: 'AUTHENTICATION',
      redirect_uri: 'https://shop.example/callback',
      state: login.state,
      code_challenge: codeChallengeOf(login.codeVerifier),
      code_challenge_method: 'S256',
      title: 'Harbour',
    });
    const [scheme, credential = ''] = request?.headers.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    expect(Buffer.from(credential, 'base64').toString('utf8')).toBe(`${CLIENT_ID}:${CLIENT_SECRET}`);
    expect(login).toMatchObject(CREATED);
  });

  it('makes a new state and a new verifier for each login', async () => {
    service.willAnswer({ status: 200, body: CREATED });
    const [first, second] = [await client.beginLogin({ redirectUri: 'x' }), await client.beginLogin({ redirectUri: 'x' })];
    expect(first.state).not.toBe(second.state);
    expect(first.codeVerifier).not.toBe(second.codeVerifier);
    expect(first.codeVerifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('requests the hosted page, a push and properties by the names of the interface', async () => {
    service.willAnswer({ status: 200, body: { ...CREATED, pushStatus: 'DISPATCHED', handoffToken: 'token' } });
    const login = await client.beginLogin({
      redirectUri: 'https://shop.example/callback',
      hostedPage: true,
      subjectId: SUBJECT_ID,
      push: true,
      properties: { attributes: ['name'], predicates: ['ageOver18'] },
    });
    expect(service.seen[0]?.body).toMatchObject({
      hosted_page: true,
      subject_id: SUBJECT_ID,
      push: true,
      properties: 'eyJhdHRyaWJ1dGVzIjpbIm5hbWUiXSwicHJlZGljYXRlcyI6WyJhZ2VPdmVyMTgiXX0',
    });
    expect(login).toMatchObject({ pushStatus: 'DISPATCHED', handoffToken: 'token' });
  });

  it('repeats a creation whose answer was lost, under the same Idempotency-Key and with the same body', async () => {
    service.willAnswer({ status: 200, dropped: true }, { status: 200, body: CREATED });
    await client.beginLogin({ redirectUri: 'x' });
    const [first, second] = service.seen;
    expect(first?.headers['idempotency-key']).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    expect(second?.body).toEqual(first?.body);
  });

  it('sends the same request again for the same idempotency key of the caller, and another one for another key', async () => {
    service.willAnswer({ status: 200, body: CREATED });
    const once = await client.beginLogin({ redirectUri: 'x', idempotencyKey: 'form-1' });
    const again = await clientWith().beginLogin({ redirectUri: 'x', idempotencyKey: 'form-1' });
    const other = await client.beginLogin({ redirectUri: 'x', idempotencyKey: 'form-2' });
    expect(again).toEqual(once);
    expect(service.seen[1]?.body).toEqual(service.seen[0]?.body);
    expect(other.codeVerifier).not.toBe(once.codeVerifier);
    expect(other.state).not.toBe(once.state);
  });

  it('refuses an answer without a sessionId, or without the requested handoff token', async () => {
    service.willAnswer({ status: 200, body: { expiresAt: 1, pushStatus: 'NOT_REQUESTED' } });
    expect((await caught(client.beginLogin({ redirectUri: 'x' }), UnexpectedAnswer)).detail).toContain('sessionId');
    service.willAnswer({ status: 200, body: CREATED });
    const refusal = await caught(client.beginLogin({ redirectUri: 'x', hostedPage: true }), UnexpectedAnswer);
    expect(refusal.detail).toContain('handoffToken');
  });
});

describe('throws one error class per kind of refusal', () => {
  const families = [
    [400, 'invalid_request', InvalidRequest],
    [400, 'invalid_scope', InvalidRequest],
    [404, 'session_not_found', SessionNotFound],
    [409, 'session_already_completed', SessionConflict],
    [409, 'session_not_confirmed', SessionConflict],
    [409, 'session_not_cancellable', SessionConflict],
    [409, 'idempotency_conflict', SessionConflict],
    [500, 'internal_error', UnexpectedAnswer],
  ] as const;

  it.each(families)('%s %s', async (status, errorCode, type) => {
    service.willAnswer(refused(status, errorCode));
    const refusal = await caught(client.status(SESSION_ID), type);
    expect(refusal).toMatchObject({ status, errorCode, detail: `about ${errorCode}`, retryable: false, name: type.name });
    expect(service.seen).toHaveLength(1);
  });

  it('takes a 401, which has no envelope, for wrong credentials, and does not repeat it', async () => {
    service.willAnswer({ status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="Realm"' } });
    const refusal = await caught(client.status(SESSION_ID), ClientAuthenticationFailed);
    expect(refusal).toMatchObject({ status: 401, errorCode: undefined, retryable: false });
    expect(service.seen).toHaveLength(1);
  });

  it('follows no redirect: the credentials stay with the service', async () => {
    const elsewhere = await ScriptedService.start();
    elsewhere.willAnswer(PENDING);
    service.willAnswer({ status: 307, headers: { location: `${elsewhere.baseUrl}/relying-party/v1/session/x/status` } });
    expect((await caught(client.status(SESSION_ID), UnexpectedAnswer)).detail).toContain('baseUrl');
    expect(elsewhere.seen).toHaveLength(0);
    await elsewhere.stop();
  });

  it.each(['', '<html>', '[]', '"text"', 'null'])('refuses a body that is no JSON object: %j', async (body) => {
    service.willAnswer({ status: 200, body });
    await caught(client.status(SESSION_ID), UnexpectedAnswer);
  });

  it('refuses a status that the interface does not have', async () => {
    service.willAnswer({ status: 200, body: { status: 'DREAMING' } });
    await caught(client.status(SESSION_ID), UnexpectedAnswer);
  });

  it('escapes values in a path', async () => {
    service.willAnswer(refused(404, 'session_not_found'));
    await caught(client.status('../../admin?x'), SessionNotFound);
    expect(service.seen[0]?.path).toBe('/relying-party/v1/session/..%2F..%2Fadmin%3Fx/status');
  });
});

describe('repeats only what is safe', () => {
  const busy = refused(503, 'service_unavailable', { 'retry-after': '2' });

  it('waits as long as Retry-After says, then repeats the call', async () => {
    service.willAnswer(busy, refused(429, 'rate_limited', { 'retry-after': '3' }), PENDING);
    await expect(client.status(SESSION_ID)).resolves.toEqual({ status: 'PENDING', expiresAt: 1_900_000_120 });
    expect(pauses).toEqual([2000, 3000]);
  });

  it('gives up after the configured number of retries', async () => {
    service.willAnswer(busy);
    const refusal = await caught(client.status(SESSION_ID), ServiceUnavailable);
    expect(refusal).toMatchObject({ status: 503, errorCode: 'service_unavailable', retryAfter: 2, retryable: true });
    expect(service.seen).toHaveLength(3);
  });

  it('leaves a long pause to the caller', async () => {
    service.willAnswer(refused(429, 'rate_limited', { 'retry-after': '600' }));
    expect((await caught(client.beginLogin({ redirectUri: 'x' }), RateLimited)).retryAfter).toBe(600);
    expect(service.seen).toHaveLength(1);
  });

  it('repeats a read whose connection broke', async () => {
    service.willAnswer({ status: 0, dropped: true }, CONFIRMED);
    await expect(client.status(SESSION_ID)).resolves.toEqual({ status: 'CONFIRMED' });
  });

  it('repeats a completion that was refused temporarily, but not one whose answer was lost', async () => {
    service.willAnswer(busy, { status: 200, body: { redirect: 'https://shop.example/callback?code=c&state=s' } });
    await expect(client.complete(SESSION_ID)).resolves.toBe('https://shop.example/callback?code=c&state=s');
    service.willAnswer({ status: 0, dropped: true }, CONFIRMED);
    expect((await caught(client.complete(SESSION_ID), ServiceUnreachable)).retryable).toBe(false);
    expect(service.seen).toHaveLength(3);
  });

  it.each([busy, { status: 0, dropped: true }, refused(400, 'invalid_grant')])('never repeats a token exchange: %j', async (answer) => {
    service.willAnswer(answer);
    await expect(client.exchange({ code: 'c', codeVerifier: 'v' })).rejects.toThrow();
    expect(service.seen).toHaveLength(1);
  });

  it('gives up an attempt that takes too long', async () => {
    service.willAnswer({ status: 200, silent: true });
    const refusal = await caught(clientWith({ timeoutMs: 30, retries: 0 }).status(SESSION_ID), ServiceUnreachable);
    expect(refusal.message).toBe('the service did not answer in time');
    expect(refusal.retryable).toBe(true);
  });

  it('stops at the signal of the caller, with its reason', async () => {
    service.willAnswer({ status: 200, silent: true });
    const stop = new AbortController();
    const call = client.status(SESSION_ID, { signal: stop.signal });
    stop.abort(new Error('the user went away'));
    await expect(call).rejects.toThrow('the user went away');
    expect(service.seen.length).toBeLessThanOrEqual(1);
  });
});

describe('waits for the user', () => {
  it('asks the service to hold the answer until the status is later than the one seen', async () => {
    service.willAnswer({ ...SCANNED, ...HELD });
    await expect(client.waitForChange(SESSION_ID, { since: 'PENDING' })).resolves.toMatchObject({ status: 'SCANNED' });
    expect(service.seen[0]).toMatchObject({ path: `/relying-party/v1/session/${SESSION_ID}/status?since=PENDING`, headers: { prefer: 'wait=25' } });
    expect(pauses).toEqual([]);
  });

  it('does not miss a change from before the call', async () => {
    service.willAnswer({ ...CONFIRMED, ...HELD });
    await expect(client.waitUntilSettled(SESSION_ID)).resolves.toBe('CONFIRMED');
    expect(service.seen[0]?.path).toContain('?since=PENDING');
  });

  it('polls every 2 s where the answer is not held', async () => {
    service.willAnswer(PENDING, PENDING, PENDING, SCANNED);
    await expect(client.waitForChange(SESSION_ID)).resolves.toMatchObject({ status: 'SCANNED' });
    expect(pauses).toEqual([2000, 2000, 2000]);
    expect(service.seen.map(({ path }) => path.split('?')[1])).toEqual(Array(4).fill('since=PENDING'));
  });

  it('answers the unchanged status when there is no time left for another poll', async () => {
    service.willAnswer(PENDING);
    await expect(client.waitForChange(SESSION_ID, { since: 'PENDING', waitSeconds: 1 })).resolves.toMatchObject({ status: 'PENDING' });
    expect(service.seen).toHaveLength(1);
  });

  it('does not poll in a loop when a held answer comes back early and unchanged', async () => {
    service.willAnswer({ ...PENDING, ...HELD }, { ...SCANNED, ...HELD });
    await client.waitForChange(SESSION_ID, { since: 'PENDING' });
    expect(pauses).toEqual([2000]);
  });

  it.each(['CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'])('ends with %s after reporting every change once', async (settled) => {
    service.willAnswer({ ...PENDING, ...HELD }, { ...PENDING, ...HELD }, { ...SCANNED, ...HELD }, { status: 200, body: { status: settled } });
    const changes: SessionState[] = [];
    await expect(client.waitUntilSettled(SESSION_ID, { onChange: (state) => changes.push(state) })).resolves.toBe(settled);
    expect(changes.map(({ status }) => status)).toEqual(['SCANNED', settled]);
  });

  it('keeps waiting while the service is unavailable', async () => {
    const busy = refused(503, 'service_unavailable', { 'retry-after': '1' });
    service.willAnswer(busy, busy, busy, { status: 0, dropped: true }, CONFIRMED);
    await expect(client.waitUntilSettled(SESSION_ID)).resolves.toBe('CONFIRMED');
  });

  it('ends at a refusal that is not temporary', async () => {
    service.willAnswer(PENDING, refused(404, 'session_not_found'));
    await caught(client.waitUntilSettled(SESSION_ID), SessionNotFound);
  });

  it('throws WaitTimedOut when the time is up first', async () => {
    service.willAnswer({ ...PENDING, ...HELD });
    await caught(clientWith({ pollIntervalMs: 1 }).waitUntilSettled(SESSION_ID, { timeoutMs: 20 }), WaitTimedOut);
  });

  it('stops waiting at the signal of the caller', async () => {
    service.willAnswer(PENDING);
    const stop = new AbortController();
    const waiting = clientWith({
      pause: async (_milliseconds, signal) => {
        stop.abort(new Error('the page was closed'));
        signal?.throwIfAborted();
      },
    }).waitUntilSettled(SESSION_ID, { signal: stop.signal });
    await expect(waiting).rejects.toThrow('the page was closed');
  });
});

describe('finishes a login', () => {
  const login = { state: 'the-state-of-this-login', codeVerifier: 'v'.repeat(43) };

  it('verifies the state and redeems the code with the verifier', async () => {
    service.willAnswer({ status: 200, body: { subjectId: SUBJECT_ID, attributes: { name: 'Mari Maasikas' }, predicates: { ageOver18: true } } });
    const query = new URLSearchParams({ code: 'the-code', state: login.state });
    await expect(client.finishLogin(login, query)).resolves.toEqual({
      subjectId: SUBJECT_ID,
      attributes: { name: 'Mari Maasikas' },
      predicates: { ageOver18: true },
    });
    expect(service.seen[0]).toMatchObject({
      method: 'POST',
      path: '/relying-party/v1/session/token',
      body: { code: 'the-code', code_verifier: login.codeVerifier },
    });
  });

  it.each([
    ['STATE_MISSING', { code: 'c' }],
    ['STATE_MISSING', { code: 'c', state: '' }],
    ['STATE_MISSING', { code: 'c', state: [login.state, login.state] }],
    ['STATE_MISSING', new URLSearchParams(`code=c&state=${login.state}&state=${login.state}`)],
    ['STATE_DIFFERENT', { code: 'c', state: 'the-state-of-another-one' }],
    ['STATE_DIFFERENT', { code: 'c', state: `${login.state}x` }],
    ['CODE_MISSING', { state: login.state }],
    ['CODE_MISSING', { state: login.state, code: ['a', 'b'] }],
  ])('refuses a callback with %s and leaves its code alone: %j', async (reason, query) => {
    const refusal = await caught(client.finishLogin(login, query), CallbackRefused);
    expect(refusal.reason).toBe(reason);
    expect(service.seen).toHaveLength(0);
  });

  it('throws InvalidGrant for a code that is no longer valid', async () => {
    service.willAnswer(refused(400, 'invalid_grant'));
    const refusal = await caught(client.finishLogin(login, { code: 'c', state: login.state }), InvalidGrant);
    expect(refusal).toMatchObject({ status: 400, errorCode: 'invalid_grant', retryable: false });
  });

  it('refuses an answer whose predicates are not booleans', async () => {
    service.willAnswer({ status: 200, body: { subjectId: SUBJECT_ID, predicates: { ageOver18: 'true' } } });
    await caught(client.exchange({ code: 'c', codeVerifier: 'v' }), UnexpectedAnswer);
  });
});

it('withdraws a login', async () => {
  service.willAnswer({ status: 204, body: '' });
  await client.withdraw(SESSION_ID);
  expect(service.seen[0]).toMatchObject({ method: 'DELETE', path: `/relying-party/v1/session/${SESSION_ID}` });
});

describe('keeps the client secret', () => {
  it('redacts it when the client is printed', () => {
    for (const printed of [inspect(client, { showHidden: true, depth: 9 }), JSON.stringify(client)]) {
      expect(printed).not.toContain(CLIENT_SECRET);
      expect(printed).not.toContain(Buffer.from(CLIENT_SECRET).toString('base64').slice(0, 12));
    }
    expect(inspect(client)).toContain('[redacted]');
  });

  it('puts neither secret, code nor verifier into an error', async () => {
    service.willAnswer({ status: 0, dropped: true });
    const error = await caught(client.exchange({ code: 'the-code', codeVerifier: 'the-verifier' }), ServiceUnreachable);
    const printed = inspect(error, { showHidden: true, depth: 9 });
    expect(printed).not.toMatch(/the-code|the-verifier|Basic /);
  });

  it.each([
    ['http://service.example', 'https beyond loopback'],
    ['ftp://service.example', 'https address'],
    ['service.example', 'absolute'],
    ['https://user:pass@service.example', 'user info'],
    ['https://service.example/?a=b', 'query'],
  ])('is not sent to %s', (baseUrl, fault) => {
    expect(() => clientWith({ baseUrl })).toThrow(fault);
  });

  it('may go over plain http where allowPlainHttp is set', () => {
    expect(clientWith({ baseUrl: 'http://gateway:8080/', allowPlainHttp: true }).baseUrl).toBe('http://gateway:8080');
  });

  it('needs a client_id that is a UUID', () => {
    expect(() => clientWith({ clientId: 'shop' })).toThrow('clientId must be a UUID');
    expect(() => clientWith({ clientSecret: '' })).toThrow('clientSecret is empty');
  });
});
