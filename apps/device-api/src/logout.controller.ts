import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Device } from '#domain/identity';
import { LogOutAtClient } from '#domain/openid';
import { Route } from '#service/http';

import { ProvenDevice, refuseRevoked } from './device-proof.hooks.js';

/** specification/app.md#logout */
@Controller('app/v1/clients')
export class LogoutController {
  constructor(private readonly logOutAtClient: LogOutAtClient) {}

  @Post(':clientId/logout')
  @HttpCode(204)
  @Route({ optionalBody: true })
  logOut(@Param('clientId') clientId: string, @ProvenDevice() device: Device, @Req() request: FastifyRequest): Promise<void> {
    return this.logOutAtClient.execute(clientId, device).catch(refuseRevoked(request));
  }
}
