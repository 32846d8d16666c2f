import { Controller, HttpCode, Param, Post } from '@nestjs/common';

import { Principal, Route } from '#service/http';
import type { Client } from '#domain/relying-party';
import { type Completed, CompleteSession } from '#domain/session';

@Controller('relying-party/v1/session/:sessionId/completion')
export class CompleteSessionController {
  constructor(private readonly completeSession: CompleteSession) {}

  @Post()
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async complete(@Param('sessionId') sessionId: string, @Principal() client: Client): Promise<Completed> {
    return { redirect: await this.completeSession.execute(sessionId, client.clientId) };
  }
}
