import type { Streams } from '#engines/event-store';
import type { Clock, IdentityId } from '#kernel';

import type { Device, DeviceState } from '../domain/device.js';
import { DeviceNotFound } from '../domain/device.errors.js';
import { statusIn } from '../domain/device-status.js';
import type { Devices } from './devices.js';
import type { Identities } from './identities.js';

/**
 * What a request knows of a person and a phone before its work, once more within the work, so that its commit proves it: where the store has transactions over streams, nothing is stored
 * for a person who was erased, or a phone that was revoked or locked, since the request has looked. It costs no read.
 */
export class EnrolmentProof {
  constructor(
    private readonly identities: Identities,
    private readonly devices: Devices,
    private readonly clock: Clock,
  ) {}

  /** Whether the person is registered. */
  async isRegistered(streams: Streams, identityId: IdentityId): Promise<boolean> {
    return (await this.identities.recallIn(streams, identityId)).status === 'REGISTERED';
  }

  /** For a work that soon looks at both: {@link UnitOfWork.prepare}. */
  async prepare({ identityId, deviceId }: Pick<Device, 'identityId' | 'deviceId'>): Promise<void> {
    await Promise.all([this.identities.prepare(identityId), this.devices.prepare(deviceId)]);
  }

  /** The phone as it is now, on which the work does not decide. Throws {@link DeviceNotFound} for one that is revoked, also since its person was erased. */
  present(streams: Streams, device: Device): Promise<Device> {
    return this.#present(streams, device, () => this.devices.recallIn(streams, device.deviceId));
  }

  /** The same for a work that decides on the phone as well. */
  presentIn(streams: Streams, device: Device): Promise<Device> {
    return this.#present(streams, device, async () => (await this.devices.in(streams, device.deviceId)).state);
  }

  async #present(streams: Streams, device: Device, stateOf: () => Promise<DeviceState>): Promise<Device> {
    const { deviceId, identityId, authenticationKey } = device;
    const [identity, state] = await Promise.all([this.identities.recallIn(streams, identityId), stateOf()]);
    const presence = statusIn(identity, deviceId, state, this.clock.now());
    if (presence.status === 'REVOKED') throw new DeviceNotFound('the device was revoked');
    return { deviceId, identityId, authenticationKey, ...presence };
  }
}
