import type { ExpectedRevision, StreamLooks } from '#engines/event-store';
import type { DeviceId, IdentityId } from '#kernel';

import { isGone } from '../domain/device-status.js';
import type { Identities } from '../repositories/identities.js';
import type { FindDevice } from './find-device.js';

/** Finds the person behind something that a phone has begun, as long as it counts. Reads streams alone, so that no crash and no lag keeps it alive. */
export class FindLivingPerson {
  constructor(
    private readonly findDevice: FindDevice,
    private readonly identities: Identities,
  ) {}

  /** The person of the phone. Undefined once the phone is revoked or locked for good, or the person is erased. Throws ServiceUnavailable and NewerEventStored. */
  async execute(deviceId: DeviceId): Promise<IdentityId | undefined> {
    const device = await this.findDevice.execute(deviceId);
    return device && !isGone(device) ? device.identityId : undefined;
  }

  /** The same within a work that only looks at the phone and the person. */
  async executeIn(looks: StreamLooks, deviceId: DeviceId): Promise<IdentityId | undefined> {
    const device = await this.findDevice.executeIn(looks, deviceId);
    return device && !isGone(device) ? device.identityId : undefined;
  }

  /** How far the stream of the person has come, within a work that only looks at it. */
  revisionIn(looks: StreamLooks, identityId: IdentityId): Promise<ExpectedRevision> {
    return this.identities.revisionIn(looks, identityId);
  }

  /** When the erasure of the person began, epoch milliseconds. Undefined for a person who is not erased. */
  erasedAt(identityId: IdentityId): Promise<number | undefined> {
    return this.identities.erasedAt(identityId);
  }

  /** Whether the person is registered and not erased. */
  isLiving(identityId: IdentityId): Promise<boolean> {
    return this.identities.isRegistered(identityId);
  }
}
