import { SESSION, SCAN, UNREACHABLE, ok, refused, REQUEST, record, phoneWith, atPin, usePhones } from './testing/scripted-phone.js';

usePhones();

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
