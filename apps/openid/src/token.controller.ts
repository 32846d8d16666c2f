import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LongPolls, Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { CIBA_GRANT, IssueTokens, type TokenAnswer } from '#domain/openid';

import { dpopHeader } from './dpop-header.js';
import { formOf } from './form-of.js';

@Controller('openid/token')
export class TokenController {
  constructor(
    private readonly issueTokens: IssueTokens,
    private readonly longPolls: LongPolls,
  ) {}

  @Post()
  @HttpCode(200)
  issue(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply, @Principal() client: Client): Promise<TokenAnswer> {
    const form = formOf(request);
    const wait = form['grant_type'] === CIBA_GRANT ? this.longPolls.begin(request, reply) : undefined;
    return this.issueTokens.execute(form, client, { proof: dpopHeader(request), wait });
  }
}
