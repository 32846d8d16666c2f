import { Controller, Get, Param } from '@nestjs/common';

import type { Device } from '#domain/identity';
import { FindSessionClient, type SessionClient } from '#domain/session';

import { ProvenDevice } from './device-proof.hooks.js';

/** specification/app.md#blocked-clients */
@Controller('app/v1/session/:sessionId/client')
export class SessionClientController {
  constructor(private readonly findSessionClient: FindSessionClient) {}

  @Get()
  show(@Param('sessionId') sessionId: string, @ProvenDevice() device: Device): Promise<SessionClient> {
    return this.findSessionClient.execute(sessionId, device);
  }
}
