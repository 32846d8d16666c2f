import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { callerOf, FailureThrottle, Route } from '#service/http';
import { InvalidAccessToken } from '#domain/session';
import { AnswerUserInfo, OAuthError } from '#domain/openid';

import { formOf } from './form-of.js';
import { NoAccessToken } from './no-access-token.js';

/** OpenID Connect Core section 5.3.1. The access token comes in the header `Authorization`, or in a form (RFC 6750 sections 2.1 and 2.2); never in the address, which proxies write down. */
@Controller('openid/userinfo')
export class UserInfoController {
  constructor(
    private readonly answerUserInfo: AnswerUserInfo,
    private readonly throttle: FailureThrottle,
  ) {}

  @Get()
  @Route({ open: true })
  read(@Req() request: FastifyRequest): Promise<object> {
    return this.#answer(request, bearerOf(request));
  }

  @Post()
  @HttpCode(200)
  @Route({ open: true, optionalBody: true })
  post(@Req() request: FastifyRequest): Promise<object> {
    const [inHeader, inForm] = [bearerOf(request), formOf(request)['access_token']];
    if (inHeader !== undefined && inForm !== undefined) throw new OAuthError('invalid_request', 'send the access token in one way');
    return this.#answer(request, inHeader ?? inForm);
  }

  async #answer(request: FastifyRequest, token: string | undefined): Promise<object> {
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

const bearerOf = ({ headers }: FastifyRequest): string | undefined => /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
