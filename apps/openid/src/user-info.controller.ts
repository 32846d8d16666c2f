import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { callerOf, FailureThrottle, Route } from '#service/http';
import { InvalidAccessToken } from '#domain/session';
import { AnswerUserInfo, InvalidDpopProof, OAuthError } from '#domain/openid';

import { dpopHeader } from './dpop-header.js';
import { DpopRefused } from './dpop-refused.js';
import { formOf } from './form-of.js';
import { NoAccessToken } from './no-access-token.js';

interface Sent {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly accessToken: string | undefined;
}

/**
 * OpenID Connect Core section 5.3.1. The access token comes in the header `Authorization`, by the scheme DPoP with a proof (RFC 9449 section 7.1), or in a form (RFC 6750 sections 2.1 and
 * 2.2); never in the address, which proxies write down.
 */
@Controller('openid/userinfo')
export class UserInfoController {
  constructor(
    private readonly answerUserInfo: AnswerUserInfo,
    private readonly throttle: FailureThrottle,
  ) {}

  @Get()
  @Route({ open: true })
  read(@Req() request: FastifyRequest): Promise<object> {
    return this.#answer(request, inHeader(request));
  }

  @Post()
  @HttpCode(200)
  @Route({ open: true, optionalBody: true })
  post(@Req() request: FastifyRequest): Promise<object> {
    const [sent, inForm] = [inHeader(request), formOf(request)['access_token']];
    if (inForm === undefined) return this.#answer(request, sent);
    if (sent.accessToken !== undefined) throw new OAuthError('invalid_request', 'send the access token in one way');
    return this.#answer(request, { scheme: 'Bearer', accessToken: inForm });
  }

  async #answer(request: FastifyRequest, { scheme, accessToken }: Sent): Promise<object> {
    const brought = { scheme, proof: dpopHeader(request), method: request.method };
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

const inHeader = ({ headers }: FastifyRequest): Sent => {
  const [, scheme = '', accessToken] = /^(bearer|dpop) +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
  return { scheme: /^dpop$/i.test(scheme) ? 'DPoP' : 'Bearer', accessToken };
};
