import type { StreamLooks } from '#engines/event-store';
import type { Clock, DeviceId } from '#kernel';

import type { Device } from '../domain/device.js';
import { statusIn } from '../domain/device-status.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';

export class FindDevice {
  constructor(
    private readonly devices: Devices,
    private readonly identities: Identities,
    private readonly clock: Clock,
  ) {}

  /** The device with its present status. Undefined for an unknown device, and once its person is erased. */
  async execute(deviceId: DeviceId): Promise<Device | undefined> {
    // The person of a device never changes, so the person is read beside the device once that is known.
    const owner = this.devices.ownerOf(deviceId);
    const [device, ownerRead] = await Promise.all([this.devices.find(deviceId), owner && this.identities.get(owner)]);
    if (!device) return undefined;
    const { identityId, authenticationKey } = device.enrolment;
    const identity = ownerRead ?? (await this.identities.get(identityId));
    return { deviceId, identityId, authenticationKey: { ...authenticationKey }, ...statusIn(identity, deviceId, device.state, this.clock.now()) };
  }

  /** The same within a work that only looks at the device and its person. */
  async executeIn(looks: StreamLooks, deviceId: DeviceId): Promise<Device | undefined> {
    // It never changes.
    const enrolment = await this.devices.enrolment(deviceId);
    if (!enrolment) return undefined;
    const { identityId, authenticationKey } = enrolment;
    const [state, identity] = await Promise.all([this.devices.lookIn(looks, deviceId), this.identities.lookIn(looks, identityId)]);
    return { deviceId, identityId, authenticationKey: { ...authenticationKey }, ...statusIn(identity, deviceId, state, this.clock.now()) };
  }

  /**
   * The same without a read, of a device that this process remembers as active: for a request whose work proves it ({@link EnrolmentProof}). Undefined where {@link execute} has to
   * tell.
   */
  remembered(deviceId: DeviceId): Device | undefined {
    const device = this.devices.remembered(deviceId);
    const identity = device && this.identities.remembered(device.enrolment.identityId);
    if (!device || !identity) return undefined;
    const { identityId, authenticationKey } = device.enrolment;
    const present = statusIn(identity, deviceId, device.state, this.clock.now());
    return present.status === 'ACTIVE' ? { deviceId, identityId, authenticationKey: { ...authenticationKey }, ...present } : undefined;
  }
}
