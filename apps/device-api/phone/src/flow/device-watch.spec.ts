import type { DeviceStatus } from '#clients/device';
import type { Reply } from '#web-page/browser';
import { type DeviceCheck, DeviceWatch } from './device-watch.js';

const ok = (status: DeviceStatus): Reply<DeviceStatus> => ({ kind: 'OK', body: status });

/** Runs the watch until its last scripted answer. */
const watched = async (...answers: readonly Reply<DeviceStatus>[]) => {
  const seen: (DeviceCheck | 'REFUSED')[] = [];
  const pauses: number[] = [];
  let asked = 0;
  await new Promise<void>((end) => {
    const watch = new DeviceWatch({
      ask: () => {
        const answer = answers[asked++];
        if (answer !== undefined) return Promise.resolve(answer);
        watch.stop();
        end();
        return new Promise(() => undefined);
      },
      pause: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
      now: () => 0,
      onCheck: (check) => {
        seen.push(check);
        if (asked === answers.length) setImmediate(end);
      },
      onRefused: () => {
        seen.push('REFUSED');
        end();
      },
    });
    watch.start();
    watch.start();
  });
  return { seen, pauses };
};

describe('the state of the device on the home screen', () => {
  it('is asked once when the device is active, however often the screen is drawn', async () => {
    expect(await watched(ok({ status: 'ACTIVE' }))).toEqual({ seen: [{ kind: 'READY' }], pauses: [] });
  });

  it('is asked again without a connection, each time a little later', async () => {
    const { seen, pauses } = await watched({ kind: 'UNREACHABLE' }, { kind: 'UNREACHABLE' }, ok({ status: 'ACTIVE' }));
    expect(seen.map((check) => (check === 'REFUSED' ? check : check.kind))).toEqual(['OFFLINE', 'OFFLINE', 'READY']);
    expect(pauses).toEqual([1000, 2000]);
  });

  it('is asked again when the lock ends, and every minute until then', async () => {
    const { seen, pauses } = await watched(
      ok({ status: 'LOCKED', lockedUntil: 90 }),
      ok({ status: 'LOCKED', lockedUntil: 30 }),
      ok({ status: 'ACTIVE' }),
    );
    expect(seen).toEqual([{ kind: 'LOCKED', until: 90 }, { kind: 'LOCKED', until: 30 }, { kind: 'READY' }]);
    expect(pauses).toEqual([60_000, 30_000]);
  });

  it('is final when only a new enrolment unlocks it', async () => {
    expect(await watched(ok({ status: 'LOCKED' }))).toEqual({ seen: [{ kind: 'LOCKED' }], pauses: [] });
  });

  it('is reported when the service knows the device no more', async () => {
    const { seen } = await watched({ kind: 'REFUSED', status: 401, errorCode: 'invalid_device_proof' });
    expect(seen).toEqual(['REFUSED']);
  });
});
