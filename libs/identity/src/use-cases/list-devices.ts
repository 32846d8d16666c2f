import { type Clock, type DeviceId, type IdentityId, type Page, type PageRequest, PagedList } from '#kernel';

import { IdentityNotFound } from '../domain/identity.errors.js';
import { deviceStatus } from '../domain/device-status.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';

export interface ListedDevice {
  readonly deviceId: DeviceId;
  readonly name: string;
  readonly platform: string;
  readonly status: 'ACTIVE' | 'LOCKED' | 'REVOKED';
  /** Epoch milliseconds; absent when LOCKED until the next enrolment. */
  readonly lockedUntil?: number;
  /** Epoch milliseconds. */
  readonly enrolledAt: number;
}

export class ListDevices {
  constructor(
    private readonly identities: Identities,
    private readonly devices: Devices,
    private readonly records: PersonRecords,
    private readonly clock: Clock,
  ) {}

  /** A person's devices in the order of enrolment, including revoked ones. Throws {@link IdentityNotFound}. */
  async execute(identityId: IdentityId, request: PageRequest<DeviceId>): Promise<Page<ListedDevice, DeviceId>> {
    const identity = await this.identities.get(identityId);
    if (identity.status !== 'REGISTERED') throw new IdentityNotFound(`identity is ${identity.status}`);
    const list = new PagedList<DeviceId, DeviceId>();
    for (const deviceId of identity.devices) list.set(deviceId, deviceId);
    const { entries, ...next } = list.page(request);
    const record = await this.records.read(identityId);
    const devices = await Promise.all(
      entries.map(async (deviceId) => {
        const device = await this.devices.find(deviceId);
        if (!device) return [];
        const { name = '', platform = '' } = record?.devices[deviceId] ?? {};
        const { status, lockedUntil } = deviceStatus(device.state, this.clock.now());
        return [{ deviceId, name, platform, status, ...(lockedUntil !== undefined && { lockedUntil }), enrolledAt: device.enrolment.at }];
      }),
    );
    return { entries: devices.flat(), ...next };
  }
}
