import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { IssueTokens, type TokenAnswer } from '#domain/openid';

import { dpopHeader } from './dpop-header.js';
import { formOf } from './form-of.js';

@Controller('openid/token')
export class TokenController {
  constructor(private readonly issueTokens: IssueTokens) {}

  @Post()
  @HttpCode(200)
  issue(@Req() request: FastifyRequest, @Principal() client: Client): Promise<TokenAnswer> {
    return this.issueTokens.execute(formOf(request), client, dpopHeader(request));
  }
}
