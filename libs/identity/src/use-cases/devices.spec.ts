import { type DeviceId, type IdentityId, LocatingTokens, type SessionId } from '#kernel';
import { streamName } from '#event-store';

import { enrolmentRequest, identityFixture, MARI, pinProof } from '../testing/identity-fixture.js';

const HOUR = 3_600_000;

let identity: ReturnType<typeof identityFixture>;
let identityId: IdentityId;
beforeEach(async () => {
  identity = identityFixture();
  identityId = await identity.registerIdentity.execute(MARI);
});
afterEach(() => identity.store.close());

const typesIn = async (category: string, id: string) => (await identity.store.read(streamName(category, id))).map(({ type }) => type);

describe('an enrolment', () => {
  it('makes the phone a device of the person', async () => {
    const { deviceId, name, certificate, chain } = await identity.enrol(identityId);
    expect({ name, chain: chain.map(String) }).toEqual({ name: "Mari's phone", chain: ['issuing CA', 'root'] });
    expect(String(certificate)).toMatch(/^certificate /);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ deviceId, identityId, status: 'ACTIVE', authenticationKey: { kty: 'EC', crv: 'P-256' } });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(true);
    expect(await typesIn('identity', identityId)).toEqual(['IdentityRegistered', 'ActivationCodeIssued', 'DeviceAdded']);
    expect(await typesIn('certificate', String(certificate).slice('certificate '.length))).toEqual(['CertificateIssued']);
    expect(await identity.listDevices.execute(identityId, { limit: 10 })).toEqual({
      entries: [{ deviceId, name, platform: 'Android 16', status: 'ACTIVE', enrolledAt: identity.clock.now() }],
    });
  });

  it('stores neither the name, the platform nor the PIN proof in the open', async () => {
    const { deviceId } = await identity.enrol(identityId);
    const stored = JSON.stringify((await identity.store.read(streamName('device', deviceId))).map(({ data }) => data));
    expect(stored).not.toMatch(/Mari|Android/);
    expect(stored).not.toContain(pinProof('1234'));
  });

  it('uses its code up, also when many phones come with it at the same time', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => identity.enrol(identityId, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(identity.certificateAuthority.issued).toBe(1);
    await expect(identity.enrol(identityId, code)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'already used' });
  });

  it('keeps every device when many are enrolled at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, () => identity.enrol(identityId)));
    const { entries } = await identity.listDevices.execute(identityId, { limit: 100 });
    expect(entries.map(({ name }) => name)).toEqual(Array(10).fill("Mari's phone"));
  });

  it('takes any of several codes for 15 minutes', async () => {
    const codes = await Promise.all([1, 2].map(() => identity.issueActivationCode.execute(identityId)));
    const [first, second] = codes.map(({ activationCode }) => activationCode.reveal());
    expect(first).not.toBe(second);
    expect(codes[0]?.expiresAt).toBe(identity.clock.now() + 900_000);
    identity.clock.advance(899_999);
    await identity.enrol(identityId, second);
    identity.clock.advance(1);
    await expect(identity.enrol(identityId, first)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'expired' });
  });

  it('tells wrong codes apart in the log only', async () => {
    const codes = new LocatingTokens(identity.parts.keys.token, 'activation-code');
    const other = new LocatingTokens(identity.parts.keys.token, 'login-cookie');
    const [, issued] = await issuedEvent();
    const refusals = await Promise.all(
      ['', 'nonsense', '😀', codes.make(identity.randomness.uuid(), issued), codes.make(identityId, 'another'), other.make(identityId, issued)].map((code) =>
        identity.enrol(identityId, code).catch((error: unknown) => error),
      ),
    );
    expect(refusals.map((refusal) => (refusal as { reason: string }).reason)).toEqual(['not a code', 'not a code', 'not a code', 'identity is NONE', 'forged', 'forged']);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'invalid_activation_code', detail: undefined, payload: undefined });
    expect(identity.certificateAuthority.issued).toBe(0);
  });

  it('that breaks off before the last event leaves a device that counts as revoked and a code that still works', async () => {
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
      if (item !== 'caught-up') return item.stream.slice('device-'.length) as DeviceId;
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

  it('is one append before it is answered', async () => {
    expect(await check('1234')).toEqual({ accepted: true });
    expect(await check('0000')).toEqual({ accepted: false, attemptsLeft: 2, locked: false });
    expect(await check('0000')).toEqual({ accepted: false, attemptsLeft: 1, locked: false });
    expect(await check('0000')).toEqual({ accepted: false, attemptsLeft: 0, locked: true });
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled', 'PinAccepted', 'PinFailed', 'PinFailed', 'PinFailed', 'DeviceLocked']);
  });

  it('of a locked device is refused, and says which session locked it and until when', async () => {
    for (const pin of ['1', '2', '3']) await check(pin);
    const lockedUntil = identity.clock.now() + 3 * HOUR;
    await expect(check('1234', 's2' as SessionId)).rejects.toMatchObject({ code: 'device_locked', lockedUntil, sessionId });
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'LOCKED', lockedUntil, lockedBy: sessionId });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(false);
    identity.clock.advance(3 * HOUR);
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'ACTIVE' });
    expect(await check('1234', 's2' as SessionId)).toEqual({ accepted: true });
  });

  it('made a hundred times at once, the right PIN among them, judges at most three wrong', async () => {
    const pins = Array.from({ length: 100 }, (_, index) => (index === 50 ? '1234' : `wrong ${index}`));
    const outcomes = await Promise.allSettled(pins.map((pin) => check(pin)));
    const judgedWrong = outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value.accepted);
    const locked = outcomes.filter((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code === 'device_locked');
    expect(judgedWrong).toHaveLength(3);
    expect(locked).toHaveLength(97);
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled', 'PinFailed', 'PinFailed', 'PinFailed', 'DeviceLocked']);
  });

  it('competes with other replicas by the revision of the stream alone', async () => {
    const replicas = Array.from({ length: 5 }, () => identity.replica().checkPin);
    const tries = Array.from({ length: 50 }, (_, index) => replicas[index % 5]!.execute({ deviceId, sessionId, pinProof: pinProof(`wrong ${index}`) }));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('lets one phone approve sixty sessions at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 60 }, (_, index) => check('1234', `s${index}` as SessionId)));
    expect(outcomes).toEqual(Array(60).fill({ accepted: true }));
  });

  it('of a device that was revoked is refused', async () => {
    await identity.revokeDevice.execute(identityId, deviceId);
    await expect(check('1234')).rejects.toMatchObject({ code: 'device_not_found', reason: 'device is REVOKED' });
  });

  it('takes only what can be a proof', async () => {
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
