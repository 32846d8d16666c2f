import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { type Administrator, type InvitationId, InvitationNotFound, MemberNotFound, PortalMembers } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import type { ClientId, SubjectId } from '#kernel';
import { ClientNotFound, FindClient } from '#domain/relying-party';

import { ClientIdParam } from './clients.controller.js';
import { InviteMemberDto } from './invitations.dto.js';
import { type MadeInvitation, PortalLinks, type ShownTeam, shownTeam } from './portal-links.js';

export const SubjectIdParam = (): ParameterDecorator => Param('subjectId', new PathId(() => new MemberNotFound('no UUID')));
export const InvitationIdParam = (): ParameterDecorator => Param('invitationId', new PathId(() => new InvitationNotFound('no UUID')));

/** The persons who use the portal for one relying party (specification/admin.md#members). */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId')
export class TeamController {
  constructor(
    private readonly members: PortalMembers,
    private readonly findClient: FindClient,
    private readonly links: PortalLinks,
  ) {}

  @Get('members')
  async list(@ClientIdParam() clientId: ClientId): Promise<ShownTeam> {
    await this.#requireClient(clientId);
    return shownTeam(await this.members.team(clientId));
  }

  @Delete('members/:subjectId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  remove(@ClientIdParam() clientId: ClientId, @SubjectIdParam() subjectId: SubjectId, @Principal() { id }: Administrator): Promise<void> {
    return this.members.remove(subjectId, clientId, id);
  }

  @Post('invitations')
  async invite(
    @ClientIdParam() clientId: ClientId,
    @Body() { label }: InviteMemberDto,
    @Principal() administrator: Administrator,
  ): Promise<MadeInvitation> {
    await this.#requireClient(clientId);
    return this.links.invitation(await this.members.invite(label, { clientId }, administrator));
  }

  @Delete('invitations/:invitationId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  withdraw(@ClientIdParam() clientId: ClientId, @InvitationIdParam() invitationId: InvitationId, @Principal() { id }: Administrator): Promise<void> {
    return this.members.withdraw(invitationId, clientId, id);
  }

  async #requireClient(clientId: ClientId): Promise<void> {
    if (!(await this.findClient.execute(clientId))) throw new ClientNotFound('no such client');
  }
}
