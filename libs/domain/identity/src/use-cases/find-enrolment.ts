import { type DeviceId, RecentlyUsed } from '#kernel';

import type { Enrolment } from '../domain/device.events.js';
import type { Devices } from '../repositories/devices.js';

/** The person of a device, the key that it signs logins with, and since when it is enrolled. None of them ever changes. */
export type FoundEnrolment = Pick<Enrolment, 'identityId' | 'authenticationKey'> & {
  readonly deviceId: DeviceId;
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
};

/** About 300 bytes each. */
const REMEMBERED = 20_000;

/** Finds the enrolment of a device, also of a revoked one. */
export class FindEnrolment {
  readonly #known = new RecentlyUsed<DeviceId, FoundEnrolment>(REMEMBERED);

  constructor(private readonly devices: Devices) {}

  /** Undefined for an unknown device, and for an erased one that this process has not met. */
  async execute(deviceId: DeviceId): Promise<FoundEnrolment | undefined> {
    const known = this.#known.get(deviceId);
    if (known) return known;
    const enrolment = await this.devices.enrolment(deviceId);
    if (!enrolment) return undefined;
    const { identityId, authenticationKey, at: enrolledAt } = enrolment;
    const enrolled = { deviceId, identityId, authenticationKey, enrolledAt };
    this.#known.set(deviceId, enrolled);
    return enrolled;
  }
}
