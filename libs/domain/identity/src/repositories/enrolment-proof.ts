import type { Streams } from '#engines/event-store';
import type { DeviceId, IdentityId } from '#kernel';

import type { Devices } from './devices.js';
import type { Identities } from './identities.js';

/**
 * What a request has read of a person and a phone before its work, once more within the work, so that its commit proves it: where the store has transactions over streams, nothing is stored
 * for a person who was erased, or a phone that was revoked, since the request has looked. It costs no read.
 */
export class EnrolmentProof {
  constructor(
    private readonly identities: Identities,
    private readonly devices: Devices,
  ) {}

  /** Whether the person is registered. */
  async isRegistered(streams: Streams, identityId: IdentityId): Promise<boolean> {
    return (await this.identities.recallIn(streams, identityId)).status === 'REGISTERED';
  }

  /** Whether the person is registered and the phone enrolled, which this work does not decide on. */
  async isEnrolled(streams: Streams, { identityId, deviceId }: { readonly identityId: IdentityId; readonly deviceId: DeviceId }): Promise<boolean> {
    const [isRegistered, device] = await Promise.all([this.isRegistered(streams, identityId), this.devices.recallIn(streams, deviceId)]);
    return isRegistered && device.status === 'ENROLLED';
  }
}
