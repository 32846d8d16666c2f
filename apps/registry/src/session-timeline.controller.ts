import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { GetSessionTimeline, type SessionTimeline } from '#session';

@ApiBearerAuth('admin')
@Controller('admin/v1/sessions/:sessionId/timeline')
export class SessionTimelineController {
  constructor(private readonly getSessionTimeline: GetSessionTimeline) {}

  @Get()
  show(@Param('sessionId') sessionId: string): Promise<SessionTimeline> {
    return this.getSessionTimeline.execute(sessionId);
  }
}
