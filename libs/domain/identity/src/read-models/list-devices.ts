import type { Kysely } from 'kysely';
import type { Clock, DeviceId, IdentityId, Page, PageRequest } from '#kernel';
import { NO_STREAM } from '#engines/event-store';
import { keysetPage, type ReadModel } from '#engines/read-model';

import { deviceStatus } from '../domain/device-status.js';
import { IdentityNotFound } from '../domain/identity.errors.js';
import type { Devices } from '../repositories/devices.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';
import { identityStream } from '../streams.js';
import type { IdentityTables } from './identities-projection.js';

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

export interface ListDevicesParts {
  readonly model: ReadModel<IdentityTables>;
  readonly identities: Identities;
  readonly devices: Devices;
  readonly records: PersonRecords;
  readonly clock: Clock;
}

export class ListDevices {
  constructor(private readonly parts: ListDevicesParts) {}

  /**
   * A person's devices in the order of enrolment, including revoked ones: every device whose enrolment was answered before the call. Throws
   * {@link IdentityNotFound}, {@link InvalidRequest} for a cursor that was never on the list, and {@link ReadModelsUnavailable}.
   */
  async execute(identityId: IdentityId, request: PageRequest<DeviceId>): Promise<Page<ListedDevice, DeviceId>> {
    const { model, identities, records } = this.parts;
    const { state: identity, revision } = await identities.load(identityId);
    if (identity.status !== 'REGISTERED' || revision === NO_STREAM) throw new IdentityNotFound(`identity is ${identity.status}`);
    await model.reaches(identityStream(identityId), revision);
    const { entries, ...next } = await this.#ids(identityId, request);
    const record = await records.read(identityId);
    const devices = await Promise.all(entries.map((deviceId) => this.#listed(deviceId, record?.devices[deviceId])));
    return { entries: devices.flat(), ...next };
  }

  #ids(identityId: IdentityId, request: PageRequest<DeviceId>): Promise<Page<DeviceId, DeviceId>> {
    return this.parts.model.read((database) =>
      keysetPage(request, {
        placeOf: (deviceId) =>
          database
            .selectFrom('devices_v3')
            .select('place')
            .where('device_id', '=', deviceId)
            .where('identity_id', '=', identityId)
            .executeTakeFirst(),
        rows: (after, limit) => devicesAfter(database, identityId, { after, limit }).execute(),
        idOf: (row) => row.device_id,
        entryOf: (row) => row.device_id,
      }),
    );
  }

  async #listed(deviceId: DeviceId, { name = '', platform = '' }: { readonly name?: string; readonly platform?: string } = {}) {
    const { devices, clock } = this.parts;
    const device = await devices.find(deviceId);
    if (!device) return [];
    const { status, lockedUntil } = deviceStatus(device.state, clock.now());
    return [{ deviceId, name, platform, status, ...(lockedUntil !== undefined && { lockedUntil }), enrolledAt: device.enrolment.at }];
  }
}

/** Answered by the index that holds them in this order: a page costs the same however many devices there are. */
export const devicesAfter = (database: Kysely<IdentityTables>, identityId: IdentityId, { after, limit }: { after: number; limit: number }) =>
  database
    .selectFrom('devices_v3')
    .select('device_id')
    .where('identity_id', '=', identityId)
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit);
