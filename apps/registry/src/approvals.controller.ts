import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApprovalNotFound, CompleteApproval, type PortalPerson } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';

import { CriticalChanges } from './critical-changes.js';
import { mayAsk } from './require-right.js';

interface ShownApproval {
  /** `OVER`: declined on the phone, or its time is over. */
  readonly state: 'WAITING' | 'SIGNED' | 'OVER';
}

const ApprovalIdParam = (): ParameterDecorator => Param('approvalId', new PathId(() => new ApprovalNotFound('no UUID')));

/** The critical changes that the person was asked on the phone to approve (specification/admin.md#critical-changes). */
@ApiBearerAuth('admin')
@Controller('admin/v1/approvals/:approvalId')
export class ApprovalsController {
  constructor(
    private readonly completeApproval: CompleteApproval,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Get()
  async show(@ApprovalIdParam() approvalId: string, @Principal() { human }: PortalPerson): Promise<ShownApproval> {
    return { state: await this.completeApproval.state(approvalId, human) };
  }

  /** Carries the change out, once, and answers what the change answers. */
  @Post('completion')
  @HttpCode(200)
  @Route({ ignoreBody: true })
  async complete(
    @ApprovalIdParam() approvalId: string,
    @Principal() { human }: PortalPerson,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const approved = await this.completeApproval.execute(approvalId, human, mayAsk);
    const { status, type, body } = await this.criticalChanges.carryOut(request, approved);
    reply.code(status);
    if (type !== undefined) reply.type(type);
    await reply.send(body.length === 0 ? undefined : body);
  }
}
