import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ClaimHandoff, type ClaimedLogin } from '#session';

import { ClaimHandoffDto } from './claim-handoff.dto.js';
import { readLoginCookie, setLoginCookie } from './login-cookie.js';

@Controller('login-ui/v1/session/claim')
export class ClaimHandoffController {
  constructor(private readonly claimHandoff: ClaimHandoff) {}

  @Post()
  @HttpCode(200)
  async claim(
    @Body() { handoffToken }: ClaimHandoffDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Omit<ClaimedLogin, 'cookie'>> {
    const { cookie, ...login } = await this.claimHandoff.execute(handoffToken, readLoginCookie(request));
    setLoginCookie(reply, cookie);
    return login;
  }
}
