import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { epochSeconds, type SessionId } from '#kernel';
import { type ListedSession, ListSessions } from '#domain/session';

import { type Paged, pageRequest } from './page.js';
import { SessionsDto, sessionSearchOf } from './sessions.dto.js';

interface ShownSession extends Omit<ListedSession, 'createdAt' | 'changedAt'> {
  /** Epoch seconds. */
  readonly createdAt: number;
  /** When the status changed last. Epoch seconds. */
  readonly changedAt: number;
}

interface SessionPage extends Paged {
  /** Newest first. */
  readonly sessions: readonly ShownSession[];
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

const inSeconds = ({ createdAt, changedAt, ...session }: ListedSession): ShownSession => ({
  ...session,
  createdAt: epochSeconds(createdAt),
  changedAt: epochSeconds(changedAt),
});
