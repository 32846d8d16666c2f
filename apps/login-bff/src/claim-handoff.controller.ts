import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { clientNetwork, prefersRepresentation } from '#service/http';
import { ClaimHandoff, DescribeLogin, type LoginDescription } from '#domain/session';

import { browserOf } from './browser-of.js';
import { ClaimHandoffDto } from './claim-handoff.dto.js';
import { readLoginCookies, setLoginCookie } from './login-cookie.js';

type Claim = Pick<LoginDescription, 'sessionId' | 'relyingPartyName' | 'verificationCode'> & Required<Pick<LoginDescription, 'expiresAt'>>;

@Controller('login-ui/v1/session/claim')
export class ClaimHandoffController {
  constructor(
    private readonly claimHandoff: ClaimHandoff,
    private readonly describeLogin: DescribeLogin,
  ) {}

  @Post()
  @HttpCode(200)
  async claim(
    @Body() { handoffToken }: ClaimHandoffDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Claim | LoginDescription> {
    const browser = { ...browserOf(request.headers['user-agent']), network: clientNetwork(request) };
    const { cookie, session, ...login } = await this.claimHandoff.execute(handoffToken, readLoginCookies(request), browser);
    setLoginCookie(reply, cookie);
    if (!prefersRepresentation(request.headers.prefer)) return login;
    reply.header('Preference-Applied', 'return=representation');
    return this.describeLogin.execute(login.sessionId, session);
  }
}
