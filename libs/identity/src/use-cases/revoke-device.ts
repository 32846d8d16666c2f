import type { Clock, DeviceId, IdentityId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import { deviceStream } from '../repositories/streams.js';

export class RevokeDevice {
  constructor(
    private readonly identities: Identities,
    private readonly devices: Devices,
    private readonly clock: Clock,
  ) {}

  /**
   * Revokes the device permanently, `by` another device of the person or by an administrator. Repeating it changes nothing. Throws {@link IdentityNotFound},
   * and {@link DeviceNotFound} also for another person's device.
   */
  async execute(identityId: IdentityId, deviceId: DeviceId, by?: DeviceId): Promise<void> {
    const identity = await this.identities.get(identityId);
    if (identity.status !== 'REGISTERED') throw new IdentityNotFound(`identity is ${identity.status}`);
    if (!identity.devices.includes(deviceId)) throw new DeviceNotFound("not one of this person's devices");
    await this.devices.handle(deviceStream(deviceId), () => ({ type: 'RevokeDevice', now: this.clock.now(), ...(by && { by }) }));
  }
}
