import type { Streams, UnitOfWork } from '#engines/event-store';
import type { DeviceId, IdentityId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { PortalPersons } from '../portal-persons.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';

export class RevokeDevice {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly identities: Identities,
    private readonly devices: Devices,
    private readonly portalPersons: PortalPersons,
  ) {}

  /**
   * Revokes the device permanently, `by` another device of the person or by an administrator, then withdraws the invitations to the portal that were made with it.
   * Repeating it does what is left. Throws {@link IdentityNotFound}, and {@link DeviceNotFound} also for another person's device.
   */
  async execute(identityId: IdentityId, deviceId: DeviceId, by?: DeviceId): Promise<void> {
    await this.unitOfWork.run((streams) => this.in(streams, identityId, deviceId, by));
    await this.withdrawInvitations(identityId, deviceId);
  }

  /** The revocation within a work. Once the work is stored, {@link withdrawInvitations} follows. */
  async in(streams: Streams, identityId: IdentityId, deviceId: DeviceId, by?: DeviceId): Promise<void> {
    const identity = await this.identities.lookIn(streams, identityId);
    if (identity.status !== 'REGISTERED') throw new IdentityNotFound(`identity is ${identity.status}`);
    if (!identity.devices.includes(deviceId)) throw new DeviceNotFound("not one of this person's devices");
    const device = await this.devices.in(streams, deviceId);
    device.decide({ type: 'RevokeDevice', now: this.unitOfWork.clock.now(), ...(by && { by }) });
  }

  /** Withdraws the invitations to the portal that were made with a revoked device. May be repeated. */
  withdrawInvitations(identityId: IdentityId, deviceId: DeviceId): Promise<void> {
    return this.portalPersons.phoneRevoked(identityId, deviceId);
  }
}
