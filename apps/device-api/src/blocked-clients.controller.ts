import { Controller, Delete, Get, HttpCode, Param, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { epochSeconds } from '#kernel';
import type { Device } from '#domain/identity';
import { BlockClient } from '#domain/session';
import { Route } from '#service/http';

import { ProvenDevice, refuseRevoked } from './device-proof.hooks.js';

interface ShownBlockedClient {
  readonly clientId: string;
  /** Also of a client that is deleted. */
  readonly relyingPartyName: string;
  /** Epoch seconds. */
  readonly blockedAt: number;
  /** Whether the person has reported the client to the operator. */
  readonly reported: boolean;
}

interface BlockedClientList {
  /** The one that was blocked last comes first. */
  readonly clients: readonly ShownBlockedClient[];
}

/** specification/app.md#blocked-clients */
@Controller('app/v1/blocked-clients')
export class BlockedClientsController {
  constructor(private readonly blockClient: BlockClient) {}

  @Get()
  async list(@ProvenDevice() device: Device): Promise<BlockedClientList> {
    const clients = await this.blockClient.list(device);
    return {
      clients: clients.map(({ clientId, relyingPartyName, at, reported = false }) => ({
        clientId,
        relyingPartyName,
        blockedAt: epochSeconds(at),
        reported,
      })),
    };
  }

  @Put(':clientId')
  @HttpCode(204)
  @Route({ optionalBody: true })
  block(@Param('clientId') clientId: string, @ProvenDevice() device: Device, @Req() request: FastifyRequest): Promise<void> {
    return this.blockClient.execute(clientId, device).catch(refuseRevoked(request));
  }

  @Put(':clientId/report')
  @HttpCode(204)
  @Route({ optionalBody: true })
  report(@Param('clientId') clientId: string, @ProvenDevice() device: Device, @Req() request: FastifyRequest): Promise<void> {
    return this.blockClient.report(clientId, device).catch(refuseRevoked(request));
  }

  @Delete(':clientId')
  @HttpCode(204)
  unblock(@Param('clientId') clientId: string, @ProvenDevice() device: Device, @Req() request: FastifyRequest): Promise<void> {
    return this.blockClient.undo(clientId, device).catch(refuseRevoked(request));
  }
}
