import { Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { MembersOwnPhones, type PortalPerson, PortalSessionNotFound, type PortalSessionId, PortalSessions } from '#domain/administration';
import { PathId, Principal, Route } from '#service/http';
import { epochSeconds } from '#kernel';

import { CriticalChanges } from './critical-changes.js';
import { type ShownPhones, shownPhones } from './members-phones.js';

interface ShownSession {
  readonly sessionId: string;
  /** Whether it is the one of this request. */
  readonly current: boolean;
  /** Epoch seconds. */
  readonly begunAt: number;
  /** At most a minute before the last use. Epoch seconds. */
  readonly usedAt: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

interface ShownSessions {
  /** The newest first. */
  readonly sessions: readonly ShownSession[];
}

/** What belongs to the person who is logged in: the sessions of the portal, and the phones that may act there (specification/admin.md#own-sessions-and-phones). */
@ApiBearerAuth('admin')
@Controller('admin/v1/own')
export class OwnController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly phones: MembersOwnPhones,
    private readonly criticalChanges: CriticalChanges,
  ) {}

  @Get('sessions')
  async listSessions(@Principal() { human }: PortalPerson): Promise<ShownSessions> {
    const sessions = await this.sessions.list(human.identityId);
    return {
      sessions: sessions.map(({ sessionId, begunAt, usedAt, expiresAt }) => ({
        sessionId,
        current: sessionId === human.sessionId,
        begunAt: epochSeconds(begunAt),
        usedAt: epochSeconds(usedAt),
        expiresAt: epochSeconds(expiresAt),
      })),
    };
  }

  @Delete('sessions/:sessionId')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  endSession(
    @Param('sessionId', new PathId(() => new PortalSessionNotFound('no UUID'))) sessionId: PortalSessionId,
    @Principal() { human }: PortalPerson,
  ): Promise<void> {
    return this.sessions.endOf(human.identityId, sessionId);
  }

  @Get('phones')
  async listPhones(@Principal() { human }: PortalPerson): Promise<ShownPhones> {
    return shownPhones(await this.phones.ofPerson(human));
  }

  /** Lets another own phone act in the portal at once. */
  @Post('phones/:phoneId/approval')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async admit(@Param('phoneId') phoneId: string, @Principal() person: PortalPerson, @Req() request: FastifyRequest): Promise<void> {
    const { enrolledAt, enrolledBy } = await this.phones.find(person.human, phoneId);
    const lines = [`Phone: ${phoneId}`, `Enrolled: ${new Date(enrolledAt).toISOString()}`, `Enrolled by: ${enrolledBy.join(', ') || 'the service'}`];
    const change = { title: 'Let another phone of yours act in the portal', lines, touched: { identity: person.human.identityId } };
    await this.criticalChanges.require(request, person, change);
    await this.phones.admit(person.human, phoneId);
  }

  /** Takes that back, and stops a phone that waits. */
  @Delete('phones/:phoneId/approval')
  @HttpCode(204)
  @Route({ ignoreBody: true })
  stop(@Param('phoneId') phoneId: string, @Principal() { human, id }: PortalPerson): Promise<void> {
    return this.phones.stopOwn(human, phoneId, id);
  }
}
