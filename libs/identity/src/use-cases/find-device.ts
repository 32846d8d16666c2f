import type { Clock, DeviceId } from '#kernel';

import type { Device } from '../domain/device.js';
import { deviceStatus } from './device-status.js';
import type { Devices } from './devices.js';
import type { Identities } from './identities.js';

export class FindDevice {
  constructor(
    private readonly devices: Devices,
    private readonly identities: Identities,
    private readonly clock: Clock,
  ) {}

  /** The device as it stands now, or undefined when there never was one. */
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
