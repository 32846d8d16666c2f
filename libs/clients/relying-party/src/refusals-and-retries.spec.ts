import { describe, expect, it } from '@jest/globals';

import {
  ClientAuthenticationFailed,
  InvalidGrant,
  InvalidRequest,
  RateLimited,
  ServiceUnavailable,
  ServiceUnreachable,
  SessionConflict,
  SessionNotFound,
  UnexpectedAnswer,
} from './index.js';
import { ScriptedService, refused } from '../../../../testkit/relying-party-client/scripted-service.js';
import {
  SESSION_ID,
  PENDING,
  CONFIRMED,
  service,
  pauses,
  client,
  clientWith,
  caught,
  useScriptedService,
} from '../../../../testkit/relying-party-client/scripted-client.js';

useScriptedService();

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
    expect(refusal).toMatchObject({ httpStatus: status, errorCode, detail: `about ${errorCode}`, retryable: false, name: type.name });
    expect(refusal.message).toBe(`the login service refused the call: ${errorCode}`);
    expect(refusal.stack).toMatch(new RegExp(`\\n {4}detail: "about ${errorCode}"$`));
    expect(service.seen).toHaveLength(1);
  });

  it('writes the detail into the stack as one short line, whatever it holds', async () => {
    const detail = `redirect_uri\n    at evil${'!'.repeat(10_000)}`;
    service.willAnswer({ status: 400, body: { errorCode: 'invalid_request', defaultTranslation: detail } });
    const { stack = '', detail: kept } = await caught(client.status(SESSION_ID), InvalidRequest);
    expect(kept).toBe(detail);
    expect(stack.split('\n').at(-1)).toMatch(/^ {4}detail: "redirect_uri\\n {4}at evil!{400,500}"$/);
  });

  it('keeps a text that is no code out of the message', async () => {
    service.willAnswer(refused(400, '<b>password of the gateway</b>'));
    expect((await caught(client.status(SESSION_ID), InvalidRequest)).message).toBe('the login service refused the call: HTTP 400');
  });

  it('takes a 401, which has no envelope, for wrong credentials, and does not repeat it', async () => {
    service.willAnswer({ status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="Realm"' } });
    const refusal = await caught(client.status(SESSION_ID), ClientAuthenticationFailed);
    expect(refusal).toMatchObject({ httpStatus: 401, errorCode: undefined, retryable: false });
    expect(refusal.stack).toMatch(/detail: "client_id or client_secret is wrong, or the client is disabled"$/);
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
    expect(refusal).toMatchObject({ httpStatus: 503, errorCode: 'service_unavailable', retryAfter: 2, retryable: true });
    expect(service.seen).toHaveLength(3);
  });

  it('leaves a long pause to the caller', async () => {
    service.willAnswer(refused(429, 'rate_limited', { 'retry-after': '600' }));
    expect((await caught(client.beginLogin({ redirectUri: 'x' }), RateLimited)).retryAfter).toBe(600);
    expect(service.seen).toHaveLength(1);
  });

  it('repeats no call with wrong credentials, even where Retry-After says when', async () => {
    service.willAnswer({ status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="Realm"', 'retry-after': '2' } });
    expect(await caught(client.status(SESSION_ID), ClientAuthenticationFailed)).toMatchObject({ retryAfter: 2, retryable: false });
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

  it.each([
    [busy, ServiceUnavailable],
    [{ status: 0, dropped: true }, ServiceUnreachable],
    [refused(400, 'invalid_grant'), InvalidGrant],
  ])('never repeats a token exchange: %j', async (answer, type) => {
    service.willAnswer(answer);
    await caught(client.exchange({ code: 'c', codeVerifier: 'v' }), type);
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
