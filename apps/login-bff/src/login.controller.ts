import { Controller, Delete, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

import { Route } from '#service/http';
import { AuthorizeLogin, DescribeLogin, type LoginDescription, PushLoginAgain, WithdrawLogin } from '#domain/session';

import { readLoginCookies } from './login-cookie.js';

interface PushedAgain {
  readonly pushStatus: LoginDescription['pushStatus'];
}

/** The endpoints that the hosted page needs beyond the specification, all about the login of its cookie (specification/login-ui.md#get-session). */
@Controller('login-ui/v1/session')
export class LoginController {
  constructor(
    private readonly authorizeLogin: AuthorizeLogin,
    private readonly describeLogin: DescribeLogin,
    private readonly withdrawLogin: WithdrawLogin,
    private readonly pushLoginAgain: PushLoginAgain,
  ) {}

  /** The cookie alone says which login it is, so that a page that the app opens needs no address with an id. */
  @Get()
  async describe(@Req() request: FastifyRequest): Promise<LoginDescription> {
    const { sessionId, session } = await this.authorizeLogin.current(readLoginCookies(request));
    return this.describeLogin.execute(sessionId, session);
  }

  @Delete()
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async withdraw(@Query('sessionId') sessionId: unknown, @Req() request: FastifyRequest): Promise<void> {
    await this.withdrawLogin.execute(await this.authorizeLogin.execute(readLoginCookies(request), sessionId));
  }

  @Post('push')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async push(@Query('sessionId') sessionId: unknown, @Req() request: FastifyRequest): Promise<PushedAgain> {
    const login = await this.authorizeLogin.execute(readLoginCookies(request), sessionId);
    return { pushStatus: await this.pushLoginAgain.execute(login) };
  }
}
