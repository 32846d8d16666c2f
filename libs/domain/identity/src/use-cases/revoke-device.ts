import type { Streams, UnitOfWork } from '#engines/event-store';
import type { DeviceId, IdentityId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { PortalPersons } from '../portal-persons.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';

/** Ends the sessions that the device has taken and that are not confirmed yet. Never rejects: what it leaves undone is done later. */
export type EndSessions = (identityId: IdentityId, deviceId: DeviceId) => Promise<void>;

export interface RevokeDeviceParts {
  readonly unitOfWork: UnitOfWork;
  readonly identities: Identities;
  readonly devices: Devices;
  readonly portalPersons: PortalPersons;
  /** Absent where another process ends the sessions of a revoked device. */
  readonly endSessions?: EndSessions | undefined;
}

export class RevokeDevice {
  constructor(private readonly parts: RevokeDeviceParts) {}

  /**
   * Revokes the device permanently, `by` another device of the person or by an administrator, then withdraws the invitations to the portal that were made with it, and ends
   * its sessions.
   * Repeating it does what is left. Throws {@link IdentityNotFound}, and {@link DeviceNotFound} also for another person's device.
   */
  async execute(identityId: IdentityId, deviceId: DeviceId, by?: DeviceId): Promise<void> {
    await this.parts.unitOfWork.run((streams) => this.in(streams, identityId, deviceId, by));
    await this.afterwards(identityId, deviceId);
  }

  /** The revocation within a work. Once the work is stored, {@link afterwards} follows. */
  async in(streams: Streams, identityId: IdentityId, deviceId: DeviceId, by?: DeviceId): Promise<void> {
    const { identities, devices, unitOfWork } = this.parts;
    const identity = await identities.lookIn(streams, identityId);
    if (identity.status !== 'REGISTERED') throw new IdentityNotFound(`identity is ${identity.status}`);
    if (!identity.devices.includes(deviceId)) throw new DeviceNotFound("not one of this person's devices");
    const device = await devices.in(streams, deviceId);
    device.decide({ type: 'RevokeDevice', now: unitOfWork.clock.now(), ...(by && { by }) });
  }

  /** What follows a revocation that is stored. May be repeated. */
  async afterwards(identityId: IdentityId, deviceId: DeviceId): Promise<void> {
    const { portalPersons, endSessions } = this.parts;
    await portalPersons.phoneRevoked(deviceId);
    await endSessions?.(identityId, deviceId);
  }
}
