import { beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { type Device, DeviceLocked, type PinVerdict } from '#domain/identity';
import { epochSeconds, LocatingTokens, type SessionId } from '#kernel';
import { attribute, encode, OID, oid, setOf, time } from '#signatures/pki';

import { sessionStream } from '../streams.js';
import { CODES, confirmSessionOver } from '#testkit/session/confirm-session-over';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import type { SignatureToVerify } from './verify-signature.js';

describe('confirming a scanned session', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;

  beforeEach(async () => {
    fixture = useCaseFixture();
    sessionId = await fixture.begin();
    await fixture.history.scan(sessionId);
  });
  afterEach(() => fixture.eventStore.close());

  /** A scan that shows these texts. */
  const scan = (texts: Readonly<Record<string, string>>, via?: 'link') => {
    const { history, identityId, clock } = fixture;
    const sealed = history.seal(sessionId, texts);
    return history.append(sessionId, {
      type: 'SessionScanned',
      data: { deviceId: DEVICE, identityId, sealed, at: clock.now(), ...(via && { via }) },
    });
  };

  let loginUrl = 'https://login.example/';
  let asked: SignatureToVerify[] = [];
  let verified: string[] = [];
  const confirm = (checkPin: () => Promise<PinVerdict>, verificationCode?: string, whileVerifying = async () => {}, signingTime?: number) => {
    [verified, asked] = [[], []];
    const verifySignature = (signature: SignatureToVerify) =>
      whileVerifying().then(() => (asked.push(signature), verified.push(signature.toBeSigned), 'c2lnbmF0dXJl'));
    const useCase = confirmSessionOver(fixture, { checkPin: { in: checkPin }, verifySignature, loginUrl });
    const device: Device = { deviceId: DEVICE, identityId: fixture.identityId, status: 'ACTIVE', authenticationKey: {} };
    return useCase.execute({ sessionId, pinProof: 'proof', signature: 'c2lnbmF0dXJl', verificationCode, signingTime }, device);
  };

  it('records the confirmation after PIN and signature', async () => {
    expect(await confirm(async () => ({ accepted: true }))).toEqual({ status: 'CONFIRMED' });
    expect((await fixture.history.events(sessionId)).at(-1)).toBe('SessionConfirmed');
  });

  it('takes no signing time of a login, which has none', async () => {
    const now = fixture.clock.now() / 1000;
    expect(await confirm(async () => ({ accepted: true }), undefined, undefined, now)).toEqual({ status: 'CONFIRMED' });
  });

  it('cancels the session when this wrong PIN locks the device', async () => {
    await expect(confirm(async () => ({ accepted: false, attemptsLeft: 0, locked: true }))).rejects.toMatchObject({ code: 'wrong_pin' });
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'PIN_LOCKED' });
  });

  it('cancels the session when a concurrent wrong PIN of the same session has locked the device', async () => {
    const locked = new DeviceLocked(fixture.clock.now() + 60_000, sessionId);
    await expect(confirm(() => Promise.reject(locked))).rejects.toBe(locked);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'PIN_LOCKED' });
  });

  it('leaves the session open when another session has locked the device', async () => {
    const locked = new DeviceLocked(fixture.clock.now() + 60_000, fixture.randomness.uuid<SessionId>());
    await expect(confirm(() => Promise.reject(locked))).rejects.toBe(locked);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it('leaves the session open after a wrong PIN that locks nothing', async () => {
    await expect(confirm(async () => ({ accepted: false, attemptsLeft: 2, locked: false }))).rejects.toMatchObject({ code: 'wrong_pin' });
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it('leaves the session open when the store is unavailable', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    await expect(confirm(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it('answers a repetition as before, without a second confirmation', async () => {
    await confirm(async () => ({ accepted: true }));
    expect(await confirm(() => Promise.reject(new Error('the PIN is not judged again')))).toEqual({ status: 'CONFIRMED' });
    expect((await fixture.history.events(sessionId)).filter((type) => type === 'SessionConfirmed')).toHaveLength(1);
  });

  it('verifies the signature over what was shown, by the device that scanned', async () => {
    const scanned = await fixture.sessions.get(sessionId);
    if (scanned.status !== 'SCANNED') throw new Error('not scanned');
    await confirm(async () => ({ accepted: true }));
    const device = expect.objectContaining({ deviceId: DEVICE });
    expect(asked).toEqual([{ terms: scanned.terms, scan: scanned.scan, toBeSigned: verified[0], device, signature: 'c2lnbmF0dXJl' }]);
  });

  it('refuses a login whose scan shows nothing to sign', async () => {
    sessionId = await fixture.begin();
    await scan({ relyingPartyName: 'Shop' });
    await expect(confirm(async () => ({ accepted: true }))).rejects.toMatchObject({
      code: 'invalid_signature',
      reason: 'nothing was shown to be signed',
    });
    expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'SCANNED' });
  });

  it.each(['https://login.example/', 'https://login.example', 'https://login.example/a/b//'])(
    'brings a login that was opened by a link back to %s, with its token',
    async (address) => {
      loginUrl = address;
      sessionId = await fixture.begin({ hosted: true });
      await scan({ relyingPartyName: 'Shop', toBeSigned: 'dGV4dA==', signatureAlgorithm: 'ES256' }, 'link');
      const { returnUrl, ...answer } = await confirm(async () => ({ accepted: true }));
      const tokens = new LocatingTokens(fixture.keys.token, 'return-token');
      const scanned = (await fixture.eventStore.read(sessionStream(sessionId))).find(({ type }) => type === 'SessionScanned');
      expect(answer).toEqual({ status: 'CONFIRMED' });
      expect(returnUrl).toBe(`${address.replace(/\/*$/, '')}/#${sessionId}.${tokens.make(sessionId, scanned?.id ?? '')}`);
    },
  );

  describe('of a document', () => {
    const attributes = (at: number): string =>
      encode(setOf(attribute(OID.contentType, oid(OID.data)), attribute(OID.signingTime, time(at)))).toString('base64');
    const accept = async () => ({ accepted: true }) as const;
    let scannedAt: number;
    beforeEach(async () => {
      sessionId = await fixture.begin({ signing: true });
      const sealed = fixture.history.seal(sessionId, { relyingPartyName: 'Shop', signatureAlgorithm: 'ES256' });
      const { identityId, clock } = fixture;
      await fixture.history.append(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at: clock.now() } });
      scannedAt = epochSeconds(fixture.clock.now()) * 1000;
      await fixture.results.prepare(sessionId, { toBeSigned: attributes(scannedAt), manifest: '', signingTime: scannedAt });
    });

    it('is signed at the time of the PIN, where the phone has signed that', async () => {
      fixture.clock.advance(30_000);
      const timed = { toBeSigned: attributes(scannedAt + 30_000), signingTime: scannedAt + 30_000 };
      await confirm(accept, undefined, undefined, scannedAt / 1000 + 30);
      expect(verified).toEqual([timed.toBeSigned]);
      expect(await fixture.results.find(sessionId)).toMatchObject({ signature: 'c2lnbmF0dXJl', timed, statement: { signingTime: scannedAt } });
    });

    it('is signed at the time of the scan by a phone that names no other', async () => {
      await confirm(accept);
      expect(verified).toEqual([attributes(scannedAt)]);
      expect(await fixture.results.find(sessionId)).not.toHaveProperty('timed');
    });

    it.each([-60, 60])('is signed at a time %i s from now: clocks may differ', async (seconds) => {
      await confirm(accept, undefined, undefined, scannedAt / 1000 + seconds);
      expect(verified).toEqual([attributes(scannedAt + seconds * 1000)]);
    });

    it('is not confirmed by the confirmation: its container has to be built', async () => {
      expect(await confirm(accept)).toEqual({ status: 'SCANNED' });
      expect(await fixture.results.find(sessionId)).toMatchObject({ signature: 'c2lnbmF0dXJl' });
    });

    it('keeps what was signed when the store fails: the outcome may be unknown', async () => {
      const { append } = fixture.eventStore;
      const unavailable = new EventStoreUnavailable('the store is unavailable');
      fixture.eventStore.append = (stream, ...rest) =>
        stream === sessionStream(sessionId) ? Promise.reject(unavailable) : append.call(fixture.eventStore, stream, ...rest);
      await expect(confirm(accept)).rejects.toBe(unavailable);
      expect(await fixture.results.find(sessionId)).toMatchObject({ signature: 'c2lnbmF0dXJl' });
    });

    it('ends when the person was erased meanwhile', async () => {
      const erased = () => fixture.results.discard(sessionId);
      await expect(confirm(accept, undefined, erased)).rejects.toMatchObject({ code: 'session_expired', reason: 'the signature was erased' });
    });

    it.each([-61, 61])('is refused with a time %i s from now', async (seconds) => {
      const confirmed = confirm(accept, undefined, undefined, scannedAt / 1000 + seconds);
      await expect(confirmed).rejects.toMatchObject({
        code: 'invalid_signature',
        reason: 'the signing time is not between scan and confirmation',
      });
      expect(verified).toEqual([]);
    });
  });

  describe('with a verification code', () => {
    let judged: number;
    const accept = async () => {
      judged += 1;
      return { accepted: true } as const;
    };
    beforeEach(async () => {
      judged = 0;
      sessionId = await fixture.begin({ verificationCode: true });
      await fixture.history.scan(sessionId);
    });

    it('records the confirmation of the code that the waiting page shows', async () => {
      expect(await confirm(accept, CODES.shown(sessionId))).toEqual({ status: 'CONFIRMED' });
    });

    it('cancels the session when another code was chosen, without judging the PIN', async () => {
      for (const choice of CODES.choices(sessionId)
        .filter((code) => code !== CODES.shown(sessionId))
        .slice(0, 1))
        await expect(confirm(accept, choice)).rejects.toMatchObject({ code: 'wrong_verification_code' });
      expect(await fixture.sessions.get(sessionId)).toMatchObject({ status: 'CANCELLED', reason: 'WRONG_CODE' });
      await expect(confirm(accept, CODES.shown(sessionId))).rejects.toMatchObject({ code: 'session_expired' });
      expect(judged).toBe(0);
    });

    it.each([undefined, ''])('refuses an approval with the choice %j, and judges no PIN', async (choice) => {
      await expect(confirm(accept, choice)).rejects.toMatchObject({ code: choice === undefined ? 'invalid_request' : 'wrong_verification_code' });
      expect(judged).toBe(0);
    });
  });
});
