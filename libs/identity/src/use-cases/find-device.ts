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
    const device = await this.devices.find(deviceId);
    if (!device) return undefined;
    const { identityId, authenticationKey } = device.enrolment;
    const identity = await this.identities.get(identityId);
    const listed = identity.status === 'REGISTERED' && identity.devices.includes(deviceId);
    const status = listed ? deviceStatus(device.state, this.clock.now()) : ({ status: 'REVOKED' } as const);
    return { deviceId, identityId, authenticationKey: { ...authenticationKey }, ...status };
  }
}
