import { X509CertificateGenerator } from '@peculiar/x509';

import type { Reply } from '#web-page/browser';
import {
  SESSION,
  SCAN,
  UNREACHABLE,
  ok,
  refused,
  REQUEST,
  record,
  keys,
  phoneWith,
  atPin,
  usePhones,
  wentOn,
  openRequestOf,
} from './testing/scripted-phone.js';

usePhones();

describe('given a new phone', () => {
  it('asks for the activation code, shows its person, asks twice for a PIN, and is then enrolled', async () => {
    const { phone, kinds, calls, store, last } = phoneWith({ enrol: [ok(record())] }, false);
    await phone.start(undefined);
    await phone.enrolment.enterCode(' CODE ');
    phone.enrolment.acceptHolder();
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(kinds()).toEqual(['ENROL_CODE', 'ENROL_LOOKING', 'ENROL_HOLDER', 'ENROL_PIN', 'ENROL_PIN_AGAIN', 'ENROLLING', 'HOME']);
    expect(calls).toEqual(['holder CODE', 'enrol CODE 2580 Ada Byron']);
    expect(store.kept()?.deviceId).toBe('d1');
    expect(last()).toMatchObject({ notice: 'WELCOME' });
  });

  it('takes the code from the link that opened it, or from a pasted one', async () => {
    const { phone, states, calls } = phoneWith({ enrol: [ok(record())] }, false);
    await phone.start({ kind: 'ACTIVATE', code: 'FROM-LINK' });
    expect(states).toEqual([{ kind: 'ENROL_CODE', code: 'FROM-LINK' }]);
    await phone.enrolment.enterCode('https://phone.example/#activate=PASTED');
    phone.enrolment.acceptHolder();
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(calls).toEqual(['holder PASTED', 'enrol PASTED 2580 Ada Byron']);
  });

  it('refuses two different PINs and a PIN that is easily guessed', async () => {
    const { phone, last, calls } = phoneWith({}, false);
    await phone.start({ kind: 'ACTIVATE', code: 'C' });
    await phone.enrolment.enterCode('C');
    phone.enrolment.acceptHolder();
    phone.enrolment.choosePin('1234');
    expect(last()).toEqual({ kind: 'ENROL_PIN', fault: 'WEAK' });
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2581');
    expect(last()).toEqual({ kind: 'ENROL_PIN', fault: 'DIFFERENT' });
    expect(calls).toEqual(['holder C']);
  });

  it.each([
    [refused(400, 'invalid_activation_code'), 'CODE_REFUSED'],
    [refused(400, 'invalid_request'), 'FAILED'],
    [UNREACHABLE, 'UNREACHABLE'],
  ] as const)('keeps the code for another try when the service answers %j', async (reply, fault) => {
    const { phone, last, store } = phoneWith({ enrol: [reply] }, false);
    await phone.start(undefined);
    await phone.enrolment.enterCode('C');
    phone.enrolment.acceptHolder();
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(last()).toEqual({ kind: 'ENROL_CODE', code: 'C', fault });
    expect(store.kept()).toBeUndefined();
  });

  it.each([
    [refused(400, 'invalid_activation_code'), 'CODE_REFUSED'],
    [refused(401, 'invalid_device_proof'), 'FAILED'],
    [UNREACHABLE, 'UNREACHABLE'],
  ] as const)('asks for no PIN when the service names no person for the code: %j', async (holder, fault) => {
    const { phone, last, calls } = phoneWith({ holder }, false);
    await phone.start({ kind: 'ACTIVATE', code: 'C' });
    await phone.enrolment.enterCode('C');
    expect(last()).toEqual({ kind: 'ENROL_CODE', code: 'C', fault });
    expect(calls).toEqual(['holder C']);
  });

  it('forgets the code of another person when its own person says so', async () => {
    const { phone, last, calls } = phoneWith({}, false);
    await phone.start({ kind: 'ACTIVATE', code: 'C' });
    await phone.enrolment.enterCode('C');
    expect(last()).toEqual({ kind: 'ENROL_HOLDER', holder: 'Ada Byron' });
    phone.enrolment.restart('');
    expect(last()).toEqual({ kind: 'ENROL_CODE', code: '' });
    expect(calls).toEqual(['holder C']);
  });

  it('shows no person of a code that a later link has replaced', async () => {
    let answer = (_: Reply<string>): void => undefined;
    const { phone, last } = phoneWith({ holder: () => new Promise((resolve) => (answer = resolve)) }, false);
    await phone.start({ kind: 'ACTIVATE', code: 'FIRST' });
    const entered = phone.enrolment.enterCode('FIRST');
    await phone.take({ kind: 'ACTIVATE', code: 'SECOND' });
    answer(ok('Ada Byron'));
    await entered;
    expect(last()).toEqual({ kind: 'ENROL_CODE', code: 'SECOND' });
  });

  it('opens the request that it was opened with once it is set up', async () => {
    const { phone, kinds } = phoneWith({ enrol: [ok(record())], scan: ok(REQUEST) }, false);
    await phone.start(SCAN);
    await phone.enrolment.enterCode('C');
    phone.enrolment.acceptHolder();
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(kinds().slice(-2)).toEqual(['LOOKING', 'PREVIEW']);
    await phone.links.proceed();
    expect(kinds().slice(-2)).toEqual(['OPENING', 'CONSENT']);
  });
});

describe('leaving the page', () => {
  it('declines while a request is shown', async () => {
    const { phone, left, last } = await atPin({});
    phone.leave();
    expect(left).toEqual([`leave ${SESSION}`]);
    expect(last()).toMatchObject({ outcome: 'LEFT' });
  });

  it('declines nothing once the PIN is sent, or without a request', async () => {
    const { phone, left } = await atPin({ confirm: [ok({})] });
    const confirming = phone.confirm('2580');
    phone.leave();
    await confirming;
    phone.leave();
    phone.home();
    phone.leave();
    expect(left).toEqual([]);
  });

  it.each([
    ['the service answers', ok('CANCELLED'), undefined],
    ['the session has ended meanwhile', refused(404, 'session_not_found'), undefined],
    ['the service cannot be reached', UNREACHABLE, SESSION],
  ] as const)('declines once more at the next start of the tab, in case the browser lost the message (%s)', async (_, decline, stillOpen) => {
    const openRequest = openRequestOf();
    const first = await atPin({ openRequest });
    first.phone.leave();
    const { phone, calls, kinds } = phoneWith({ openRequest, decline });
    await phone.start(undefined);
    expect(calls).toEqual([`decline ${SESSION} LEFT`]);
    expect(kinds()).toEqual(['HOME']);
    await Promise.resolve();
    expect(openRequest.read()).toBe(stillOpen);
  });

  it.each(['a PIN that was sent', 'a refusal'])('leaves nothing to decline at the next start after %s', async (decision) => {
    const openRequest = openRequestOf();
    const { phone } = await atPin({ openRequest, confirm: [ok({})], decline: ok('CANCELLED') });
    await (decision === 'a refusal' ? phone.decline() : phone.confirm('2580'));
    expect(openRequest.read()).toBeUndefined();
  });

  it('happens to the first request when another one is opened', async () => {
    const { phone, left, last } = await atPin({});
    await phone.take(SCAN);
    await phone.links.proceed();
    expect(left).toEqual([`leave ${SESSION}`]);
    expect(last()).toMatchObject({ kind: 'CONSENT' });
  });
});

describe('given an enrolled phone without a request', () => {
  it('shows that it cannot read a pasted text, and ignores what the camera cannot read', async () => {
    const { phone, states, last } = phoneWith();
    await phone.start(undefined);
    expect(await phone.takeText('https://example.org', { byCamera: true })).toBe(false);
    expect(states).toHaveLength(1);
    expect(await phone.takeText('https://example.org')).toBe(false);
    expect(last()).toMatchObject({ kind: 'HOME', notice: 'UNREADABLE' });
  });

  it('refuses a second activation code', async () => {
    const { phone, last } = phoneWith();
    await phone.start({ kind: 'ACTIVATE', code: 'C' });
    expect(last()).toMatchObject({ kind: 'HOME', notice: 'ALREADY_SET_UP' });
  });

  it('shows pushed sessions, on the home screen only', async () => {
    const fixture = await atPin({});
    fixture.phone.showAtHome({ inbox: [{ sessionId: SESSION, expiresAt: 1 }] });
    expect(fixture.last()).toMatchObject({ kind: 'PIN' });
    fixture.phone.home();
    fixture.phone.showAtHome({ inbox: [{ sessionId: SESSION, expiresAt: 1 }] });
    expect(fixture.last()).toMatchObject({ kind: 'HOME', inbox: [{ sessionId: SESSION }] });
  });
});

describe('given a phone whose certificate ends', () => {
  const DAY = 86_400_000;
  const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  /** The clock of these phones stands at 0. */
  const certificate = async (daysLeft: number): Promise<string> => {
    const { privateKey } = await crypto.subtle.generateKey(P256, false, ['sign', 'verify']);
    const issued = await X509CertificateGenerator.create({
      subject: 'G=Ada, SN=Byron',
      issuer: 'CN=CA',
      notBefore: new Date(-20 * DAY),
      notAfter: new Date(daysLeft * DAY),
      publicKey: keys.stored.signing.publicKey,
      signingKey: privateKey,
      signingAlgorithm: P256,
    });
    return issued.toString('base64');
  };
  const callsOf = (calls: readonly string[]) => calls.map((call) => call.split(' ')[0]);

  it('renews it before it opens a request', async () => {
    const renewed = await certificate(700);
    const { phone, calls, store, last } = await wentOn({
      signingCertificate: await certificate(1),
      renew: ok({ signingCertificate: renewed, certificateChain: [] }),
    });
    expect(callsOf(calls)).toEqual(['preview', 'renew', 'scan']);
    expect([phone.device?.signingCertificate, store.kept()?.signingCertificate]).toEqual([renewed, renewed]);
    expect(last()).toMatchObject({ kind: 'CONSENT' });
  });

  it('opens the request also where the renewal gets no answer', async () => {
    const { calls, last } = await wentOn({ signingCertificate: await certificate(1), renew: UNREACHABLE });
    expect(callsOf(calls)).toEqual(['preview', 'renew', 'scan']);
    expect(last()).toMatchObject({ kind: 'CONSENT' });
  });
});
