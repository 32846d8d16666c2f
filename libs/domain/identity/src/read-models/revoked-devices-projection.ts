import { idOf } from '#engines/event-store';
import { insertNew, type Projection } from '#engines/read-model';
import type { DeviceId } from '#kernel';

import type { DeviceEvent } from '../domain/device.events.js';
import { DEVICES } from '../streams.js';

export interface RevokedDeviceTables {
  /** One row for each device whose revocation may still have sessions to end. Times in epoch milliseconds. */
  revoked_devices_v1: { device_id: DeviceId; revoked_at: number };
}

/** The devices that were revoked lately. A row goes when no session of its device can be open any more. */
export const revokedDevicesProjection: Projection<RevokedDeviceTables, DeviceEvent> = {
  name: 'revoked-devices',
  version: 1,
  tables: ['revoked_devices_v1'],
  categories: [DEVICES.category],
  concerns: ({ type }) => type === 'DeviceRevoked',

  async create({ schema }) {
    await schema
      .createTable('revoked_devices_v1')
      .addColumn('device_id', 'text', (column) => column.primaryKey())
      .addColumn('revoked_at', 'bigint', (column) => column.notNull())
      .execute();
  },

  async apply(transaction, event) {
    if (event.type !== 'DeviceRevoked') return;
    await insertNew(transaction, 'revoked_devices_v1', { device_id: idOf<DeviceId>(event.stream), revoked_at: event.data.at });
  },
};
