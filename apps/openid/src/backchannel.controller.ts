import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Principal } from '#service/http';
import type { Client } from '#domain/relying-party';
import { type BackchannelAnswer, BeginBackchannelLogin } from '#domain/openid';

import { formOf } from './form-of.js';

/** OpenID Connect CIBA Core section 7. */
@Controller('openid/bc-authorize')
export class BackchannelController {
  constructor(private readonly beginBackchannelLogin: BeginBackchannelLogin) {}

  @Post()
  @HttpCode(200)
  begin(@Req() request: FastifyRequest, @Principal() client: Client): Promise<BackchannelAnswer> {
    return this.beginBackchannelLogin.execute(formOf(request), client);
  }
}
