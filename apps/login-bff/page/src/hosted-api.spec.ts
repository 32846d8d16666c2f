import { jest } from '@jest/globals';

import { ServerClock } from '#web-page/browser';
import { HostedApi } from './hosted-api.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';

const apiAnswering = (...answers: readonly (() => Response)[]) => {
  const sent: { url: string; init: RequestInit }[] = [];
  const api = new HostedApi('https://api.example', new ServerClock(() => 0), (url, init = {}) => {
    sent.push({ url: String(url), init });
    const answer = answers[sent.length - 1];
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('network'));
  });
  return { api, sent };
};
const json = (status: number, body: object) => () => new Response(JSON.stringify(body), { status });

const DETAILS = {
  sessionId: SESSION,
  relyingPartyName: 'A',
  status: 'PENDING',
  signatureType: 'AUTHENTICATION',
  pushStatus: 'NOT_REQUESTED',
  expiresAt: 1,
};

describe('the hosted-page endpoints', () => {
  it('are called with the login header and the cookie', async () => {
    const { api, sent } = apiAnswering(json(200, DETAILS));
    expect(await api.claim('T')).toEqual({ kind: 'OK', body: DETAILS });
    expect(sent[0]?.url).toBe('https://api.example/login-ui/v1/session/claim');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', credentials: 'include', redirect: 'error', body: '{"handoffToken":"T"}' });
    expect(sent[0]?.init.headers).toMatchObject({ 'X-Service-Login': '1', 'content-type': 'application/json' });
  });

  it('take the claim that the first script has sent, and repeat it by a request of their own', async () => {
    const sent: string[] = [];
    const send: typeof fetch = (url) => (sent.push(String(url)), Promise.resolve(json(200, DETAILS)()));
    const early = Promise.reject(new TypeError('network'));
    const api = new HostedApi('https://api.example', new ServerClock(() => 0), send, early);
    expect(await api.claim('T')).toEqual({ kind: 'UNREACHABLE' });
    expect(sent).toEqual([]);
    expect(await api.claim('T')).toEqual({ kind: 'OK', body: DETAILS });
    expect(sent).toEqual(['https://api.example/login-ui/v1/session/claim']);
  });

  it('give up after 30 s, also when only the body does not end', async () => {
    jest.useFakeTimers();
    const endless: typeof fetch = async (_, { signal } = {}) =>
      new Response(new ReadableStream({ start: (body) => signal?.addEventListener('abort', () => body.error(new Error('aborted'))) }));
    const answer = new HostedApi('https://api.example', new ServerClock(() => 0), endless).describe();
    await jest.advanceTimersByTimeAsync(30_000);
    jest.useRealTimers();
    expect(await answer).toEqual({ kind: 'UNREACHABLE' });
  });

  it('ask to hold the answer when the status is already known', async () => {
    const { api, sent } = apiAnswering(json(200, { status: 'PENDING', expiresAt: 1 }), json(200, { status: 'SCANNED' }));
    await api.status(SESSION);
    await api.status(SESSION, 'PENDING');
    expect(sent.map(({ url }) => url.split('/').at(-1))).toEqual([`status?sessionId=${SESSION}`, `status?sessionId=${SESSION}&since=PENDING`]);
    expect(sent[0]?.init.headers).not.toHaveProperty('prefer');
    expect(sent[1]?.init.headers).toMatchObject({ prefer: 'wait=20' });
  });

  it('complete with an http or https address only', async () => {
    const { api } = apiAnswering(json(200, { redirect: 'https://rp.example/cb?code=c' }), json(200, { redirect: 'javascript:alert(1)' }));
    expect(await api.complete(SESSION)).toEqual({ kind: 'OK', body: 'https://rp.example/cb?code=c' });
    expect(await api.complete(SESSION)).toEqual({ kind: 'UNREACHABLE' });
  });

  it('are unreachable when there is no answer or an unknown status', async () => {
    const { api } = apiAnswering(json(200, { status: 'MAYBE' }));
    expect(await api.status(SESSION)).toEqual({ kind: 'UNREACHABLE' });
    expect(await api.status(SESSION)).toEqual({ kind: 'UNREACHABLE' });
  });
});
