import { type DeviceId, type SessionId } from '#kernel';
import { NewerEventStored, streamName, WrongExpectedRevision } from '#engines/event-store';

import { pinProof } from '#testkit/identity/identity-fixture';
import { identity, identityId, usePerson, typesIn } from '#testkit/identity/registered-person';

usePerson();

const HOUR = 3_600_000;

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
    expect(await identity.findDevice.execute(deviceId)).toEqual(before);
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

  describe('within a work that decides more', () => {
    /** The work fails after the verdict. */
    const failing = (pin: string) =>
      identity.parts.unitOfWork.run(async (streams) => {
        await identity.checkPin.in(streams, { deviceId, sessionId, pinProof: pinProof(pin) });
        throw new Error('the work fails');
      });

    it.each(['1234', '0000'])('is stored with the work alone: PIN %s', async (pin) => {
      await expect(failing(pin)).rejects.toThrow('the work fails');
      expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled']);
    });

    it('judges a right PIN on the device as this process has read it, and a wrong one on a read', async () => {
      await identity.findDevice.execute(deviceId);
      let reads = 0;
      const { read } = identity.store;
      identity.store.read = ((...given: Parameters<typeof read>) => ((reads += 1), read.apply(identity.store, given))) as typeof read;
      expect(await check('1234')).toEqual({ accepted: true });
      expect(reads).toBe(0);
      expect(await check('0000')).toMatchObject({ accepted: false, attemptsLeft: 2 });
      expect(reads).toBeGreaterThan(0);
      identity.store.read = read;
    });

    it('that finds the device locked by another process judges no PIN', async () => {
      await identity.findDevice.execute(deviceId);
      const other = identity.replica();
      for (const pin of ['1', '2', '3']) await other.checkPin.execute({ deviceId, sessionId, pinProof: pinProof(pin) });
      await expect(check('1234', 's2' as SessionId)).rejects.toMatchObject({ code: 'device_locked', sessionId });
    });
  });

  it('refuses a proof of the wrong length', async () => {
    await expect(identity.checkPin.execute({ deviceId, sessionId, pinProof: '1234' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await typesIn('device', deviceId)).toEqual(['DeviceEnrolled']);
  });
});

describe('a device with an event that only a newer release knows', () => {
  it('takes no PIN: the event may have locked it', async () => {
    const { deviceId } = await identity.enrol(identityId);
    await identity.store.append(streamName('device', deviceId), 0, [{ type: 'DeviceQuarantined', data: { at: identity.clock.now(), pin: 'any' } }]);
    const checked = identity.checkPin.execute({ deviceId, sessionId: identity.randomness.uuid<SessionId>(), pinProof: pinProof('1234') });
    await expect(checked).rejects.toThrow(NewerEventStored);
  });
});
