import type { DeviceId, IdentityId } from '#kernel';
import type { ReadModel } from '#engines/read-model';

import type { Devices } from '../repositories/devices.js';
import type { RevokedDeviceTables } from './revoked-devices-projection.js';

export interface RevokedDevice {
  readonly deviceId: DeviceId;
  /** Undefined once the device is erased. */
  readonly identityId: IdentityId | undefined;
  /** Epoch milliseconds. */
  readonly revokedAt: number;
}

/** Rows of one statement. */
const PAGE = 200;

/** The devices that were revoked lately. Every method throws ReadModelsUnavailable while the database cannot be reached. */
export class RevokedDevices {
  constructor(
    private readonly model: ReadModel<RevokedDeviceTables>,
    private readonly devices: Devices,
  ) {}

  /** Some of them, the earliest revocation first. Remove each one that is done with, so that the next ones follow. */
  async first(): Promise<readonly RevokedDevice[]> {
    const rows = await this.model.read((database) =>
      database.selectFrom('revoked_devices_v1').selectAll().orderBy('revoked_at').orderBy('device_id').limit(PAGE).execute(),
    );
    return Promise.all(
      rows.map(async ({ device_id: deviceId, revoked_at: revokedAt }) => ({
        deviceId,
        identityId: (await this.devices.enrolment(deviceId))?.identityId,
        revokedAt: Number(revokedAt),
      })),
    );
  }

  /** Removes the row of a device that has no open session any more. */
  async remove(deviceId: DeviceId): Promise<void> {
    await this.model.remove((database) => database.deleteFrom('revoked_devices_v1').where('device_id', '=', deviceId).execute());
  }
}
