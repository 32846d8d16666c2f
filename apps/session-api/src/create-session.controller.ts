import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';

import { Principal } from '#http';
import { InvalidRequest } from '#kernel';
import type { Client } from '#relying-party';
import { type CreatedSession, CreateSession } from '#session';

import { CreateSessionDto } from './create-session.dto.js';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

@Controller('relying-party/v1/session')
export class CreateSessionController {
  constructor(private readonly createSession: CreateSession) {}

  @Post()
  @HttpCode(200)
  create(
    @Body() body: CreateSessionDto,
    @Principal() client: Client,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
  ): Promise<CreatedSession> {
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      throw new InvalidRequest('The header `Idempotency-Key` must be 1 to 255 visible ASCII characters.');
    }
    return this.createSession.execute(body, client, idempotencyKey);
  }
}
