import type { Device } from '../domain/device.js';
import type { RevokeDevice } from './revoke-device.js';

/**
 * A device revokes itself (specification/app.md#delete-device). The device proof is enough, also of a locked device: a person who holds the phone can
 * destroy its keys anyway, and the owner's other phones keep working.
 */
export class RevokeThisDevice {
  constructor(private readonly revokeDevice: RevokeDevice) {}

  /** For good. Afterwards no proof of the device is accepted. Throws {@link IdentityNotFound} for a person who was erased meanwhile. */
  execute({ identityId, deviceId }: Pick<Device, 'identityId' | 'deviceId'>): Promise<void> {
    return this.revokeDevice.execute(identityId, deviceId, deviceId);
  }
}
