import { Controller, Delete, HttpCode, Param } from '@nestjs/common';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { WithdrawSession } from '#domain/session';

@Controller('relying-party/v1/session/:sessionId')
export class WithdrawSessionController {
  constructor(private readonly withdrawSession: WithdrawSession) {}

  @Delete()
  @HttpCode(204)
  async withdraw(@Param('sessionId') sessionId: string, @Principal() client: Client): Promise<void> {
    await this.withdrawSession.execute(sessionId, client.clientId);
  }
}
