import type { Clock, DeviceId } from '#kernel';

import type { Device } from '../domain/device.js';
import { deviceStatus } from '../domain/device-status.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';

export class FindDevice {
  constructor(
    private readonly devices: Devices,
    private readonly identities: Identities,
    private readonly clock: Clock,
  ) {}

  /** The device with its present status. Undefined for an unknown device, and once its person is erased. */
  async execute(deviceId: DeviceId): Promise<Device | undefined> {
    // The person of a device never changes, so the person is read beside the device once that is known.
    const owner = this.devices.ownerOf(deviceId);
    const [device, ownerRead] = await Promise.all([this.devices.find(deviceId), owner && this.identities.get(owner)]);
    if (!device) return undefined;
    const { identityId, authenticationKey } = device.enrolment;
    const identity = ownerRead ?? (await this.identities.get(identityId));
    const listed = identity.status === 'REGISTERED' && identity.devices.includes(deviceId);
    const status = listed ? deviceStatus(device.state, this.clock.now()) : ({ status: 'REVOKED' } as const);
    return { deviceId, identityId, authenticationKey: { ...authenticationKey }, ...status };
  }
}
