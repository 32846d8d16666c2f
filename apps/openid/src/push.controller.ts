import { Controller, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { PushAuthorizationRequest, type PushedRequest } from '#domain/openid';

import { dpopHeader } from './dpop-header.js';
import { formOf } from './form-of.js';

/** RFC 9126. */
@Controller('openid/par')
export class PushController {
  constructor(private readonly pushAuthorizationRequest: PushAuthorizationRequest) {}

  @Post()
  push(@Req() request: FastifyRequest, @Principal() client: Client): Promise<PushedRequest> {
    return this.pushAuthorizationRequest.execute(formOf(request), client, dpopHeader(request));
  }
}
