import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { epochSeconds, type SessionId, type SubjectId } from '#kernel';

import type { ClaimingBrowser } from '../domain/waiting-pages.js';
import { sessionStream } from '../streams.js';
import { derived, OTHER, PERSON, scanFixture, TEXTS } from '#testkit/session/scan-fixture';
import { DEVICE } from '#testkit/session/session-history';

const STRANGER = '8f3a0000-0000-8000-8000-000000000002' as SubjectId;
const NETWORK = '4 192.0.2.1';

let scans: ReturnType<typeof scanFixture>;
beforeEach(() => {
  scans = scanFixture();
});
afterEach(() => scans.eventStore.close());

describe('the answer to a scan', () => {
  it('has what the phone shows and signs, and not the state of the client', async () => {
    const requested = { attributes: ['name'], predicates: [] };
    const sessionId = await scans.start({ redirectUri: 'https://rp.example:8443/callback?tenant=1', requested }, TEXTS);
    expect(await scans.scan(sessionId)).toEqual({
      sessionId,
      signatureType: 'AUTHENTICATION',
      expiresAt: epochSeconds(scans.clock.now()) + 120,
      relyingPartyName: 'Shop',
      relyingPartyDomain: 'rp.example:8443',
      title: TEXTS.title,
      requested,
      toBeSigned: 'statement 1',
      signatureAlgorithm: 'ES256',
    });
    const terms = expect.objectContaining({ clientId: scans.clientId, requested });
    expect(scans.seen.prepared).toEqual([
      { sessionId, terms, texts: TEXTS, relyingPartyName: 'Shop', device: expect.objectContaining({ deviceId: DEVICE }) },
    ]);
    expect(scans.seen.asked).toEqual([scans.clientId, [scans.clientId, scans.identityId]]);
  });

  it('has nothing of what a client of OpenID Connect bound its request to', async () => {
    const texts = { ...TEXTS, openid: { scope: 'openid', nonce: 'nonce of the client' } };
    const sessionId = await scans.start({ issuer: true }, texts as never);
    expect(JSON.stringify([await scans.scan(sessionId), await scans.scan(sessionId)])).not.toContain('nonce of the client');
  });

  it('is the same when the phone repeats it, also after the confirmation and the completion', async () => {
    const sessionId = await scans.start({}, TEXTS);
    const first = await scans.scan(sessionId);
    const at = scans.clock.now();
    expect(await scans.scan(sessionId)).toEqual(first);
    await scans.history.append(sessionId, { type: 'SessionConfirmed', data: { signature: 'x', codeExpiresAt: at + 60_000, at } });
    expect(await scans.scan(sessionId)).toEqual(first);
    await scans.history.append(sessionId, { type: 'SessionCompleted', data: { at } });
    expect(await scans.scan(sessionId)).toEqual(first);
    expect([scans.seen.prepared.length, await scans.history.events(sessionId)]).toEqual([
      1,
      ['SessionCreated', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted'],
    ]);
  });

  it('has the address in the code where that is the login page or an address of the client, and no other', async () => {
    for (const returnUrl of ['https://rp.example/elsewhere', 'https://login.example/#x'])
      expect(await scans.scan(await scans.start(), { returnUrl })).toMatchObject({ returnUrl });
    expect(await scans.scan(await scans.start(), { returnUrl: 'https://evil.example/callback' })).not.toHaveProperty('returnUrl');
  });

  it('has it at a repetition too; of a client that is gone only that of the login page', async () => {
    const sessionId = await scans.start();
    const again = (returnUrl: string) => scans.scan(sessionId, { returnUrl });
    await scans.scan(sessionId);
    expect(await again('https://rp.example/')).toHaveProperty('returnUrl');
    scans.given.client = undefined;
    expect(await again('https://rp.example/')).not.toHaveProperty('returnUrl');
    expect(await again('https://login.example/')).toHaveProperty('returnUrl');
  });

  it('has the choices of a session with a verification code', async () => {
    const sessionId = await scans.start({ verificationCode: true });
    expect(await scans.scan(sessionId)).toHaveProperty('verificationCodes', derived.codes.choices(sessionId));
    expect(await scans.scan(await scans.start())).not.toHaveProperty('verificationCodes');
  });
});

describe('the page that waits', () => {
  const hosted = async (page?: ClaimingBrowser): Promise<SessionId> => {
    const at = scans.clock.now();
    const sessionId = await scans.start({ handoffExpiresAt: at + 60_000 });
    const kept = page && derived.pages.kept(sessionId, page);
    const sealed = kept && scans.sealer.seal(kept, sessionStream(sessionId));
    await scans.history.append(sessionId, { type: 'HandoffClaimed', data: { at, ...(sealed !== undefined && { sealed }) } });
    return sessionId;
  };

  it('is described with browser, system and whether it is in the network of the phone', async () => {
    const page = { browser: 'Firefox', system: 'Linux', network: NETWORK };
    const told = { browser: 'Firefox', system: 'Linux' };
    expect(await scans.scan(await hosted(page), { network: NETWORK })).toMatchObject({ waitingPage: { ...told, sameNetwork: true } });
    expect(await scans.scan(await hosted(page), { network: '4 198.51.100.7' })).toMatchObject({ waitingPage: { ...told, sameNetwork: false } });
    expect((await scans.scan(await hosted(page))).waitingPage).toEqual(told);
  });

  it('is not mentioned when nothing is known about it, or nothing that the phone can use', async () => {
    expect(await scans.scan(await hosted(), { network: NETWORK })).not.toHaveProperty('waitingPage');
    expect(await scans.scan(await hosted({ network: NETWORK }))).not.toHaveProperty('waitingPage');
  });
});

describe('the event of a scan', () => {
  it('names phone and person, and how the phone found the session', async () => {
    const { identityId, clock } = scans;
    const [byCode, byLink] = [await scans.start(), await scans.start()];
    await scans.scan(byCode);
    await scans.scan(byLink, { via: 'link' });
    const data = { deviceId: DEVICE, identityId, sealed: expect.any(String), at: clock.now() };
    expect([...(await scans.scanned(byCode)), ...(await scans.scanned(byLink))]).toEqual([data, { ...data, via: 'link' }]);
  });

  it('is stored with a fresh frame of a code that changes, or with the admission of a phone that has brought one', async () => {
    const frameOf = (sessionId: SessionId) => {
      const shown = new URLSearchParams(derived.frames.parametersAt(sessionId, scans.clock.now(), scans.clock.now()));
      return { t: Number(shown.get('t')), a: shown.get('a') ?? '' };
    };
    const dynamic = () => scans.start({ dynamicQr: true });
    const [framed, admitted] = [await dynamic(), await dynamic()];
    expect(await scans.scan(framed, frameOf(framed))).toMatchObject({ toBeSigned: 'statement 1' });
    expect(await scans.scan(admitted, { admission: derived.frames.admissionOf(admitted, DEVICE) })).toMatchObject({ toBeSigned: 'statement 2' });
    for (const request of [{}, { ...frameOf(framed), a: 'x' }, { admission: derived.frames.admissionOf(framed, OTHER) }]) {
      const sessionId = await dynamic();
      await expect(scans.scan(sessionId, request)).rejects.toMatchObject({ code: 'invalid_qr' });
      expect(await scans.history.events(sessionId)).toEqual(['SessionCreated']);
    }
  });
});

describe('a scan is refused, and nothing is stored,', () => {
  const unchanged = async (sessionId: SessionId, refused: Promise<unknown>, refusal: object) => {
    const before = await scans.history.events(sessionId);
    await expect(refused).rejects.toMatchObject(refusal);
    expect(await scans.history.events(sessionId)).toEqual(before);
  };

  it('while the phone is locked', async () => {
    const sessionId = await scans.start();
    const lockedUntil = scans.clock.now() + 60_000;
    await unchanged(sessionId, scans.scan(sessionId, {}, { status: 'LOCKED', lockedUntil }), { code: 'device_locked', lockedUntil });
    expect(scans.seen.prepared).toEqual([]);
  });

  it.each([undefined, { name: 'Shop', enabled: false }])('of a client that is gone or disabled: %j', async (found) => {
    scans.given.client = found;
    const sessionId = await scans.start();
    await unchanged(sessionId, scans.scan(sessionId), { code: 'session_not_found', reason: 'the client is disabled or deleted' });
  });

  it('of a session that another phone has scanned', async () => {
    const sessionId = await scans.start();
    await scans.scan(sessionId);
    await unchanged(sessionId, scans.scan(sessionId, {}, { deviceId: OTHER }), { code: 'session_already_scanned' });
  });

  it('of a session that has ended, by the phone that had scanned it too', async () => {
    const sessionId = await scans.start();
    await scans.scan(sessionId);
    await scans.history.append(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: scans.clock.now() } });
    await unchanged(sessionId, scans.scan(sessionId), { code: 'session_expired', reason: 'session is CANCELLED' });
  });
});

describe('a session for one person', () => {
  it('is scanned by a phone of that person', async () => {
    expect(await scans.scan(await scans.start({ subjectId: PERSON }))).toMatchObject({ toBeSigned: 'statement 1' });
  });

  it('is refused to the phone of another one, which is recorded once, by a hash', async () => {
    const sessionId = await scans.start({ subjectId: STRANGER });
    for (let time = 0; time < 2; time += 1) await expect(scans.scan(sessionId)).rejects.toMatchObject({ code: 'subject_not_allowed' });
    const [, ...refusals] = await scans.eventStore.read(sessionStream(sessionId));
    const deviceHash = derived.refusedDevices.hashOf(sessionId, DEVICE);
    expect(refusals.map(({ type, data }) => ({ type, data }))).toEqual([{ type: 'ScanRefused', data: { deviceHash, at: scans.clock.now() } }]);
  });
});

describe('the watch over scans', () => {
  it('counts each try of a phone that has not scanned the session, with its network, and each success', async () => {
    const { clientId } = scans;
    const sessionId = await scans.start();
    await scans.scan(sessionId, { via: 'push', network: NETWORK });
    await scans.scan(sessionId, { network: NETWORK });
    await expect(scans.scan(sessionId, {}, { deviceId: OTHER })).rejects.toThrow('scanned by another device');
    expect(scans.seen.watched).toEqual([
      ['tried', clientId, NETWORK],
      ['scanned', 'push', undefined],
      ['tried', clientId, undefined],
    ]);
  });
});

describe('a login whose scan shows nothing to sign', () => {
  it('is a fault, at the scan and at a repetition: nothing is signed', async () => {
    scans.given.statement = () => ({ scan: { relyingPartyName: 'Shop', signatureAlgorithm: 'ES256' } });
    const sessionId = await scans.start();
    for (let time = 0; time < 2; time += 1) await expect(scans.scan(sessionId)).rejects.toThrow('a scanned login has a statement');
  });
});
