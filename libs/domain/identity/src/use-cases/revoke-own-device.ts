import type { UnitOfWork } from '#engines/event-store';
import { type DeviceId, parseId, type SessionId } from '#kernel';

import type { Device } from '../domain/device.js';
import { DeviceLocked, DeviceNotFound, WrongPin } from '../domain/device.errors.js';
import type { Identities } from '../repositories/identities.js';
import type { CheckPin } from './check-pin.js';
import type { RevokeDevice } from './revoke-device.js';

/**
 * A person revokes a device with another one of their devices, or with the device itself (specification/app.md#post-devices-revoke). It needs the PIN, so that
 * a thief of an unlocked phone cannot shut the owner out.
 */
export class RevokeOwnDevice {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly identities: Identities,
    private readonly checkPin: CheckPin,
    private readonly revokeDevice: RevokeDevice,
  ) {}

  /**
   * @param deviceId of the device to revoke. Repeating it changes nothing
   * @param pinProof of the device that asks. A wrong PIN counts as at a login
   *
   * Throws {@link DeviceLocked}, {@link DeviceNotFound} also for another person's device, {@link WrongPin}, {@link InvalidRequest}.
   */
  async execute(deviceId: string, pinProof: string, { status, lockedUntil, identityId, deviceId: by }: Device): Promise<void> {
    if (status === 'LOCKED') throw new DeviceLocked(lockedUntil);
    const id = parseId<DeviceId>(deviceId);
    if (!id) throw new DeviceNotFound('not a device');
    const wrongPin = await this.unitOfWork.run(async (streams) => {
      const identity = await this.identities.lookIn(streams, identityId);
      if (identity.status !== 'REGISTERED' || !identity.devices.includes(id)) throw new DeviceNotFound("not one of this person's devices");
      // The PIN events hold the id of the session that the PIN was entered for. Here it is the id of the device.
      const verdict = await this.checkPin.in(streams, { deviceId: by, sessionId: id as string as SessionId, pinProof });
      if (!verdict.accepted) return new WrongPin(verdict.attemptsLeft);
      await this.revokeDevice.in(streams, identityId, id, by);
      return undefined;
    });
    if (wrongPin) throw wrongPin;
    await this.revokeDevice.afterwards(identityId, id);
  }
}
