import { type DeviceId, type IdentityId, LocatingTokens, type SessionId } from '#kernel';
import { idOf, NewerEventStored, streamName, WrongExpectedRevision } from '#event-store';

import { enrolmentRequest, identityFixture, MARI, pinProof } from '../testing/identity-fixture.js';

const HOUR = 3_600_000;

let identity: ReturnType<typeof identityFixture>;
let identityId: IdentityId;
beforeEach(async () => {
  identity = identityFixture();
  identityId = await identity.registerIdentity.execute(MARI);
});
afterEach(() => identity.close());

const typesIn = async (category: string, id: string) => (await identity.store.read(streamName(category, id))).map(({ type }) => type);

describe('an enrolment', () => {
  it('makes the phone a device of the person', async () => {
    const { deviceId, name, certificate, chain } = await identity.enrol(identityId);
    expect({ name, chain: chain.map(String) }).toEqual({ name: "Mari's phone", chain: ['issuing CA', 'root'] });
    expect(String(certificate)).toMatch(/^certificate /);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({
      deviceId,
      identityId,
      status: 'ACTIVE',
      authenticationKey: { kty: 'EC', crv: 'P-256' },
    });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(true);
    expect(await typesIn('identity', identityId)).toEqual(['IdentityRegistered', 'ActivationCodeIssued', 'DeviceAdded']);
    expect(await typesIn('certificate', String(certificate).slice('certificate '.length))).toEqual(['CertificateIssued']);
    expect(await identity.listDevices.execute(identityId, { limit: 10 })).toEqual({
      entries: [{ deviceId, name, platform: 'Android 16', status: 'ACTIVE', enrolledAt: identity.clock.now() }],
    });
  });

  it('needs a signing request where there is a certificate authority, and leaves the code valid without', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    await expect(identity.enrolDevice.execute({ ...enrolmentRequest(), activationCode: code, signingCsr: undefined })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: '`signing_csr` must be a PKCS#10 request in base64 DER.',
    });
    await identity.enrol(identityId, code);
  });

  it.each([
    ['without a signing request', undefined],
    ['with a signing request, which is not read', Buffer.from('a request')],
  ])('makes a device without a certificate where there is no certificate authority: %s', async (_, signingCsr) => {
    const { enrolDevice, readSigningCertificate, hasActiveDevice, eraseIdentity } = identity.replica({ certificateAuthority: undefined });
    const activationCode = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const { deviceId, signingCertificate } = await enrolDevice.execute({ ...enrolmentRequest(), activationCode, signingCsr });
    expect(signingCertificate).toBeUndefined();
    expect(identity.certificateAuthority.issued).toBe(0);
    expect(await hasActiveDevice.execute(identityId)).toBe(true);
    expect((await identity.store.read(streamName('device', deviceId)))[0]?.data).not.toHaveProperty('certificateSerial');
    await expect(readSigningCertificate.execute({ identityId, deviceId })).rejects.toMatchObject({
      code: 'invalid_request',
      reason: 'device without a certificate',
    });
    await eraseIdentity.execute(identityId);
    expect(await identity.findDevice.execute(deviceId)).toBeUndefined();
  });

  it('stores neither the name, the platform nor the PIN proof in the open', async () => {
    const { deviceId } = await identity.enrol(identityId);
    const stored = JSON.stringify((await identity.store.read(streamName('device', deviceId))).map(({ data }) => data));
    expect(stored).not.toMatch(/Mari|Android/);
    expect(stored).not.toContain(pinProof('1234'));
  });

  it('consumes its code, also when many phones use it at the same time', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => identity.enrol(identityId, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(identity.certificateAuthority.issued).toBe(1);
    await expect(identity.enrol(identityId, code)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'already used' });
  });

  it('records every device when many are enrolled at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, () => identity.enrol(identityId)));
    const { entries } = await identity.listDevices.execute(identityId, { limit: 100 });
    expect(entries.map(({ name }) => name)).toEqual(Array(10).fill("Mari's phone"));
  });

  it('accepts each of several codes for 15 minutes', async () => {
    const codes = await Promise.all([1, 2].map(() => identity.issueActivationCode.execute(identityId)));
    const [first, second] = codes.map(({ activationCode }) => activationCode.reveal());
    expect(first).not.toBe(second);
    expect(codes[0]?.expiresAt).toBe(identity.clock.now() + 900_000);
    identity.clock.advance(899_999);
    await identity.enrol(identityId, second);
    identity.clock.advance(1);
    await expect(identity.enrol(identityId, first)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'expired' });
  });

  it('gives one public answer to every wrong code and the reason to the log', async () => {
    const codes = new LocatingTokens(identity.parts.keys.token, 'activation-code');
    const other = new LocatingTokens(identity.parts.keys.token, 'login-cookie');
    const [, issued] = await issuedEvent();
    const refusals = await Promise.all(
      ['', 'nonsense', '😀', codes.make(identity.randomness.uuid(), issued), codes.make(identityId, 'another'), other.make(identityId, issued)].map(
        (code) => identity.enrol(identityId, code).catch((error: unknown) => error),
      ),
    );
    expect(refusals.map((refusal) => (refusal as { reason: string }).reason)).toEqual([
      'not a code',
      'not a code',
      'not a code',
      'identity is NONE',
      'forged',
      'forged',
    ]);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'invalid_activation_code', detail: undefined, payload: undefined });
    expect(identity.certificateAuthority.issued).toBe(0);
  });

  it('leaves a device that counts as revoked and a valid code when a crash interrupts it before the last event', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const { append } = identity.store;
    identity.store.append = (stream, expected, events) =>
      events[0]?.type === 'DeviceAdded' ? Promise.reject(new Error('crash')) : append.call(identity.store, stream, expected, events);
    await expect(identity.enrol(identityId, code)).rejects.toThrow('crash');
    identity.store.append = append;

    const orphan = await orphanedDevice();
    expect(await identity.findDevice.execute(orphan)).toMatchObject({ status: 'REVOKED' });
    expect((await identity.listDevices.execute(identityId, { limit: 10 })).entries).toEqual([]);
    await identity.enrol(identityId, code);
  });

  it.each([
    [{ pinProof: 'short' }, '`pin_proof` must be 32 bytes in base64url.'],
    [{ name: '' }, '`name` must have 1 to 64 characters.'],
    [{ name: 'x\u202e' }, '`name` must hold no control or direction-override character.'],
    [{ platform: 'x'.repeat(65) }, '`platform` must have 0 to 64 characters.'],
    [{ authenticationKey: { kty: 'RSA' } }, '`jwk` must be a P-256 key.'],
    [{ authenticationKey: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } }, '`jwk` must be a point of P-256.'],
  ])('refuses %j', async (changes, detail) => {
    await expect(identity.enrolDevice.execute({ ...enrolmentRequest(), ...changes })).rejects.toMatchObject({ code: 'invalid_request', detail });
  });

  const issuedEvent = async () => {
    await identity.issueActivationCode.execute(identityId);
    return (await identity.store.read(streamName('identity', identityId))).map(({ id }) => id) as unknown as [string, string];
  };

  const orphanedDevice = async () => {
    const enough = new AbortController();
    for await (const item of identity.store.subscribe({ categories: ['device'], signal: enough.signal })) {
      if (item !== 'caught-up') return idOf<DeviceId>(item.stream);
    }
    throw new Error('no device');
  };
});

describe('a PIN check', () => {
  const sessionId = 's1' as SessionId;
  let deviceId: DeviceId;
  beforeEach(async () => {
    ({ deviceId } = await identity.enrol(identityId));
  });
  const check = (pin: string, session = sessionId) => identity.checkPin.execute({ deviceId, sessionId: session, pinProof: pinProof(pin) });

  it('appends the verdict before it answers', async () => {
    expect(await check('1234')).toEqual({ accepted: true });
    expect(await check('0000')).toEqual({ accepted: false, attemptsLeft: 2, locked: false });
    expect(await check('0000')).toEqual({ accepted: false, attemptsLeft: 1, locked: false });
    expect(await check('0000')).toEqual({ accepted: false, attemptsLeft: 0, locked: true });
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled', 'PinAccepted', 'PinFailed', 'PinFailed', 'PinFailed', 'DeviceLocked']);
  });

  it('is refused for a locked device, with the session that locked it and the end of the lock', async () => {
    for (const pin of ['1', '2', '3']) await check(pin);
    const lockedUntil = identity.clock.now() + 3 * HOUR;
    await expect(check('1234', 's2' as SessionId)).rejects.toMatchObject({ code: 'device_locked', lockedUntil, sessionId });
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'LOCKED', lockedUntil, lockedBy: sessionId });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(false);
    identity.clock.advance(3 * HOUR);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'ACTIVE' });
    expect(await check('1234', 's2' as SessionId)).toEqual({ accepted: true });
  });

  it('judges at most three wrong PINs of a hundred simultaneous checks, the right PIN among them', async () => {
    const pins = Array.from({ length: 100 }, (_, index) => (index === 50 ? '1234' : `wrong ${index}`));
    const outcomes = await Promise.allSettled(pins.map((pin) => check(pin)));
    const judgedWrong = outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value.accepted);
    const locked = outcomes.filter((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code === 'device_locked');
    expect(judgedWrong).toHaveLength(3);
    expect(locked).toHaveLength(97);
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled', 'PinFailed', 'PinFailed', 'PinFailed', 'DeviceLocked']);
  });

  it('counts simultaneous checks of several replicas one by one', async () => {
    const replicas = Array.from({ length: 5 }, () => identity.replica().checkPin);
    const tries = Array.from({ length: 50 }, (_, index) =>
      replicas[index % 5]!.execute({ deviceId, sessionId, pinProof: pinProof(`wrong ${index}`) }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('accepts sixty sessions of one phone at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, index) => check('1234', `s${index}` as SessionId)));
    expect(outcomes).toEqual(Array(60).fill({ accepted: true }));
  });

  it('leaves no more than the newest 32 events and the enrolment, however many there were', async () => {
    const before = await identity.findDevice.execute(deviceId);
    for (let count = 0; count < 200; count++) expect(await check('1234', `s${count}` as SessionId)).toEqual({ accepted: true });
    const stream = streamName('device', deviceId);
    const stored = await identity.store.read(stream);
    expect(stored.length).toBeLessThanOrEqual(33);
    expect(stored[0]).toMatchObject({ type: 'DeviceCompacted', data: { identityId, pin: { wrongInRow: 0 } } });
    expect(await identity.findDevice.execute(deviceId)).toEqual({ ...before, asRead: expect.anything() });
    expect((await identity.listDevices.execute(identityId, { limit: 10 })).entries).toMatchObject([{ enrolledAt: identity.clock.now() }]);
  });

  it('keeps wrong PINs and locks over a compaction', async () => {
    for (let count = 0; count < 29; count++) await check('1234', `s${count}` as SessionId);
    await check('0000');
    await check('0000');
    identity.clock.advance(1);
    await check('0000');
    expect(await typesIn('device', deviceId)).toEqual(['DeviceCompacted']);
    await expect(check('1234', 's2' as SessionId)).rejects.toMatchObject({ code: 'device_locked', sessionId });
    identity.clock.advance(3 * HOUR);
    for (const pin of ['0000', '0000', '0000']) await check(pin, 's3' as SessionId);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'LOCKED', lockedUntil: identity.clock.now() + 24 * HOUR });
  });

  it('is answered also when the compaction fails or another check comes first', async () => {
    for (let count = 0; count < 31; count++) await check('1234');
    const { append } = identity.store;
    identity.store.append = (stream, expected, events, options) =>
      events[0]?.type === 'DeviceCompacted'
        ? Promise.reject(new WrongExpectedRevision(stream, expected, 33))
        : append.call(identity.store, stream, expected, events, options);
    expect(await check('1234')).toEqual({ accepted: true });
    identity.store.append = append;
    expect(await typesIn('device', deviceId)).toHaveLength(33);
    await check('1234');
    expect(await typesIn('device', deviceId)).toEqual(['DeviceCompacted']);
  });

  it('is refused for a revoked device', async () => {
    await identity.revokeDevice.execute(identityId, deviceId);
    await expect(check('1234')).rejects.toMatchObject({ code: 'device_not_found', reason: 'device is REVOKED' });
  });

  it('refuses a proof of the wrong length', async () => {
    await expect(identity.checkPin.execute({ deviceId, sessionId, pinProof: '1234' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled']);
  });
});

describe('a revocation', () => {
  it('ends the device, and is shown', async () => {
    const { deviceId } = await identity.enrol(identityId);
    await identity.revokeDevice.execute(identityId, deviceId);
    await identity.revokeDevice.execute(identityId, deviceId);
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled', 'DeviceRevoked']);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'REVOKED' });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(false);
    expect((await identity.listDevices.execute(identityId, { limit: 1 })).entries).toMatchObject([{ deviceId, status: 'REVOKED' }]);
  });

  it("does not reach another person's device", async () => {
    const { deviceId } = await identity.enrol(identityId);
    const other = await identity.registerIdentity.execute({ ...MARI, personalCode: '2' });
    await expect(identity.revokeDevice.execute(other, deviceId)).rejects.toMatchObject({ code: 'device_not_found' });
    await expect(identity.revokeDevice.execute(identity.randomness.uuid(), deviceId)).rejects.toMatchObject({ code: 'identity_not_found' });
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'ACTIVE' });
  });
});

it('knows no device of an unknown id', async () => {
  expect(await identity.findDevice.execute(identity.randomness.uuid())).toBeUndefined();
});

describe('a device with an event that only a newer release knows', () => {
  it('takes no PIN: the event may have locked it', async () => {
    const { deviceId } = await identity.enrol(identityId);
    await identity.store.append(streamName('device', deviceId), 0, [{ type: 'DeviceQuarantined', data: { at: identity.clock.now(), pin: 'any' } }]);
    const checked = identity.checkPin.execute({ deviceId, sessionId: identity.randomness.uuid<SessionId>(), pinProof: pinProof('1234') });
    await expect(checked).rejects.toThrow(NewerEventStored);
  });
});
