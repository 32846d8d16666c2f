import { decodeJwt } from 'jose';
import { ServerClock } from '../../../../web-page/calls/src/index.js';
import { makeDeviceKeys } from '../crypto/web-crypto-keys.js';
import type { Prover } from '../crypto/device-proof.js';
import { PhoneApi } from './phone-api.js';

const LOCAL = 1_800_000_000_000;

const apiAnswering = async (...answers: readonly (() => Response)[]) => {
  const sent: { url: string; init: RequestInit; proof: string }[] = [];
  const clock = new ServerClock(() => LOCAL);
  const api = new PhoneApi('https://api.example', clock, (url, init = {}) => {
    const answer = answers[sent.length];
    sent.push({ url: String(url), init, proof: new Headers(init.headers).get('device-proof') ?? '' });
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('network'));
  });
  const prover: Prover = { deviceId: 'd1', key: (await makeDeviceKeys()).authentication };
  return { api, sent, prover, clock };
};
const json = (status: number, body: object) => () => new Response(JSON.stringify(body), { status });
const wrongClock = (now: number) => json(401, { errorCode: 'invalid_device_proof', payload: { now } });

describe('/app/v1', () => {
  it('is called with a proof of the very request that is sent', async () => {
    const { api, sent, prover } = await apiAnswering(json(200, { status: 'CANCELLED' }));
    expect(await api.decline(prover, 's/1')).toEqual({ kind: 'OK', body: 'CANCELLED' });
    expect(sent[0]?.url).toBe('https://api.example/app/v1/session/s%2F1/decline');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', body: '{"reason":"DECLINED"}', credentials: 'omit' });
    expect(decodeJwt(sent[0]?.proof ?? '')).toMatchObject({ htm: 'POST', htu: '/app/v1/session/s%2F1/decline', iat: LOCAL / 1000 });
  });

  it('leaves values out of a scan that the code did not contain', async () => {
    const { api, sent, prover } = await apiAnswering();
    await api.scan(prover, { sessionId: 's' });
    await api.scan(prover, { sessionId: 's', t: 3, a: 'x', returnUrl: 'https://a.example' });
    expect(sent.map(({ init }) => init.body)).toEqual([
      '{"shows_details":true}',
      '{"t":3,"a":"x","return_url":"https://a.example","shows_details":true}',
    ]);
  });

  it.each([
    ['all of it', { browser: 'Firefox', system: 'Windows', sameNetwork: false }, { browser: 'Firefox', system: 'Windows', sameNetwork: false }],
    ['the part that is known', { sameNetwork: true, address: '192.0.2.1' }, { sameNetwork: true }],
    ['nothing of another shape', { browser: ['Firefox'], system: 1, sameNetwork: 'yes' }, undefined],
    ['nothing where it is no object', 'Firefox', undefined],
  ])('reads of the page that waits %s', async (_, waitingPage, expected) => {
    const shown = { sessionId: 's', signatureType: 'AUTHENTICATION', relyingPartyName: 'Bank', relyingPartyDomain: 'a.example', expiresAt: 1 };
    const { api, prover } = await apiAnswering(json(200, { ...shown, toBeSigned: '', signatureAlgorithm: 'ES256', waitingPage }));
    const body = { ...shown, toBeSigned: '', signatureAlgorithm: 'ES256', ...(expected && { waitingPage: expected }) };
    expect(await api.scan(prover, { sessionId: 's' })).toEqual({ kind: 'OK', body });
  });

  it('reads who asks by a code that changes, and takes the admission to the scan in place of the frame', async () => {
    const answer = {
      sessionId: 's',
      signatureType: 'SIGNING',
      relyingPartyName: 'Harbour Bank',
      relyingPartyDomain: 'a.example',
      admission: 'fresh',
    };
    const { api, sent, prover } = await apiAnswering(json(200, answer), json(200, { ...answer, relyingPartyName: 1 }));
    const preview = { relyingPartyName: 'Harbour Bank', relyingPartyDomain: 'a.example', signing: true, admission: 'fresh' };
    expect(await api.preview(prover, { sessionId: 's', t: 3, a: 'x/+' })).toEqual({ kind: 'OK', body: preview });
    expect(await api.preview(prover, { sessionId: 's' })).not.toMatchObject({ kind: 'OK' });
    await api.scan(prover, { sessionId: 's', t: 3, a: 'x', admission: 'fresh' }, 'link');
    expect(sent.map(({ url }) => url.slice('https://api.example/app/v1/session/'.length))).toEqual(['s?t=3&a=x%2F%2B', 's', 's/scan']);
    expect(decodeJwt(sent[0]?.proof ?? '')).toMatchObject({ htm: 'GET', htu: '/app/v1/session/s' });
    expect(sent[2]?.init.body).toBe('{"admission":"fresh","via":"link","shows_details":true}');
  });

  it('corrects its clock by the answer to a refused proof, and repeats once', async () => {
    const { api, sent, prover, clock } = await apiAnswering(wrongClock(LOCAL / 1000 + 600), json(200, { status: 'ACTIVE' }));
    expect(await api.device(prover)).toEqual({ kind: 'OK', body: { status: 'ACTIVE' } });
    expect(sent.map(({ proof }) => decodeJwt(proof).iat)).toEqual([LOCAL / 1000, LOCAL / 1000 + 600]);
    expect(new Set(sent.map(({ proof }) => decodeJwt(proof).jti)).size).toBe(2);
    expect(clock.now()).toBe(LOCAL + 600_000);
  });

  it('does not repeat when its clock was right, nor more than once', async () => {
    const right = await apiAnswering(wrongClock(LOCAL / 1000));
    expect(await right.api.device(right.prover)).toMatchObject({ kind: 'REFUSED', errorCode: 'invalid_device_proof' });
    expect(right.sent).toHaveLength(1);
    const wrong = await apiAnswering(wrongClock(LOCAL / 1000 + 600), wrongClock(LOCAL / 1000 + 1200));
    expect(await wrong.api.device(wrong.prover)).toEqual({ kind: 'UNREACHABLE' });
    expect(wrong.sent).toHaveLength(2);
  });

  it('takes no refusal for a revocation that does not tell the time', async () => {
    const { api, sent, prover } = await apiAnswering(json(401, { errorCode: 'invalid_device_proof', payload: { now: 'soon' } }));
    expect(await api.device(prover)).toEqual({ kind: 'UNREACHABLE' });
    expect(sent).toHaveLength(1);
  });

  it('prepares the message of leaving for a page that is being closed', async () => {
    const { api, prover } = await apiAnswering();
    const { url, init } = await api.prepareLeaveMessage(prover, 's');
    expect(url).toBe('https://api.example/app/v1/session/s/decline');
    expect(init).toMatchObject({ method: 'POST', keepalive: true, body: '{"reason":"LEFT"}' });
    expect(new Headers(init.headers).get('device-proof')).toMatch(/\./);
  });

  it('revokes its own phone by a request that outlives the page', async () => {
    const { api, sent, prover } = await apiAnswering(() => new Response(null, { status: 204 }));
    expect(await api.removeThisDevice(prover)).toEqual({ kind: 'OK', body: true });
    expect(sent[0]?.init).toMatchObject({ method: 'DELETE', keepalive: true });
    expect(decodeJwt(sent[0]?.proof ?? '')).toMatchObject({ htm: 'DELETE', htu: '/app/v1/device' });
  });

  it('reads the inbox and ignores malformed entries', async () => {
    const { api, prover } = await apiAnswering(json(200, { sessions: [{ sessionId: 's', expiresAt: 1, more: 1 }, null, { sessionId: 2 }] }));
    expect(await api.pending(prover, new AbortController().signal)).toEqual({ kind: 'OK', body: [{ sessionId: 's', expiresAt: 1 }] });
  });

  it('reads the name of the relying party where the service sends it', async () => {
    const named = { sessionId: 's', expiresAt: 1, relyingPartyName: 'Harbour Bank', signatureType: 'SIGNING' };
    const { api, prover } = await apiAnswering(
      json(200, { sessions: [named, { ...named, relyingPartyName: '' }, { ...named, signatureType: 'AUTHENTICATION', change: true }] }),
    );
    expect(await api.pending(prover, new AbortController().signal)).toEqual({
      kind: 'OK',
      body: [
        { sessionId: 's', expiresAt: 1, relyingPartyName: 'Harbour Bank', signing: true, change: false },
        { sessionId: 's', expiresAt: 1 },
        { sessionId: 's', expiresAt: 1, relyingPartyName: 'Harbour Bank', signing: false, change: true },
      ],
    });
  });

  it('is unreachable without an answer', async () => {
    const { api, prover } = await apiAnswering();
    expect(await api.device(prover)).toEqual({ kind: 'UNREACHABLE' });
  });
});

/** A service that judges each proof as /app/v1 does, with a clock that differs from the phone's by so many seconds. */
const serviceAhead = async (seconds: number) => {
  const service = { ahead: seconds, revoked: false, refused: 0 };
  const waiting: (() => void)[] = [];
  const api = new PhoneApi('https://api.example', new ServerClock(() => LOCAL), async (_, init = {}) => {
    const { iat = 0 } = decodeJwt(new Headers(init.headers).get('device-proof') ?? '');
    // No call is answered before the calls beside it have arrived.
    if (waiting.length < 2) await new Promise<void>((resolve) => waiting.push(resolve));
    else for (const resolve of waiting) resolve();
    const now = LOCAL / 1000 + service.ahead;
    if (!service.revoked && Math.abs(now - iat) <= 60) return json(200, { status: 'ACTIVE', sessions: [], devices: [] })();
    service.refused += 1;
    return wrongClock(Math.floor(now))();
  });
  const prover: Prover = { deviceId: 'd1', key: (await makeDeviceKeys()).authentication };
  const atOnce = () => Promise.all([api.device(prover), api.pending(prover), api.devices(prover)]);
  return { service, api, prover, atOnce };
};

describe('three calls at once', () => {
  it.each([61, -61, 120, -120, 5000, -5000])('are all accepted with a clock that is %d s behind', async (seconds) => {
    const { service, atOnce } = await serviceAhead(seconds);
    expect((await atOnce()).map(({ kind }) => kind)).toEqual(['OK', 'OK', 'OK']);
    expect(service.refused).toBe(3);
  });

  it.each([0, 59, -59, 5000, -5000])('tell a revocation with a clock that is %d s behind', async (seconds) => {
    const { service, atOnce } = await serviceAhead(seconds);
    service.revoked = true;
    expect((await atOnce()).map((reply) => 'errorCode' in reply && reply.errorCode)).toEqual(Array(3).fill('invalid_device_proof'));
  });

  it('are accepted after the clock of the service was moved by 61 s', async () => {
    const { service, api, prover, atOnce } = await serviceAhead(0);
    await atOnce();
    service.ahead = 61;
    expect((await Promise.all([api.device(prover), api.pending(prover)])).map(({ kind }) => kind)).toEqual(['OK', 'OK']);
  });

  it('do not tell a revocation when the refused proof differs by 60 s and a fraction', async () => {
    const { atOnce } = await serviceAhead(60.5);
    expect((await atOnce()).map(({ kind }) => kind)).toEqual(['OK', 'OK', 'OK']);
  });
});
