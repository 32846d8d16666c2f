import type { DeviceId, IdentityId, SessionId } from '#kernel';
import { deciderSpec } from '#testkit/kernel/decider-spec';

import { deviceDecider } from './device.decider.js';
import type { DeviceEvent } from './device.events.js';
import type { DeviceState } from './device.js';
import { freshPin } from './pin-ladder.js';

const HOUR = 3_600_000;
const given = deciderSpec(deviceDecider);
const now = Date.UTC(2026, 0, 1);
const proof = { keyId: 'pin', mac: 'stored' };
const [one, two, three] = ['s1', 's2', 's3'] as [SessionId, SessionId, SessionId];
const enrolled: Extract<DeviceEvent, { type: 'DeviceEnrolled' }> = {
  type: 'DeviceEnrolled',
  data: {
    at: now,
    identityId: 'i1' as IdentityId,
    authenticationKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
    certificateSerial: 'aa',
    pin: freshPin(proof),
  },
};
const check = (sessionId: SessionId, right: boolean, at = now) => ({ type: 'CheckPin', now: at, sessionId, right, proof }) as const;

/** The events of the checks, decided one after another. */
const after = (...checks: readonly ReturnType<typeof check>[]): DeviceEvent[] => {
  const events: DeviceEvent[] = [enrolled];
  const state = () => events.reduce<DeviceState>((device, event) => deviceDecider.evolve(device, { ...event, id: '' }), deviceDecider.initial);
  for (const command of checks) events.push(...deviceDecider.decide(command, state()));
  return events;
};

const lockOf = (events: readonly DeviceEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'DeviceLocked' ? last.data.pin.lock : undefined;
};

describe('given an enrolled device', () => {
  it('records a right PIN', () => {
    given(enrolled)
      .when(check(one, true))
      .then({ type: 'PinAccepted', data: { at: now, sessionId: one, pin: freshPin(proof) } });
  });

  it('stores the proof under the newest key when the PIN is right', () => {
    const renewed = { keyId: 'pin2', mac: 'renewed' };
    given(enrolled)
      .when({ ...check(one, true), proof: renewed })
      .then({ type: 'PinAccepted', data: { at: now, sessionId: one, pin: freshPin(renewed) } });
  });

  it('counts a wrong PIN and stores the whole PIN state in the event', () => {
    const pin = { proof, wrongInRow: 1, wrongTries: [{ sessionId: one, at: now }] };
    given(enrolled)
      .when({ ...check(one, false), proof: { keyId: 'pin', mac: 'wrong' } })
      .then({ type: 'PinFailed', data: { at: now, sessionId: one, pin } });
  });

  it('locks for 3 hours at the third wrong PIN in a row, across sessions', () => {
    const events = after(check(one, false), check(two, false), check(three, false));
    expect(events.map(({ type }) => type)).toEqual(['DeviceEnrolled', 'PinFailed', 'PinFailed', 'PinFailed', 'DeviceLocked']);
    expect(lockOf(events)).toEqual({ sessionId: three, until: now + 3 * HOUR });
  });

  it('refuses every PIN while it is locked, also the right one', () => {
    const locked = given(...after(check(one, false), check(one, false), check(one, false)));
    locked.when(check(two, true)).refuses('device_locked', 'locked until 2026-01-01T03:00:00.000Z');
    locked.when(check(two, true, now + 3 * HOUR - 1)).refuses('device_locked', 'locked until 2026-01-01T03:00:00.000Z');
    locked.when(check(two, true, now + 3 * HOUR)).then({ type: 'PinAccepted', data: { at: now + 3 * HOUR, sessionId: two, pin: freshPin(proof) } });
  });

  it('locks for 24 hours at the sixth wrong PIN and until the next enrolment at the ninth', () => {
    const times = [0, 0, 0, 3, 3, 3, 27, 27, 27].map((hours) => now + hours * HOUR);
    const tries = times.map((at) => check(at.toString() as SessionId, false, at));
    expect(lockOf(after(...tries.slice(0, 6)))).toEqual({ sessionId: tries[5]?.sessionId, until: now + 27 * HOUR });
    const endless = after(...tries);
    expect(lockOf(endless)).toEqual({ sessionId: tries[8]?.sessionId });
    given(...endless)
      .when(check(one, true, now + 1_000_000 * HOUR))
      .refuses('device_locked', 'locked until it is enrolled again');
  });

  it('resets the count in a row after a right PIN', () => {
    const events = after(check(one, false), check(one, false), check(one, true), check(two, false), check(two, false));
    expect(lockOf(events)).toBeUndefined();
    expect(
      lockOf([...after(check(one, false), check(one, false), check(two, true), check(three, false), check(three, false), check(three, false))]),
    ).toBeDefined();
  });

  it('adds up the wrong PINs of one session, also across a right one', () => {
    expect(lockOf(after(check(one, false), check(one, false), check(one, true), check(one, false)))).toEqual({
      sessionId: one,
      until: now + 3 * HOUR,
    });
    expect(lockOf(after(check(one, false), check(one, false), check(two, true), check(one, false)))).toEqual({
      sessionId: one,
      until: now + 3 * HOUR,
    });
  });

  it('is revoked once', () => {
    const revoked: DeviceEvent = { type: 'DeviceRevoked', data: { at: now } };
    given(enrolled).when({ type: 'RevokeDevice', now }).then(revoked);
    given(enrolled, revoked).when({ type: 'RevokeDevice', now }).nothing();
    given(enrolled, revoked).when(check(one, true)).refuses('device_not_found', 'device is REVOKED');
  });
});

describe('given an enrolled device, once more', () => {
  it('does nothing when it is enrolled again by the same request', () => {
    given(enrolled).when({ type: 'EnrolDevice', enrolment: enrolled.data }).nothing();
    given().when({ type: 'EnrolDevice', enrolment: enrolled.data }).then(enrolled);
  });

  it('records the phone that has revoked it', () => {
    given(enrolled)
      .when({ type: 'RevokeDevice', now, by: 'd1' as DeviceId })
      .then({ type: 'DeviceRevoked', data: { at: now, by: 'd1' as DeviceId } });
  });
});

describe('a command or an event that this release does not know', () => {
  it('is an error of the program, and no right PIN', () => {
    expect(() => deviceDecider.decide({ type: 'UnlockDevice' } as never, given(enrolled).state)).toThrow('UnlockDevice');
    expect(() => deviceDecider.evolve(given(enrolled).state, { type: 'DeviceQuarantined' } as never)).toThrow('DeviceQuarantined');
  });
});

describe('given nothing', () => {
  it('refuses every command with device_not_found', () => {
    given().when(check(one, true)).refuses('device_not_found', 'device is NONE');
    given().when({ type: 'RevokeDevice', now }).refuses('device_not_found', 'no such device');
  });
});
