import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Lean, LongPolls, PollLimit } from '#service/http';
import type { SessionId } from '#kernel';
import { GetLoginStatus, HostedQrCode, type LoginDescription, parseSince, type StatusView, statusView, WaitForStatus } from '#domain/session';

import { readLoginCookies } from './login-cookie.js';

@Controller('login-ui/v1/session/status')
export class LoginStatusController {
  constructor(
    private readonly getStatus: GetLoginStatus,
    private readonly waitForStatus: WaitForStatus,
    private readonly hostedQrCode: HostedQrCode,
    private readonly longPolls: LongPolls,
    private readonly pollLimit: PollLimit,
  ) {}

  @Get()
  @Lean()
  async status(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatusView & Pick<LoginDescription, 'qrPayload'>> {
    const { sessionId, since: sinceText } = request.query as { readonly sessionId?: unknown; readonly since?: unknown };
    const read = () => this.getStatus.execute(readLoginCookies(request), sessionId);
    const now = await read();
    const since = parseSince(sinceText);
    // The cookie was right, so the id is that of its login.
    const login = String(sessionId).toLowerCase() as SessionId;
    await this.pollLimit.take(login);
    const wait = this.longPolls.begin(request, reply, login);
    const record = wait ? await this.waitForStatus.execute(read, { ...wait, sessionId: String(sessionId), since }) : now;
    const { status, qrFrom } = record;
    const qrPayload = status === 'PENDING' && qrFrom !== undefined && this.hostedQrCode.payloadOf(login, qrFrom);
    return { ...statusView(record), ...(qrPayload && { qrPayload }) };
  }
}
