import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { callerOf, FailureThrottle, Route } from '#service/http';
import { InvalidAccessToken } from '#domain/session';
import { AnswerUserInfo } from '#domain/openid';

import { NoAccessToken } from './no-access-token.js';

/** OpenID Connect Core section 5.3.1. The access token comes in the header `Authorization` alone (RFC 6750 section 2.1). */
@Controller('openid/userinfo')
export class UserInfoController {
  constructor(
    private readonly answerUserInfo: AnswerUserInfo,
    private readonly throttle: FailureThrottle,
  ) {}

  @Get()
  @Route({ open: true })
  read(@Req() request: FastifyRequest): Promise<object> {
    return this.#answer(request);
  }

  @Post()
  @HttpCode(200)
  @Route({ open: true, ignoreBody: true })
  post(@Req() request: FastifyRequest): Promise<object> {
    return this.#answer(request);
  }

  async #answer(request: FastifyRequest): Promise<object> {
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    let refusal: InvalidAccessToken | NoAccessToken = new NoAccessToken('no access token');
    const answer = await this.throttle.guard(callerOf(request), async () => {
      if (token === undefined) return undefined;
      return this.answerUserInfo.execute(token).catch((error: unknown) => {
        if (!(error instanceof InvalidAccessToken)) throw error;
        refusal = error;
        return undefined;
      });
    });
    if (!answer) throw refusal;
    return answer;
  }
}
