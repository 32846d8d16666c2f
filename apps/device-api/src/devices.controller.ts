import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';

import { epochSeconds } from '#kernel';
import { type Device, ListOwnDevices, type OwnDevice, RevokeOwnDevice } from '#domain/identity';

import { RevokeDeviceDto } from './devices.dto.js';
import { ProvenDevice } from './device-proof.hooks.js';

interface ShownDevice extends Omit<OwnDevice, 'enrolledAt'> {
  /** Epoch seconds. */
  readonly enrolledAt: number;
}

interface DeviceList {
  /** The newest enrolment first. */
  readonly devices: readonly ShownDevice[];
}

/** specification/app.md#get-devices */
@Controller('app/v1/devices')
export class DevicesController {
  constructor(
    private readonly listOwnDevices: ListOwnDevices,
    private readonly revokeOwnDevice: RevokeOwnDevice,
  ) {}

  @Get()
  async list(@ProvenDevice() device: Device): Promise<DeviceList> {
    const devices = await this.listOwnDevices.execute(device);
    return { devices: devices.map((each) => ({ ...each, enrolledAt: epochSeconds(each.enrolledAt) })) };
  }

  @Post(':deviceId/revoke')
  @HttpCode(204)
  revoke(@Param('deviceId') deviceId: string, @Body() { pin_proof }: RevokeDeviceDto, @ProvenDevice() device: Device): Promise<void> {
    return this.revokeOwnDevice.execute(deviceId, pin_proof, device);
  }
}
