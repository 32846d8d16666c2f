import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { callerOf, requirePortalHeader } from '#service/http';
import { type Limit, RateLimits } from '#engines/rate-limit';

import { BeginLoginDto } from './begin-login.dto.js';
import { PORTAL_ADDRESS } from './portal-address.js';
import { PortalCookies } from './portal-cookies.js';
import { PortalLogin } from './portal-login.js';

/** The limit of one address: a login needs no credential, and each begins a session of the portal's client. */
const LOGINS: Limit = { name: 'portal-logins', times: 60, seconds: 60 };

/** Logging in to the portal. For its page alone. */
@ApiExcludeController()
@Controller('portal/v1')
export class PortalLoginController {
  constructor(
    private readonly logins: PortalLogin,
    private readonly cookies: PortalCookies,
    private readonly limits: RateLimits,
    @Inject(PORTAL_ADDRESS) private readonly address: string,
  ) {}

  @Post('login')
  @HttpCode(200)
  async begin(
    @Body() { invitation }: BeginLoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ redirect: string }> {
    requirePortalHeader(request.headers);
    await this.limits.take(LOGINS, callerOf(request), 'too many logins to the portal from this address');
    const { redirect, login } = await this.logins.begin(invitation);
    this.cookies.setLogin(reply, login);
    return { redirect };
  }

  /** The browser returns here and is redirected to the portal's page, never to an address from the request. */
  @Get('callback')
  async finish(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const login = this.cookies.login(request, query['state']);
    const outcome = login ? await this.logins.finish(login, query) : 'login';
    this.cookies.clearLogin(reply);
    if (typeof outcome !== 'string') this.cookies.setSession(reply, outcome.cookie, outcome.seconds);
    await reply.redirect(typeof outcome === 'string' ? `${this.address}#refused=${outcome}` : this.address, 303);
  }
}
