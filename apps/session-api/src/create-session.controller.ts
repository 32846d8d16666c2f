import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { type CreatedSession, CreateSession } from '#domain/session';

import { CreateSessionDto, sessionRequestOf } from './create-session.dto.js';
import { idempotencyKey } from './idempotency-key.js';

@Controller('relying-party/v1/session')
export class CreateSessionController {
  constructor(private readonly createSession: CreateSession) {}

  @Post()
  @HttpCode(200)
  create(@Body() body: CreateSessionDto, @Principal() client: Client, @Headers('idempotency-key') key: string | undefined): Promise<CreatedSession> {
    return this.createSession.execute(sessionRequestOf(body), client, idempotencyKey(key));
  }
}
