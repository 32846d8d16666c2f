import type { RevokedDevices } from '#domain/identity';
import type { Clock, DeviceId } from '#kernel';

import type { EndSessionsOfDevice } from './end-sessions-of-device.js';

/** A scan that was under way at the revocation may be stored after it, so the device is looked at again. Milliseconds. */
const LOOK_AGAIN = 30_000;
/** The clocks of two replicas may differ by this time. Milliseconds. */
const CLOCK_DIFFERENCE = 60_000;

export interface EndSessionsOfRevokedDevicesParts {
  readonly revoked: RevokedDevices;
  readonly endSessions: EndSessionsOfDevice;
  /** How long a session is open at most, in milliseconds. */
  readonly longestOpen: number;
  readonly clock: Clock;
}

/**
 * Ends the sessions of devices that were revoked lately, by any process, also after a crash. Several processes may do it at once: each session ends by one
 * append.
 */
export class EndSessionsOfRevokedDevices {
  readonly #lookedAt = new Map<DeviceId, number>();

  constructor(private readonly parts: EndSessionsOfRevokedDevicesParts) {}

  /** To be repeated each second. Rejects while the store or the read models are unavailable. */
  async execute(): Promise<void> {
    const { revoked, endSessions, longestOpen, clock } = this.parts;
    for (const { deviceId, identityId, revokedAt } of await revoked.first()) {
      const now = clock.now();
      const isOver = now >= revokedAt + longestOpen + CLOCK_DIFFERENCE;
      if (identityId && now >= (this.#lookedAt.get(deviceId) ?? -Infinity) + LOOK_AGAIN && !isOver) {
        await endSessions.execute(identityId, deviceId);
        this.#lookedAt.set(deviceId, now);
      }
      if (identityId && !isOver) continue;
      await revoked.remove(deviceId);
      this.#lookedAt.delete(deviceId);
    }
  }
}
