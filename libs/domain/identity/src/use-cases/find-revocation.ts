import type { Streams } from '#engines/event-store';
import type { DeviceId } from '#kernel';

import type { Devices } from '../repositories/devices.js';

/** Tells a decision about what a device has approved whether the device was revoked. */
export class FindRevocation {
  constructor(private readonly devices: Devices) {}

  /**
   * Within a work. Looks at the device's newest event. Where the store has transactions over streams, the work is decided again when the device is revoked before its commit. An erased
   * device is not revoked: its person tells.
   */
  async execute(streams: Streams, deviceId: DeviceId): Promise<boolean> {
    return (await this.devices.lookIn(streams, deviceId)).status === 'REVOKED';
  }
}
