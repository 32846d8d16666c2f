import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';

import { CallbackRefused, codeChallengeOf, InvalidGrant, ServiceUnreachable, UnexpectedAnswer } from './index.js';
import { refused } from '../../../../testkit/relying-party-client/scripted-service.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  SESSION_ID,
  SUBJECT_ID,
  CREATED,
  service,
  client,
  clientWith,
  caught,
  useScriptedService,
} from '../../../../testkit/relying-party-client/scripted-client.js';

useScriptedService();

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

  it('tells whether the code changes each second, and has its frames then', async () => {
    service.willAnswer({ status: 200, body: { ...CREATED, qrMode: 'DYNAMIC', qrSecret: 'c2VjcmV0' } });
    expect(await client.beginLogin({ redirectUri: 'x' })).toMatchObject({ qrMode: 'DYNAMIC', qrFrames: { secret: 'c2VjcmV0' } });
    service.willAnswer({ status: 200, body: { ...CREATED, qrSecret: 'c2VjcmV0' } }); // a service of a former release
    expect(await client.beginLogin({ redirectUri: 'x' })).toMatchObject({ qrMode: 'DYNAMIC', qrFrames: { secret: 'c2VjcmV0' } });
    service.willAnswer({ status: 200, body: { ...CREATED, qrMode: 'DYNAMIC' } });
    await caught(client.beginLogin({ redirectUri: 'x' }), UnexpectedAnswer);
    service.willAnswer({ status: 200, body: CREATED });
    expect(await client.beginLogin({ redirectUri: 'x' })).not.toHaveProperty('qrMode');
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

  it.each([null, undefined])('refuses a subjectId that is %p, which would open the login to every person', async (subjectId) => {
    const request = { redirectUri: 'https://shop.example/callback', subjectId: subjectId as unknown as string };
    await expect(client.beginLogin(request)).rejects.toThrow(TypeError);
    await expect(client.beginSigning({ data: { sha512: 'a'.repeat(128) }, subjectId: subjectId as unknown as string })).rejects.toThrow(TypeError);
    expect(service.seen).toEqual([]);
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
    expect(refusal).toMatchObject({ httpStatus: 400, errorCode: 'invalid_grant', retryable: false });
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
