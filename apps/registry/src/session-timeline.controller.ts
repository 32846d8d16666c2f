import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import type { ClientId } from '#kernel';
import { GetSessionTimeline, type SessionTimeline } from '#domain/session';

import { ClientIdParam } from './clients.controller.js';

interface ClientTimeline extends Omit<SessionTimeline, 'events'> {
  readonly events: readonly Omit<SessionTimeline['events'][number], 'deviceId' | 'finding'>[];
}

@ApiBearerAuth('admin')
@Controller('admin/v1/sessions/:sessionId/timeline')
export class SessionTimelineController {
  constructor(private readonly getSessionTimeline: GetSessionTimeline) {}

  @Get()
  show(@Param('sessionId') sessionId: string): Promise<SessionTimeline> {
    return this.getSessionTimeline.execute(sessionId);
  }
}

/** The same for the members of the session's client. A device has one id at all clients, by which they could compare their users: it is left out, and so are the findings for operators. */
@ApiBearerAuth('admin')
@Controller('admin/v1/clients/:clientId/sessions/:sessionId/timeline')
export class ClientSessionTimelineController {
  constructor(private readonly getSessionTimeline: GetSessionTimeline) {}

  @Get()
  async show(@ClientIdParam() clientId: ClientId, @Param('sessionId') sessionId: string): Promise<ClientTimeline> {
    const { events, ...session } = await this.getSessionTimeline.execute(sessionId, clientId);
    return {
      ...session,
      events: events.map(({ deviceId: _, finding: __, ...event }) => event),
    };
  }
}
