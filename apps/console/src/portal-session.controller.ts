import { Controller, Delete, Get, HttpCode, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { PortalSessions, type TeamRole } from '#domain/administration';
import { requirePortalHeader, Route, theOnly, Unauthorized } from '#service/http';
import { epochSeconds } from '#kernel';
import { FindClient } from '#domain/relying-party';

import { PortalCookies } from './portal-cookies.js';

interface ShownSession {
  readonly subjectId: string;
  /** The roles of a member of the staff; empty for others. */
  readonly roles: readonly string[];
  readonly clients: readonly { readonly clientId: string; readonly name: string; readonly role: TeamRole }[];
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** The session of the person at the page. */
@ApiExcludeController()
@Controller('portal/v1/session')
export class PortalSessionController {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly findClient: FindClient,
    private readonly cookies: PortalCookies,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest): Promise<ShownSession> {
    requirePortalHeader(request.headers);
    const person = theOnly(await Promise.all(this.cookies.sessions(request).map((cookie) => this.sessions.find(cookie))));
    if (!person) throw new Unauthorized('no live session of the portal');
    const clients = await Promise.all(person.teams.map(async ({ clientId, role }) => ({ role, client: await this.findClient.execute(clientId) })));
    return {
      subjectId: person.subjectId,
      roles: person.roles,
      clients: clients.flatMap(({ client, role }) => (client ? [{ clientId: client.clientId, name: client.name, role }] : [])),
      expiresAt: epochSeconds(person.expiresAt),
    };
  }

  @Delete()
  @HttpCode(204)
  @Route({ ignoreBody: true })
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    requirePortalHeader(request.headers);
    await Promise.all(this.cookies.sessions(request).map((cookie) => this.sessions.end(cookie)));
    this.cookies.clearSession(reply);
  }
}
