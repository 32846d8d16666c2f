import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import {
  type Administrator,
  type InvitationId,
  InvitationNotFound,
  MemberNotFound,
  MembersOwnPhones,
  NewPhones,
  PortalMembers,
} from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import type { ClientId, SubjectId } from '#kernel';
import { ClientNotFound, FindClient } from '#domain/relying-party';

import { ChangedClients } from './changed-clients.js';
import { ClientIdParam } from './clients.controller.js';
import { CriticalChanges } from './critical-changes.js';
import { ChangeMemberDto, InviteMemberDto } from './invitations.dto.js';
import { shownNewPhones, type ShownPhones, shownPhones } from './members-phones.js';
import { type MadeInvitation, PortalLinks, type ShownTeam, shownTeam } from './portal-links.js';
import { mayCall } from './require-right.js';

export const SubjectIdParam = (): ParameterDecorator => Param('subjectId', new PathId(() => new MemberNotFound('no UUID')));
export const InvitationIdParam = (): ParameterDecorator => Param('invitationId', new PathId(() => new InvitationNotFound('no UUID')));

const PATH = 'admin/v1/clients/:clientId';

/** The persons who use the portal for one relying party (specification/admin.md#members). */
@ApiBearerAuth('admin')
@Controller(PATH)
export class TeamController {
  constructor(
    private readonly members: PortalMembers,
    private readonly phones: MembersOwnPhones,
    private readonly newPhones: NewPhones,
    private readonly findClient: FindClient,
    private readonly clients: ChangedClients,
    private readonly links: PortalLinks,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Get('members')
  async list(@ClientIdParam() clientId: ClientId, @Principal() caller: Administrator): Promise<ShownTeam> {
    if (!(await this.findClient.execute(clientId))) throw new ClientNotFound('no such client');
    const team = shownTeam(await this.members.team(clientId));
    if (!mayCall(caller, `GET /${PATH}/members/:subjectId/phones`, clientId)) return team;
    return { ...team, newPhones: shownNewPhones(await this.newPhones.execute(clientId)) };
  }

  @Patch('members/:subjectId')
  @HttpCode(204)
  async change(
    @ClientIdParam() clientId: ClientId,
    @SubjectIdParam() subjectId: SubjectId,
    @Body() { role }: ChangeMemberDto,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.#require(request, caller, { clientId, subjectId, words: (label) => `${label} becomes ${role}` });
    await this.members.changeRole(subjectId, { clientId, role }, caller.id);
  }

  @Delete('members/:subjectId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async remove(
    @ClientIdParam() clientId: ClientId,
    @SubjectIdParam() subjectId: SubjectId,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.#require(request, caller, { clientId, subjectId, words: (label) => `remove the member ${label}` });
    await this.phones.remove(subjectId, { clientId, by: caller.id });
  }

  @Post('invitations')
  async invite(
    @ClientIdParam() clientId: ClientId,
    @Body() { label, role: named }: InviteMemberDto,
    @Principal() caller: Administrator,
    @Req() request: FastifyRequest,
  ): Promise<MadeInvitation> {
    const { name } = await this.clients.get(clientId);
    const role = named ?? (await this.members.usualRole(clientId));
    const lines = [`Relying party: ${name} (${clientId})`, `Post: ${label}`, `Role: ${role}`];
    await this.criticalChanges.require(request, caller, { title: `${name}: invite ${label} as ${role}`, lines, touched: { team: clientId } });
    const through = caller.human && !caller.roles.includes('operator') ? clientId : undefined;
    return this.links.invitation(await this.members.invite(label, { clientId, role }, { ...caller, through }));
  }

  @Delete('invitations/:invitationId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  withdraw(@ClientIdParam() clientId: ClientId, @InvitationIdParam() invitationId: InvitationId, @Principal() { id }: Administrator): Promise<void> {
    return this.members.withdraw(invitationId, clientId, id);
  }

  /** The phones of a member: a fresh one may be another person's. */
  @Get('members/:subjectId/phones')
  async listPhones(@ClientIdParam() clientId: ClientId, @SubjectIdParam() subjectId: SubjectId): Promise<ShownPhones> {
    return shownPhones(await this.phones.ofMember(subjectId, clientId));
  }

  /** The phone may not act in the portal until another phone of the member approves it. */
  @Delete('members/:subjectId/phones/:phoneId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async stopPhone(
    @ClientIdParam() clientId: ClientId,
    @SubjectIdParam() subjectId: SubjectId,
    @Param('phoneId') phoneId: string,
    @Principal() { id }: Administrator,
  ): Promise<void> {
    await this.clients.get(clientId);
    await this.phones.stop(subjectId, { clientId, phoneId, by: id });
  }

  async #require(request: FastifyRequest, caller: Administrator, { clientId, subjectId, words }: MemberChange): Promise<void> {
    const { name } = await this.clients.get(clientId);
    const { label } = await this.members.memberOf(subjectId, clientId);
    const title = `${name}: ${words(label)}`;
    const lines = [`Relying party: ${name} (${clientId})`, `Member: ${label} (${subjectId})`];
    await this.criticalChanges.require(request, caller, { title, lines, touched: { team: clientId } });
  }
}

interface MemberChange {
  readonly clientId: ClientId;
  readonly subjectId: SubjectId;
  /** What happens to the member of this post. */
  readonly words: (label: string) => string;
}
