import { Body, type CanActivate, Controller, type ExecutionContext, Headers, HttpCode, Injectable, Post, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Principal } from '#service/http';
import { domainError } from '#kernel';
import type { Client } from '#domain/relying-party';
import { type CreatedSession, CreateSession } from '#domain/session';

import { sessionRequestOf } from './create-session.dto.js';
import { CreateSigningRequestDto } from './create-signing-request.dto.js';
import { idempotencyKey } from './idempotency-key.js';

export class EndpointRetired extends domainError('endpoint_retired') {}

/** Whether the legacy endpoint still works. */
export class LegacySigning {
  constructor(readonly offered: boolean) {}
}

/** RFC 9745 and RFC 8594: since when the endpoint is deprecated, when it is switched off, and its successor. */
const DEPRECATION = {
  Deprecation: '@1767225600',
  Sunset: 'Wed, 30 Jun 2027 23:59:59 GMT',
  Link: '</relying-party/v1/session>; rel="successor-version"',
};

/** Announces the deprecation on every answer. When the endpoint is switched off, refuses before the body is validated. */
@Injectable()
export class WhileOffered implements CanActivate {
  constructor(private readonly legacySigning: LegacySigning) {}

  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getResponse<FastifyReply>().headers(DEPRECATION);
    if (!this.legacySigning.offered) throw new EndpointRetired('switched off');
    return true;
  }
}

/** Legacy push signing: POST session with fixed parameters. */
@UseGuards(WhileOffered)
@Controller('relying-party/v1/create-signing-request')
export class CreateSigningRequestController {
  constructor(private readonly createSession: CreateSession) {}

  @Post()
  @HttpCode(200)
  create(
    @Body() body: CreateSigningRequestDto,
    @Principal() client: Client,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<CreatedSession> {
    return this.createSession.execute(sessionRequestOf({ ...body, signature_type: 'SIGNING', push: true }), client, idempotencyKey(key));
  }
}
