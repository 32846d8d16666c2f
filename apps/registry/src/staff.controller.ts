import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { type Administrator, type InvitationId, PortalMembers } from '#domain/administration';
import { Principal, Route } from '#service/http';
import type { SubjectId } from '#kernel';

import { InviteStaffDto } from './invitations.dto.js';
import { type MadeInvitation, PortalLinks, type ShownTeam, shownTeam } from './portal-links.js';
import { InvitationIdParam, SubjectIdParam } from './team.controller.js';

/** The operator's staff in the portal (specification/admin.md#members). */
@ApiBearerAuth('admin')
@Controller('admin/v1')
export class StaffController {
  constructor(
    private readonly members: PortalMembers,
    private readonly links: PortalLinks,
  ) {}

  @Get('members')
  async list(): Promise<ShownTeam> {
    return shownTeam(await this.members.team(undefined));
  }

  @Delete('members/:subjectId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  remove(@SubjectIdParam() subjectId: SubjectId, @Principal() { id }: Administrator): Promise<void> {
    return this.members.remove(subjectId, undefined, id);
  }

  @Post('invitations')
  async invite(@Body() { label, roles }: InviteStaffDto, @Principal() administrator: Administrator): Promise<MadeInvitation> {
    return this.links.invitation(await this.members.invite(label, { roles }, administrator));
  }

  @Delete('invitations/:invitationId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  withdraw(@InvitationIdParam() invitationId: InvitationId, @Principal() { id }: Administrator): Promise<void> {
    return this.members.withdraw(invitationId, undefined, id);
  }
}
