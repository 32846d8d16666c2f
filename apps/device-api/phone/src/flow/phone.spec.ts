import { type JsonWebKey as NodeJsonWebKey, verify } from 'node:crypto';

import type { Reply } from '#web-page/browser';
import type { DeviceStatus, ReadyRequest } from '../api/phone-api.js';
import type { SessionRequest } from '../api/session-request.js';
import { toBase64, utf8 } from '../crypto/bytes.js';
import { type DeviceKeys, makeDeviceKeys, pinProof } from '../crypto/device-keys.js';
import type { DeviceRecord, DeviceStore } from './device-record.js';
import type { Entry } from './entry.js';
import { Phone } from './phone.js';
import type { PhoneMemory } from './phone-memory.js';
import type { PhoneState } from './phone-state.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
const RETURN = 'https://rp.example/wait';
const SCAN: Entry = { kind: 'SCAN', link: { sessionId: SESSION, returnUrl: RETURN } };
const LINK = `countersign://app/scan?sessionId=${SESSION}&returnUrl=${encodeURIComponent(RETURN)}`;
const UNREACHABLE = { kind: 'UNREACHABLE' } as const;

const ok = <Body>(body: Body): Reply<Body> => ({ kind: 'OK', body });
const refused = (status: number, errorCode: string, payload?: object): Reply<never> => ({
  kind: 'REFUSED',
  status,
  errorCode,
  ...(payload && { payload }),
});

const statement = { sessionId: SESSION, clientId: 'c', relyingPartyName: 'Harbour Bank', challenge: 'c'.repeat(43), expiresAt: 120 };
const REQUEST: SessionRequest = {
  sessionId: SESSION,
  signatureType: 'AUTHENTICATION',
  relyingPartyName: 'Harbour Bank',
  expiresAt: 120,
  toBeSigned: toBase64(utf8(JSON.stringify(statement))),
  signatureAlgorithm: 'ES256',
  returnUrl: RETURN,
};

interface Script {
  readonly scan?: Reply<SessionRequest>;
  readonly confirm?: readonly Reply<string>[];
  readonly decline?: Reply<string>;
  readonly device?: Reply<DeviceStatus>;
  readonly enrol?: readonly Reply<DeviceRecord>[];
}

let keys: DeviceKeys;
const phones: Phone[] = [];
const record = (): DeviceRecord => ({ deviceId: 'd1', name: 'Chrome', keys, signingCertificate: '', certificateChain: [], enrolledAt: 0 });

const memoryStore = (kept?: DeviceRecord): DeviceStore & { kept: () => DeviceRecord | undefined } => ({
  load: () => Promise.resolve(kept),
  save: (saved) => Promise.resolve(void (kept = saved)),
  clear: () => Promise.resolve(void (kept = undefined)),
  kept: () => kept,
});

const phoneWith = (script: Script = {}, enrolled = true) => {
  const calls: string[] = [];
  const states: PhoneState[] = [];
  const left: string[] = [];
  const memories: PhoneMemory[] = [];
  const store = memoryStore(enrolled ? record() : undefined);
  const answer = <Body>(name: string, reply: Reply<Body> | undefined): Promise<Reply<Body>> => {
    calls.push(name);
    return reply ? Promise.resolve(reply) : Promise.reject(new Error(`nothing to answer to ${name}`));
  };
  let confirms = 0;
  let enrols = 0;
  const phone = new Phone({
    api: {
      device: () => answer('device', script.device),
      scan: (_, { sessionId, returnUrl }) => answer(`scan ${sessionId === SESSION} ${returnUrl}`, script.scan),
      confirm: (_, sessionId, proof, signature) => answer(`confirm ${sessionId} ${proof} ${signature}`, script.confirm?.[(confirms += 1) - 1]),
      decline: (_, sessionId) => answer(`decline ${sessionId}`, script.decline ?? ok('CANCELLED')),
      prepareLeaveMessage: (_, sessionId) => Promise.resolve<ReadyRequest>({ url: `leave ${sessionId}`, init: {} }),
    },
    store,
    memory: { load: () => Promise.resolve(undefined), save: (memory) => Promise.resolve(void memories.push(memory)) },
    enrolment: { enrol: (code, pin) => answer(`enrol ${code} ${pin}`, script.enrol?.[(enrols += 1) - 1]) },
    appScheme: 'countersign',
    now: () => 0,
    sendOnLeaving: ({ url }) => left.push(url),
    onChange: (state) => states.push(state),
  });
  phones.push(phone);
  return { phone, calls, states, left, store, memories, kinds: () => states.map(({ kind }) => kind), last: () => states.at(-1) };
};

/** A phone that shows the request and waits for the PIN. */
const atPin = async (script: Script) => {
  const fixture = phoneWith({ scan: ok(REQUEST), ...script });
  await fixture.phone.start(SCAN);
  fixture.phone.proceed();
  return fixture;
};

beforeAll(async () => {
  keys = await makeDeviceKeys();
});

// An open request keeps a message ready, which needs a running timer.
afterEach(() => phones.splice(0).forEach((phone) => phone.leave()));

describe('given a new phone', () => {
  it('asks for the activation code, then twice for a PIN, and is then enrolled', async () => {
    const { phone, kinds, calls, store, last } = phoneWith({ enrol: [ok(record())] }, false);
    await phone.start(undefined);
    phone.enrolment.enterCode(' CODE ');
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(kinds()).toEqual(['ENROL_CODE', 'ENROL_PIN', 'ENROL_PIN_AGAIN', 'ENROLLING', 'HOME']);
    expect(calls).toEqual(['enrol CODE 2580']);
    expect(store.kept()?.deviceId).toBe('d1');
    expect(last()).toMatchObject({ notice: 'WELCOME' });
  });

  it('takes the code from the link that opened it, or from a pasted one', async () => {
    const { phone, states, calls } = phoneWith({ enrol: [ok(record())] }, false);
    await phone.start({ kind: 'ACTIVATE', code: 'FROM-LINK' });
    expect(states).toEqual([{ kind: 'ENROL_CODE', code: 'FROM-LINK' }]);
    phone.enrolment.enterCode('https://phone.example/#activate=PASTED');
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(calls).toEqual(['enrol PASTED 2580']);
  });

  it('refuses two different PINs and a PIN that is easily guessed', async () => {
    const { phone, last, calls } = phoneWith({}, false);
    await phone.start({ kind: 'ACTIVATE', code: 'C' });
    phone.enrolment.enterCode('C');
    phone.enrolment.choosePin('1234');
    expect(last()).toEqual({ kind: 'ENROL_PIN', fault: 'WEAK' });
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2581');
    expect(last()).toEqual({ kind: 'ENROL_PIN', fault: 'DIFFERENT' });
    expect(calls).toEqual([]);
  });

  it.each([
    [refused(400, 'invalid_activation_code'), 'CODE_REFUSED'],
    [refused(400, 'invalid_request'), 'FAILED'],
    [UNREACHABLE, 'UNREACHABLE'],
  ] as const)('keeps the code for another try when the service answers %j', async (reply, fault) => {
    const { phone, last, store } = phoneWith({ enrol: [reply] }, false);
    await phone.start(undefined);
    phone.enrolment.enterCode('C');
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(last()).toEqual({ kind: 'ENROL_CODE', code: 'C', fault });
    expect(store.kept()).toBeUndefined();
  });

  it('opens the request that it was opened with once it is set up', async () => {
    const { phone, kinds } = phoneWith({ enrol: [ok(record())], scan: ok(REQUEST) }, false);
    await phone.start(SCAN);
    phone.enrolment.enterCode('C');
    phone.enrolment.choosePin('2580');
    await phone.enrolment.repeatPin('2580');
    expect(kinds().slice(-2)).toEqual(['OPENING', 'CONSENT']);
  });
});

describe('given a request', () => {
  it('shows it before it asks for the PIN, and confirms with a signature of what was shown', async () => {
    const { phone, kinds, calls, last } = await atPin({ confirm: [ok('CONFIRMED')] });
    await phone.confirm('2580');
    expect(kinds()).toEqual(['OPENING', 'CONSENT', 'PIN', 'CONFIRMING', 'OUTCOME']);
    expect(last()).toMatchObject({ outcome: 'CONFIRMED', returnTo: RETURN });
    const [, sessionId, proof, signature] = calls.at(-1)?.split(' ') ?? [];
    expect(sessionId).toBe(SESSION);
    expect(proof).toBe(await pinProof(keys.pin, '2580'));
    const key = (await crypto.subtle.exportKey('jwk', keys.authentication.publicKey)) as NodeJsonWebKey;
    const genuine = verify(
      'sha256',
      Buffer.from(JSON.stringify(statement)),
      { key, format: 'jwk', dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature ?? '', 'base64'),
    );
    expect(genuine).toBe(true);
  });

  it('sends the returnUrl only of a link that was opened on this device, not of a text that may come from another one', async () => {
    const { phone, calls } = phoneWith({ scan: ok(REQUEST) });
    await phone.start(SCAN);
    await phone.takeText(LINK);
    await phone.takeText(LINK, { byCamera: true });
    expect(calls.filter((call) => call.startsWith('scan'))).toEqual([`scan true ${RETURN}`, 'scan true undefined', 'scan true undefined']);
  });

  it('has no way back after the camera or a pasted link, even when the service names one', async () => {
    for (const byCamera of [true, false]) {
      const { phone, last } = phoneWith({ scan: ok(REQUEST), confirm: [ok('CONFIRMED')] });
      await phone.start(undefined);
      await phone.takeText(LINK, { byCamera });
      phone.proceed();
      await phone.confirm('2580');
      expect(last()).toMatchObject({ outcome: 'CONFIRMED', arrival: byCamera ? 'CAMERA' : 'PASTE' });
      expect(last()).not.toHaveProperty('returnTo');
    }
  });

  it('opens it again when the service did not answer', async () => {
    const { phone, calls, last } = phoneWith({ scan: UNREACHABLE });
    await phone.start(SCAN);
    expect(last()).toMatchObject({ outcome: 'UNREACHABLE' });
    await phone.tryAgain();
    expect(calls).toEqual([`scan true ${RETURN}`, `scan true ${RETURN}`]);
  });

  it('remembers the client and the end of a request, and shows them at home', async () => {
    const { phone, last, memories } = await atPin({ confirm: [refused(403, 'wrong_pin', { attemptsLeft: 2 }), ok('CONFIRMED')] });
    await phone.confirm('2581');
    expect(memories.at(-1)).toEqual({ requests: [], pinAttemptsLeft: 2 });
    await phone.confirm('2580');
    phone.home();
    const past = { sessionId: SESSION, relyingPartyName: 'Harbour Bank', signatureType: 'AUTHENTICATION', outcome: 'CONFIRMED', at: 0 };
    expect(last()).toMatchObject({ kind: 'HOME', memory: { requests: [past] } });
    expect(memories.at(-1)).toEqual({ requests: [past] });
  });

  it('returns only to an address that may be opened', async () => {
    const { phone, last } = await atPin({ scan: ok({ ...REQUEST, returnUrl: 'javascript:alert(1)' }), confirm: [ok('CONFIRMED')] });
    await phone.confirm('2580');
    expect(last()).not.toHaveProperty('returnTo');
  });

  it.each([
    ['another name than the one that would be signed', { relyingPartyName: 'Other Bank' }],
    ['a title that would not be signed', { title: 'x' }],
    ['another session', { sessionId: '00000000-0000-4000-8000-000000000000' }],
    ['a document without anything to check', { signatureType: 'SIGNING' as const }],
  ])('refuses to show %s, and says no', async (_, change) => {
    const { phone, calls, last } = phoneWith({ scan: ok({ ...REQUEST, ...change }) });
    await phone.start(SCAN);
    expect(last()).toMatchObject({ kind: 'OUTCOME', outcome: 'NOT_WHAT_IT_SAYS' });
    expect(calls.at(-1)).toBe(`decline ${SESSION}`);
  });

  it.each([
    [refused(404, 'session_not_found'), 'NOT_KNOWN'],
    [refused(409, 'session_already_scanned'), 'USED_ON_ANOTHER_PHONE'],
    [refused(403, 'subject_not_allowed'), 'NOT_FOR_YOU'],
    [refused(410, 'session_expired'), 'EXPIRED'],
    [refused(400, 'invalid_qr'), 'CODE_TOO_OLD'],
    [refused(400, 'invalid_request'), 'FAILED'],
    [UNREACHABLE, 'UNREACHABLE'],
  ] as const)('ends clearly when the scan answers %j', async (scan, outcome) => {
    const { phone, last } = phoneWith({ scan });
    await phone.start(SCAN);
    expect(last()).toMatchObject({ kind: 'OUTCOME', outcome });
  });

  it('shows that the service has revoked it', async () => {
    const { phone, last, store } = phoneWith({ scan: refused(401, 'invalid_device_proof', { now: 0 }) });
    await phone.start(SCAN);
    expect(last()).toEqual({ kind: 'REVOKED' });
    await phone.forget();
    expect(last()).toMatchObject({ kind: 'ENROL_CODE' });
    expect(store.kept()).toBeUndefined();
  });

  it('can be declined before and after Confirm is pressed', async () => {
    const early = phoneWith({ scan: ok(REQUEST) });
    await early.phone.start(SCAN);
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
  it('asks again and says how many tries are left', async () => {
    const { phone, last } = await atPin({ confirm: [refused(403, 'wrong_pin', { attemptsLeft: 2 }), ok('CONFIRMED')] });
    await phone.confirm('9999');
    expect(last()).toMatchObject({ kind: 'PIN', attemptsLeft: 2 });
    await phone.confirm('2580');
    expect(last()).toMatchObject({ outcome: 'CONFIRMED' });
  });

  it('shows the lock after the third one, and its end', async () => {
    const { phone, last } = await atPin({
      confirm: [refused(403, 'wrong_pin', { attemptsLeft: 0 })],
      device: ok({ status: 'LOCKED', lockedUntil: 10_800 }),
    });
    await phone.confirm('9999');
    expect(last()).toMatchObject({ outcome: 'LOCKED', lockedUntil: 10_800 });
  });

  it('shows the lock too when a locked phone scans', async () => {
    const { phone, last } = phoneWith({ scan: refused(423, 'device_locked'), device: ok({ status: 'LOCKED' }) });
    await phone.start(SCAN);
    expect(last()).toEqual({ kind: 'OUTCOME', outcome: 'LOCKED', arrival: 'LINK' });
    phone.home();
    expect(last()).toMatchObject({ kind: 'HOME', check: { kind: 'LOCKED' } });
  });
});

describe('given no connection while it confirms', () => {
  it('asks for the PIN again and repeats', async () => {
    const { phone, last } = await atPin({ confirm: [UNREACHABLE, ok('CONFIRMED')] });
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

describe('leaving the page', () => {
  it('declines while a request is shown', async () => {
    const { phone, left, last } = await atPin({});
    phone.leave();
    expect(left).toEqual([`leave ${SESSION}`]);
    expect(last()).toMatchObject({ outcome: 'LEFT' });
  });

  it('declines nothing once the PIN is sent, or without a request', async () => {
    const { phone, left } = await atPin({ confirm: [ok('CONFIRMED')] });
    const confirming = phone.confirm('2580');
    phone.leave();
    await confirming;
    phone.leave();
    phone.home();
    phone.leave();
    expect(left).toEqual([]);
  });

  it('happens to the first request when another one is opened', async () => {
    const { phone, left, last } = await atPin({});
    await phone.take(SCAN);
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
    fixture.phone.showInbox([{ sessionId: SESSION, expiresAt: 1 }]);
    expect(fixture.last()).toMatchObject({ kind: 'PIN' });
    fixture.phone.home();
    fixture.phone.showInbox([{ sessionId: SESSION, expiresAt: 1 }]);
    expect(fixture.last()).toMatchObject({ kind: 'HOME', inbox: [{ sessionId: SESSION }] });
  });
});
