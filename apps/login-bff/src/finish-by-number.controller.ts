import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Route } from '#service/http';
import { InvalidRequest } from '#kernel';
import { AuthorizeLogin, type Completed, CompleteSession } from '#domain/session';

import { clearLoginCookie, readLoginCookies } from './login-cookie.js';

/** specification/login-ui.md#finishing-by-a-number */
@Controller('login-ui/v1/session/number')
export class FinishByNumberController {
  constructor(
    private readonly authorizeLogin: AuthorizeLogin,
    private readonly completeSession: CompleteSession,
  ) {}

  /** The cookie is judged before the body, so a body that is no JSON counts as none. */
  @Post()
  @HttpCode(200)
  @Route({ optionalBody: true })
  async finish(
    @Query('sessionId') sessionId: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Completed> {
    const login = await this.authorizeLogin.execute(readLoginCookies(request), sessionId);
    const redirect = await this.completeSession.finishByNumber(login, numberIn(request.body));
    clearLoginCookie(reply);
    return { redirect };
  }
}

const numberIn = (body: unknown): unknown => {
  const { number, ...others } = Object(body) as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new InvalidRequest(`\`${unknown}\` is not a field of this request.`);
  return number;
};
