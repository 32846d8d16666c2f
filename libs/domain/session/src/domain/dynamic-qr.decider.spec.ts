import { createHmac } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { type DeviceId, Secret, type SessionId } from '#kernel';

import { QrFrames } from './qr-frames.js';
import type { SessionEvent } from './session.events.js';
import { aliceHere, bobHere, created, given, scan, scanned, START } from '#testkit/session/domain/session-examples';

const dynamic: SessionEvent = { ...created, data: { ...created.data, dynamicQr: true } } as SessionEvent;
const pushed: SessionEvent = { ...dynamic, data: { ...dynamic.data, subjectId: aliceHere, pushStatus: 'DISPATCHED' } } as SessionEvent;
/** The scan comes ten seconds after the creation. */
const withFrame = (t: number, genuine = true) => ({ ...scan, frame: { t, genuine } });

describe('scanning a code that changes each second', () => {
  it.each([5, 7, 10, 12])('given the frame of second %d at second 10 › records the scan, and nothing of the frame', (t) =>
    given(dynamic).when(withFrame(t)).then(scanned),
  );
  it.each([-1, 0, 4, 13, 1e21])('given the frame of second %d at second 10 › refuses', (t) =>
    given(dynamic).when(withFrame(t)).refuses('invalid_qr', 'frame of another time'),
  );
  it('given a frame that is accepted until its last millisecond › refuses one millisecond later', () => {
    given(dynamic)
      .when({ ...withFrame(0), now: START + 5_999 })
      .then({ ...scanned, data: { ...scanned.data, at: START + 5_999 } } as SessionEvent);
    given(dynamic)
      .when({ ...withFrame(0), now: START + 6_000 })
      .refuses('invalid_qr', 'frame of another time');
  });
  it('given no frame › refuses', () => given(dynamic).when(scan).refuses('invalid_qr', 'no frame'));
  it('given a forged frame › refuses', () => given(dynamic).when(withFrame(10, false)).refuses('invalid_qr', 'forged frame'));
  it('given a forged frame of another subject › does not say that the subject is wrong', () =>
    given(pushed)
      .when({ ...withFrame(10, false), subjectIds: [bobHere] })
      .refuses('invalid_qr', 'forged frame'));
  it('given its own earlier scan › does nothing, however old the frame is', () => given(dynamic, scanned).when(withFrame(0)).nothing());
  it('given a pushed session › needs no frame', () => given(pushed).when(scan).then(scanned));
  it('given a device that brought a fresh frame before › needs no other one, and records nothing of it', () =>
    given(dynamic)
      .when({ ...scan, admitted: true })
      .then(scanned));
  it('given a session with a static code › takes no notice of a frame', () => given(created).when(withFrame(99, false)).then(scanned));
});

describe('the admission of a device', () => {
  const frames = new QrFrames(new Secret(Buffer.alloc(32, 'k')));
  const [one, other] = ['7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10', '00000000-0000-4000-8000-000000000001'] as [string, string];

  it('holds for the device and the session that it was made for', () => {
    const admission = frames.admissionOf(one as SessionId, other as DeviceId);
    expect(admission).toMatch(/^[\w-]{43}$/);
    expect(frames.admits(one as SessionId, other as DeviceId, admission)).toBe(true);
    expect(frames.admits(other as SessionId, one as DeviceId, admission)).toBe(false);
    expect(frames.admits(one as SessionId, one as DeviceId, admission)).toBe(false);
    for (const forged of [undefined, '', 'x', `${admission}A`, frames.secretOf(one as SessionId)])
      expect(frames.admits(one as SessionId, other as DeviceId, forged)).toBe(false);
  });
});

describe('the frames of a session', () => {
  const frames = new QrFrames(new Secret(Buffer.alloc(32, 'k')));
  const [one, other] = ['7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10', '00000000-0000-4000-8000-000000000001'] as SessionId[] as [SessionId, SessionId];
  const proofAt = (sessionId: SessionId, now: number) => new URLSearchParams(frames.parametersAt(sessionId, START, now)).get('a') ?? '';

  it('carry the seconds and the HMAC-SHA-256 of "<sessionId>.<t>" under the secret', () => {
    const key = Buffer.from(frames.secretOf(one), 'base64url');
    expect(key).toHaveLength(32);
    const a = createHmac('sha256', key).update(`${one}.17`).digest('base64url');
    expect(frames.parametersAt(one, START, START + 17_999)).toBe(`t=17&a=${a}`);
    expect(frames.read(one, 17, a)).toEqual({ t: 17, genuine: true });
  });

  it('are genuine for their own session and second only', () => {
    const a = proofAt(one, START + 17_000);
    for (const [sessionId, t, proof] of [
      [other, 17, a],
      [one, 18, a],
      [one, -17, a],
      [one, 17, proofAt(other, START + 17_000)],
      [one, 17, `${a}A`],
      [one, 17, ''],
      [one, 17, undefined],
    ] as const) {
      expect(frames.read(sessionId, t, proof)).toEqual({ t, genuine: false });
    }
    expect(frames.read(one, undefined, a)).toBeUndefined();
  });
});
