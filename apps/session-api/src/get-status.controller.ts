import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Lean, LongPolls } from '#service/http';
import type { Client } from '#domain/relying-party';
import { GetSessionStatus, parseSince, type StatusView, statusView, WaitForStatus } from '#domain/session';

@Controller('relying-party/v1/session/:sessionId/status')
export class GetStatusController {
  constructor(
    private readonly getStatus: GetSessionStatus,
    private readonly waitForStatus: WaitForStatus,
    private readonly longPolls: LongPolls,
  ) {}

  @Get()
  @Lean()
  @ApiParam({ name: 'sessionId', schema: { type: 'string' } })
  status(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): StatusView | Promise<StatusView> {
    const { sessionId } = request.params as { readonly sessionId: string };
    const since = parseSince((request.query as { readonly since?: unknown }).since);
    const { clientId } = request.principal as Client;
    const wait = this.longPolls.begin(request, reply);
    const read = () => this.getStatus.execute(sessionId, clientId);
    if (wait) return this.waitForStatus.execute(read, { ...wait, sessionId, since }).then(statusView);
    const recent = this.getStatus.recent(sessionId, clientId);
    return recent ? statusView(recent) : read().then(statusView);
  }
}
