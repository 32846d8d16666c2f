import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { LongPolls, Principal } from '#http';
import type { Client } from '#relying-party';
import { GetSessionStatus, parseSince, type StatusView, statusView, WaitForStatus } from '#session';

@Controller('relying-party/v1/session/:sessionId/status')
export class GetStatusController {
  constructor(
    private readonly getStatus: GetSessionStatus,
    private readonly waitForStatus: WaitForStatus,
    private readonly longPolls: LongPolls,
  ) {}

  @Get()
  async status(
    @Param('sessionId') sessionId: string,
    @Query('since') sinceText: unknown,
    @Principal() client: Client,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatusView> {
    const since = parseSince(sinceText);
    const read = () => this.getStatus.execute(sessionId, client.clientId);
    const wait = this.longPolls.begin(request, reply);
    return statusView(await (wait ? this.waitForStatus.execute(read, { ...wait, sessionId, since }) : read()));
  }
}
