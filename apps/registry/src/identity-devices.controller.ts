import { Controller, Delete, Get, HttpCode, Param, Query, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { Administrator } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import { DeviceNotFound, ListDevices, type ListedDevice, RevokeDevice } from '#domain/identity';
import { type DeviceId, epochSeconds, type IdentityId } from '#kernel';

import { CriticalChanges } from './critical-changes.js';
import { IdentityIdParam } from './identities.controller.js';
import { PageDto } from './page.dto.js';
import { type Paged, pageRequest } from './page.js';
import { PersonsWithPower } from './persons-with-power.js';

interface ShownDevice extends Omit<ListedDevice, 'lockedUntil' | 'enrolledAt'> {
  /** Epoch seconds; absent when LOCKED until the next enrolment. */
  readonly lockedUntil?: number;
  /** Epoch seconds. */
  readonly enrolledAt: number;
}

interface DevicePage extends Paged {
  readonly devices: readonly ShownDevice[];
}

@ApiBearerAuth('admin')
@Controller('admin/v1/identities/:identityId/devices')
export class IdentityDevicesController {
  constructor(
    private readonly listDevices: ListDevices,
    private readonly revokeDevice: RevokeDevice,
    private readonly powers: PersonsWithPower,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Get()
  async list(@IdentityIdParam() identityId: IdentityId, @Query() page: PageDto): Promise<DevicePage> {
    const { entries, ...next } = await this.listDevices.execute(identityId, pageRequest<DeviceId>(page));
    return { devices: entries.map(inSeconds), ...next };
  }

  @Delete(':deviceId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async revoke(
    @IdentityIdParam() identityId: IdentityId,
    @Param('deviceId', new PathId(() => new DeviceNotFound('no UUID'))) deviceId: DeviceId,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    if (await this.powers.require(identityId, caller)) {
      const lines = [`Person: ${identityId}`, `Phone: ${deviceId}`];
      const change = { title: 'Revoke a phone of a member of the portal', lines, touched: { identity: identityId } };
      await this.criticalChanges.require(request, caller, change);
    }
    return this.revokeDevice.execute(identityId, deviceId);
  }
}

const inSeconds = ({ lockedUntil, enrolledAt, ...device }: ListedDevice): ShownDevice => ({
  ...device,
  ...(lockedUntil !== undefined && { lockedUntil: epochSeconds(lockedUntil) }),
  enrolledAt: epochSeconds(enrolledAt),
});
