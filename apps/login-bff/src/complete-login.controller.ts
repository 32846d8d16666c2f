import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Route } from '#service/http';
import { AuthorizeLogin, type Completed, CompleteSession } from '#domain/session';

import { clearLoginCookie, readLoginCookies } from './login-cookie.js';

@Controller('login-ui/v1/session/completion')
export class CompleteLoginController {
  constructor(
    private readonly authorizeLogin: AuthorizeLogin,
    private readonly completeSession: CompleteSession,
  ) {}

  @Post()
  @HttpCode(200)
  @Route({ optionalBody: true })
  async complete(
    @Query('sessionId') sessionId: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Completed> {
    const login = await this.authorizeLogin.execute(readLoginCookies(request), sessionId);
    const { return_token: returnToken } = Object(request.body) as Record<string, unknown>;
    const redirect = await this.completeSession.completeLogin(login, returnToken);
    clearLoginCookie(reply);
    return { redirect };
  }
}
