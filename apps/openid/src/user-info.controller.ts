import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { callerOf, FailureThrottle, Route } from '#service/http';
import { InvalidAccessToken } from '#domain/session';
import { AnswerUserInfo, InvalidDpopProof } from '#domain/openid';

import { dpopHeader } from './dpop-header.js';
import { DpopRefused } from './dpop-refused.js';
import { NoAccessToken } from './no-access-token.js';

/** OpenID Connect Core section 5.3.1. The access token comes in the header `Authorization` alone (RFC 6750 section 2.1), by the scheme DPoP with a proof (RFC 9449 section 7.1). */
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
    const [, scheme = '', accessToken] = /^(bearer|dpop) +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    const brought = { scheme: /^dpop$/i.test(scheme) ? ('DPoP' as const) : ('Bearer' as const), proof: dpopHeader(request), method: request.method };
    let refusal: Error = new NoAccessToken('no access token');
    const answer = await this.throttle.guard(callerOf(request), async () => {
      if (accessToken === undefined) return undefined;
      return this.answerUserInfo.execute({ accessToken, ...brought }).catch((error: unknown) => {
        if (error instanceof InvalidDpopProof) refusal = new DpopRefused('invalid_dpop_proof', error.reason);
        else if (error instanceof InvalidAccessToken) refusal = brought.scheme === 'DPoP' ? new DpopRefused('invalid_token', error.reason) : error;
        else throw error;
        return undefined;
      });
    });
    if (!answer) throw refusal;
    return answer;
  }
}
