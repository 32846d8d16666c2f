import { Body, Controller, Delete, Get, HttpCode, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import type { Device } from '#domain/identity';
import { SubscribeToPush } from '#domain/push';

import { ProvenDevice, refuseRevoked } from './device-proof.hooks.js';
import { PushSubscriptionDto } from './push-subscription.dto.js';

interface PushView {
  readonly subscribed: boolean;
  /** The key to subscribe with (`applicationServerKey`), base64url. Absent where the service sends no pushes. */
  readonly publicKey?: string;
}

/** specification/app.md#push-subscription */
@Controller('app/v1/push-subscription')
export class PushSubscriptionController {
  constructor(private readonly subscribeToPush: SubscribeToPush) {}

  @Get()
  async show(@ProvenDevice() device: Device): Promise<PushView> {
    const { publicKey } = this.subscribeToPush;
    return { subscribed: await this.subscribeToPush.has(device), ...(publicKey !== undefined && { publicKey }) };
  }

  @Put()
  @HttpCode(204)
  subscribe(
    @Body() { endpoint, keys: { p256dh, auth } }: PushSubscriptionDto,
    @ProvenDevice() device: Device,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    return this.subscribeToPush.execute(device, { endpoint, p256dh, auth }).catch(refuseRevoked(request));
  }

  @Delete()
  @HttpCode(204)
  end(@ProvenDevice() device: Device): Promise<void> {
    return this.subscribeToPush.end(device);
  }
}
