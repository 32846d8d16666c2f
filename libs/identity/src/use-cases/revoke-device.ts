import type { Clock, DeviceId, IdentityId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { PortalPersons } from '../portal-persons.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import { deviceStream } from '../repositories/streams.js';

export class RevokeDevice {
  constructor(
    private readonly identities: Identities,
    private readonly devices: Devices,
    private readonly portalPersons: PortalPersons,
    private readonly clock: Clock,
  ) {}

  /**
   * Revokes the device permanently, `by` another device of the person or by an administrator, then withdraws the invitations to the portal that were made with it.
   * Repeating it does what is left. Throws {@link IdentityNotFound}, and {@link DeviceNotFound} also for another person's device.
   */
  async execute(identityId: IdentityId, deviceId: DeviceId, by?: DeviceId): Promise<void> {
    const identity = await this.identities.get(identityId);
    if (identity.status !== 'REGISTERED') throw new IdentityNotFound(`identity is ${identity.status}`);
    if (!identity.devices.includes(deviceId)) throw new DeviceNotFound("not one of this person's devices");
    await this.devices.handle(deviceStream(deviceId), () => ({ type: 'RevokeDevice', now: this.clock.now(), ...(by && { by }) }));
    await this.portalPersons.phoneRevoked(identityId, deviceId);
  }
}
