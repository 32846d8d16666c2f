import type { Clock, DeviceId } from '#kernel';

import type { Device } from '../domain/device.js';
import { deviceStatus } from '../domain/device-status.js';
import { DeviceLocked } from '../domain/device.errors.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';

/** A device of the person who asks. */
export interface OwnDevice {
  readonly deviceId: DeviceId;
  readonly name: string;
  readonly platform: string;
  readonly status: 'ACTIVE' | 'LOCKED';
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
  /** The device that asks. */
  readonly current: boolean;
}

/** The most devices that are read, revoked ones included. Each costs one read of the store. */
const MOST = 100;

/** Lists a person's devices for one of them (specification/app.md#get-devices). Reads the event store, so it has every device enrolled before the call. */
export class ListOwnDevices {
  constructor(
    private readonly identities: Identities,
    private readonly devices: Devices,
    private readonly records: PersonRecords,
    private readonly clock: Clock,
  ) {}

  /** Without revoked devices, the newest enrolment first. Throws {@link DeviceLocked}. */
  async execute({ deviceId, identityId, status, lockedUntil }: Device): Promise<readonly OwnDevice[]> {
    if (status === 'LOCKED') throw new DeviceLocked(lockedUntil);
    const [identity, record] = await Promise.all([this.identities.get(identityId), this.records.read(identityId)]);
    if (identity.status !== 'REGISTERED' || !record) return [];
    const newest = identity.devices.slice(-MOST).reverse();
    const found = await Promise.all(newest.map((id) => this.devices.find(id)));
    return found.flatMap((device, at) => {
      const id = newest[at];
      if (!device || id === undefined) return [];
      const { status: now } = deviceStatus(device.state, this.clock.now());
      if (now === 'REVOKED') return [];
      const { name = '', platform = '' } = record.devices[id] ?? {};
      return [{ deviceId: id, name, platform, status: now, enrolledAt: device.enrolment.at, current: id === deviceId }];
    });
  }
}
