import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { type Administrator, type InvitationId, MembersOwnPhones, NewPhones, PortalMembers } from '#domain/administration';
import { Principal, Route } from '#service/http';
import type { SubjectId } from '#kernel';

import { CriticalChanges } from './critical-changes.js';
import { ChangeStaffDto, InviteStaffDto } from './invitations.dto.js';
import { shownNewPhones, type ShownPhones, shownPhones } from './members-phones.js';
import { type MadeInvitation, PortalLinks, type ShownTeam, shownTeam } from './portal-links.js';
import { Forbidden, mayCall } from './require-right.js';
import { InvitationIdParam, SubjectIdParam } from './team.controller.js';

/** The operator's staff in the portal (specification/admin.md#members). */
@ApiBearerAuth('admin')
@Controller('admin/v1')
export class StaffController {
  constructor(
    private readonly members: PortalMembers,
    private readonly phones: MembersOwnPhones,
    private readonly newPhones: NewPhones,
    private readonly links: PortalLinks,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Get('members')
  async list(@Principal() caller: Administrator): Promise<ShownTeam> {
    const team = shownTeam(await this.members.team(undefined));
    if (!mayCall(caller, 'GET /admin/v1/members/:subjectId/phones')) return team;
    return { ...team, newPhones: shownNewPhones(await this.newPhones.execute(undefined)) };
  }

  @Patch('members/:subjectId')
  @HttpCode(204)
  async change(
    @SubjectIdParam() subjectId: SubjectId,
    @Body() { roles }: ChangeStaffDto,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.#require(request, caller, subjectId, (label) => `${label} gets the roles ${roles.join(', ')}`);
    await this.members.changeRole(subjectId, { roles }, caller.id);
  }

  @Delete('members/:subjectId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async remove(@SubjectIdParam() subjectId: SubjectId, @Principal() caller: Administrator, @Req() request: FastifyRequest): Promise<void> {
    await this.#require(request, caller, subjectId, (label) => `remove ${label}`);
    await this.phones.remove(subjectId, { clientId: undefined, by: caller.id });
  }

  /** Logs a member out everywhere. */
  @Delete('members/:subjectId/sessions')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  endSessions(@SubjectIdParam() subjectId: SubjectId): Promise<void> {
    return this.phones.endSessions(subjectId);
  }

  @Get('members/:subjectId/phones')
  async listPhones(@SubjectIdParam() subjectId: SubjectId): Promise<ShownPhones> {
    return shownPhones(await this.phones.ofMember(subjectId, undefined));
  }

  /** The phone may not act in the portal until another phone of the member approves it. */
  @Delete('members/:subjectId/phones/:phoneId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  stopPhone(@SubjectIdParam() subjectId: SubjectId, @Param('phoneId') phoneId: string, @Principal() { id }: Administrator): Promise<void> {
    return this.phones.stop(subjectId, { phoneId, by: id });
  }

  @Post('invitations')
  async invite(
    @Body() { label, roles }: InviteStaffDto,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<MadeInvitation> {
    if (caller.firstStartOnly && !roles.includes('security')) throw new Forbidden('the first start leads to `security` alone');
    const lines = [`Post: ${label}`, `Roles: ${roles.join(', ')}`];
    await this.criticalChanges.require(request, caller, {
      title: `Staff: invite ${label} as ${roles.join(', ')}`,
      lines,
      touched: { team: 'staff' },
    });
    return this.links.invitation(await this.members.invite(label, { roles }, caller));
  }

  @Delete('invitations/:invitationId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  withdraw(@InvitationIdParam() invitationId: InvitationId, @Principal() { id }: Administrator): Promise<void> {
    return this.members.withdraw(invitationId, undefined, id);
  }

  /** `words`: what happens to the member of this post. */
  async #require(request: FastifyRequest, caller: Administrator, subjectId: SubjectId, words: (label: string) => string): Promise<void> {
    const { label } = await this.members.memberOf(subjectId, undefined);
    const change = { title: `Staff: ${words(label)}`, lines: [`Member: ${label} (${subjectId})`], touched: { team: 'staff' } } as const;
    await this.criticalChanges.require(request, caller, change);
  }
}
