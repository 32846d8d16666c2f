import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LongPolls } from '#http';
import { AuthorizeLogin, parseSince, type StatusView, statusView, WaitForStatus } from '#session';

import { readLoginCookie } from './login-cookie.js';

@Controller('login-ui/v1/session/status')
export class LoginStatusController {
  constructor(
    private readonly authorizeLogin: AuthorizeLogin,
    private readonly waitForStatus: WaitForStatus,
    private readonly longPolls: LongPolls,
  ) {}

  @Get()
  async status(
    @Query('sessionId') sessionId: unknown,
    @Query('since') sinceText: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatusView> {
    const read = async () => statusView((await this.authorizeLogin.execute(readLoginCookie(request), sessionId)).session);
    const now = await read();
    const since = parseSince(sinceText);
    const wait = this.longPolls.begin(request, reply);
    return wait ? this.waitForStatus.execute(read, { ...wait, sessionId: String(sessionId), since }) : now;
  }
}
