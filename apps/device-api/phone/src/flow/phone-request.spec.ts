import { pinProof } from '#clients/device';
import { type JsonWebKey as NodeJsonWebKey, verify } from 'node:crypto';

import {
  SESSION,
  RETURN,
  SCAN,
  LINK,
  UNREACHABLE,
  ok,
  refused,
  statement,
  REQUEST,
  keys,
  phoneWith,
  atPin,
  usePhones,
  wentOn,
} from './testing/scripted-phone.js';

usePhones();

describe('given a request', () => {
  it('shows it before it asks for the PIN, and confirms with a signature of what was shown', async () => {
    const { phone, kinds, calls, last } = await atPin({ confirm: [ok({})] });
    await phone.confirm('2580');
    expect(kinds()).toEqual(['LOOKING', 'PREVIEW', 'OPENING', 'CONSENT', 'PIN', 'CONFIRMING', 'OUTCOME']);
    expect(last()).toMatchObject({ outcome: 'CONFIRMED', returnTo: RETURN });
    const [, sessionId, proof, signature] = calls.at(-1)?.split(' ') ?? [];
    expect(sessionId).toBe(SESSION);
    expect(proof).toBe(await pinProof(keys.pin, '2580'));
    const key = (await crypto.subtle.exportKey('jwk', keys.stored.authentication.publicKey)) as NodeJsonWebKey;
    const genuine = verify(
      'sha256',
      Buffer.from(JSON.stringify(statement)),
      { key, format: 'jwk', dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature ?? '', 'base64'),
    );
    expect(genuine).toBe(true);
  });

  it('signs a login as it came, also where the service names a time', async () => {
    const { phone, calls } = await atPin({ pin: [ok({ signingTime: 5 })], confirm: [ok({})] });
    await phone.confirm('2580');
    expect(calls.at(-1)?.split(' ')).toHaveLength(4);
  });

  it('sends the returnUrl only of a link that was opened on this device, not of a text that may come from another one', async () => {
    const { phone, calls } = phoneWith({ scan: ok(REQUEST) });
    await phone.start(SCAN);
    await phone.links.proceed();
    await phone.takeText(LINK);
    await phone.links.proceed();
    await phone.takeText(LINK, { byCamera: true });
    expect(calls.filter((call) => call.startsWith('scan'))).toEqual([`scan true ${RETURN} link`, 'scan true undefined qr', 'scan true undefined qr']);
  });

  it('has no way back after the camera or a pasted link, even when the service names one', async () => {
    for (const byCamera of [true, false]) {
      const { phone, last } = phoneWith({ scan: ok(REQUEST), confirm: [ok({})] });
      await phone.start(undefined);
      await phone.takeText(LINK, { byCamera });
      await phone.links.proceed();
      phone.proceed();
      await phone.confirm('2580');
      expect(last()).toMatchObject({ outcome: 'CONFIRMED', arrival: byCamera ? 'CAMERA' : 'PASTE' });
      expect(last()).not.toHaveProperty('returnTo');
    }
  });

  it('opens it again when the service did not answer', async () => {
    const { phone, calls, last } = await wentOn({ scan: UNREACHABLE });
    expect(last()).toMatchObject({ outcome: 'UNREACHABLE' });
    await phone.tryAgain();
    expect(calls.slice(1)).toEqual([`scan true ${RETURN} link`, `scan true ${RETURN} link`]);
  });

  it('remembers the client and the end of a request, and shows them at home', async () => {
    const { phone, last, memories } = await atPin({ pin: [refused(403, 'wrong_pin', { attemptsLeft: 2 }), ok({})], confirm: [ok({})] });
    await phone.confirm('2581');
    expect(memories.at(-1)).toEqual({ requests: [], pinAttemptsLeft: 2 });
    await phone.confirm('2580');
    phone.home();
    const past = { sessionId: SESSION, relyingPartyName: 'Harbour Bank', signatureType: 'AUTHENTICATION', outcome: 'CONFIRMED', at: 0 };
    expect(last()).toMatchObject({ kind: 'HOME', memory: { requests: [past] } });
    expect(memories.at(-1)).toEqual({ requests: [past] });
  });

  it('returns with the return token of the confirmation, which the answer to the scan did not have', async () => {
    const returnUrl = 'https://login.example/#7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10.token';
    const { phone, last } = await atPin({ confirm: [ok({ returnUrl })] });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED', returnTo: returnUrl });
  });

  it('shows the number of the confirmation, and remembers it nowhere', async () => {
    const { phone, last, memories } = await atPin({ confirm: [ok({ returnUrl: RETURN, number: '012345' })] });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED', number: '012345', returnTo: RETURN });
    phone.home();
    expect(JSON.stringify([last(), memories])).not.toContain('012345');
  });

  it('returns only to an address that may be opened', async () => {
    const { phone, last } = await atPin({ scan: ok({ ...REQUEST, returnUrl: 'javascript:alert(1)' }), confirm: [ok({})] });
    await phone.confirm('2580');
    expect(last()).not.toHaveProperty('returnTo');
  });

  it.each([
    ['another name than the one that would be signed', { relyingPartyName: 'Other Bank' }],
    ['a title that would not be signed', { title: 'x' }],
    ['another session', { sessionId: '00000000-0000-4000-8000-000000000000' }],
    ['a document without anything to check', { signatureType: 'SIGNING' as const }],
  ])('refuses to show %s, and says no', async (_, change) => {
    const { calls, last } = await wentOn({ scan: ok({ ...REQUEST, ...change }) });
    expect(last()).toMatchObject({ kind: 'OUTCOME', outcome: 'NOT_WHAT_IT_SAYS' });
    expect(calls.at(-1)).toBe(`decline ${SESSION}`);
  });

  it.each([
    [refused(404, 'session_not_found'), 'NOT_KNOWN'],
    [refused(409, 'session_already_scanned'), 'USED_ON_ANOTHER_PHONE'],
    [refused(410, 'session_expired', { reason: 'DEVICE_REVOKED' }), 'PHONE_REMOVED'],
    [refused(403, 'subject_not_allowed'), 'NOT_FOR_YOU'],
    [refused(410, 'session_expired'), 'EXPIRED'],
    [refused(400, 'invalid_qr'), 'CODE_TOO_OLD'],
    [refused(400, 'invalid_request'), 'FAILED'],
    [refused(400, 'invalid_request', { remedy: 'ENROL_AGAIN' }), 'SET_UP_AGAIN'],
    [UNREACHABLE, 'UNREACHABLE'],
  ] as const)('ends clearly when the scan answers %j', async (scan, outcome) => {
    const { last } = await wentOn({ scan });
    expect(last()).toMatchObject({ kind: 'OUTCOME', outcome });
  });

  it('shows that the service has revoked it', async () => {
    const { phone, last, store, calls } = await wentOn({ scan: refused(401, 'invalid_device_proof', { now: 0 }) });
    expect(last()).toEqual({ kind: 'REVOKED' });
    await phone.forget();
    expect(last()).toMatchObject({ kind: 'ENROL_CODE' });
    expect(store.kept()).toBeUndefined();
    expect(calls).not.toContain('remove');
  });

  it('can be declined before and after Confirm is pressed', async () => {
    const early = await wentOn({});
    await early.phone.decline();
    const late = await atPin({});
    await late.phone.decline();
    for (const { calls, last } of [early, late]) {
      expect(calls.at(-1)).toBe(`decline ${SESSION}`);
      expect(last()).toMatchObject({ outcome: 'DECLINED', returnTo: RETURN });
    }
  });

  it('ends when its time is up', async () => {
    const { phone, last, left } = await atPin({});
    phone.expire();
    expect(last()).toMatchObject({ outcome: 'EXPIRED' });
    phone.leave();
    expect(left).toEqual([]);
  });
});

describe('given a wrong PIN', () => {
  it('sends no signature, asks again and says how many tries are left', async () => {
    const { phone, last, calls } = await atPin({ pin: [refused(403, 'wrong_pin', { attemptsLeft: 2 }), ok({})], confirm: [ok({})] });
    await phone.confirm('9999');
    expect(last()).toMatchObject({ kind: 'PIN', attemptsLeft: 2 });
    expect(calls.filter((call) => call.startsWith('confirm'))).toEqual([]);
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED' });
  });

  it('shows the lock after the third one, and its end', async () => {
    const { phone, last } = await atPin({
      pin: [refused(403, 'wrong_pin', { attemptsLeft: 0 })],
      device: ok({ status: 'LOCKED', lockedUntil: 10_800 }),
    });
    await phone.confirm('9999');
    expect(last()).toMatchObject({ outcome: 'LOCKED', lockedUntil: 10_800 });
  });

  it('shows the lock too when a locked phone scans', async () => {
    const { phone, last } = await wentOn({ scan: refused(423, 'device_locked'), device: ok({ status: 'LOCKED' }) });
    expect(last()).toEqual({ kind: 'OUTCOME', outcome: 'LOCKED', arrival: 'LINK' });
    phone.home();
    expect(last()).toMatchObject({ kind: 'HOME', check: { kind: 'LOCKED' } });
  });
});

describe('given no connection while it confirms', () => {
  it('asks for the PIN again and repeats', async () => {
    const { phone, last } = await atPin({ confirm: [UNREACHABLE, ok({})] });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ kind: 'PIN', unreachable: true });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED' });
  });
});

describe('given a signature that the service refuses', () => {
  it('asks to be set up again', async () => {
    const { phone, last } = await atPin({ confirm: [refused(400, 'invalid_signature')] });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'SET_UP_AGAIN' });
  });
});

describe('given a pushed request with a verification code', () => {
  const codes = ['07', '42', '93'];
  const atCodes = async (script: Parameters<typeof phoneWith>[0]) => {
    const fixture = phoneWith({ scan: ok({ ...REQUEST, verificationCodes: codes }), ...script });
    await fixture.phone.start(undefined);
    await fixture.phone.open({ link: { sessionId: SESSION }, arrival: 'INBOX' });
    fixture.phone.proceed();
    return fixture;
  };

  it('asks for the code before the PIN, and sends the choice with both', async () => {
    const { phone, calls, last } = await atCodes({ pin: [UNREACHABLE, ok({})], confirm: [ok({})] });
    expect(last()).toMatchObject({ kind: 'CODE', codes });
    phone.choose('42');
    await phone.confirm('2580');
    expect(last()).toMatchObject({ kind: 'PIN', code: '42', unreachable: true });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED' });
    expect(calls.slice(1).map((call) => call.split(' ').at(-1))).toEqual(['42', '42', '42']);
  });

  it('ends the request when the code is not the one on the page', async () => {
    const { phone, calls, last } = await atCodes({ pin: [refused(403, 'wrong_verification_code')] });
    phone.choose('07');
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'WRONG_CODE' });
    expect(calls.filter((call) => call.startsWith('confirm'))).toEqual([]);
  });

  it('can be declined instead, and expires', async () => {
    const declined = await atCodes({});
    await declined.phone.decline();
    expect(declined.last()).toMatchObject({ outcome: 'DECLINED' });
    const late = await atCodes({});
    late.phone.expire();
    expect(late.last()).toMatchObject({ outcome: 'EXPIRED' });
  });
});
