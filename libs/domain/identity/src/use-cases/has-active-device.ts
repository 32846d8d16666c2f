import type { IdentityId } from '#kernel';

import type { FindDevice } from './find-device.js';
import type { Identities } from '../repositories/identities.js';

export class HasActiveDevice {
  constructor(
    private readonly identities: Identities,
    private readonly findDevice: FindDevice,
  ) {}

  /** Whether a push reaches the person. LOCKED and REVOKED devices do not count. */
  async execute(identityId: IdentityId): Promise<boolean> {
    const identity = await this.identities.get(identityId);
    if (identity.status !== 'REGISTERED') return false;
    const devices = await Promise.all(identity.devices.map((deviceId) => this.findDevice.execute(deviceId)));
    return devices.some((device) => device?.status === 'ACTIVE');
  }
}
