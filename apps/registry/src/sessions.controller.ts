import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { epochSeconds, type SessionId } from '#kernel';
import { type ListedSession, ListSessions } from '#domain/session';

import { pageRequest } from './page.js';
import { SessionsDto, sessionSearchOf } from './sessions.dto.js';

interface SessionPage {
  /** Newest first. Times in epoch seconds. */
  readonly sessions: readonly ListedSession[];
  /** The value of `after` that returns the next page. Absent on the last page. */
  readonly next?: string;
}

/** The sessions that are stored (specification/admin.md#sessions). */
@ApiBearerAuth('admin')
@Controller('admin/v1/sessions')
export class SessionsController {
  constructor(private readonly listSessions: ListSessions) {}

  @Get()
  async list(@Query() query: SessionsDto): Promise<SessionPage> {
    const { entries, ...next } = await this.listSessions.execute(sessionSearchOf(query), pageRequest<SessionId>(query));
    return { sessions: entries.map(inSeconds), ...next };
  }
}

const inSeconds = ({ createdAt, changedAt, ...session }: ListedSession): ListedSession => ({
  ...session,
  createdAt: epochSeconds(createdAt),
  changedAt: epochSeconds(changedAt),
});
