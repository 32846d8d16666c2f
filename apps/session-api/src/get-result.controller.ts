import { Controller, Get, Param } from '@nestjs/common';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { GetSessionResult, type SigningResult } from '#domain/session';

@Controller('relying-party/v1/session/:sessionId/result')
export class GetResultController {
  constructor(private readonly getResult: GetSessionResult) {}

  @Get()
  result(@Param('sessionId') sessionId: string, @Principal() client: Client): Promise<SigningResult> {
    return this.getResult.execute(sessionId, client.clientId);
  }
}
