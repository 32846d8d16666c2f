import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

import type { CloudEvent } from '#engines/message-bus';
import { RestoreCachedStatus, type SessionFacts } from '#domain/session';

/** The events that change the status that endpoints show. */
const CHANGES = [
  'session.created',
  'session.handoff_claimed',
  'session.login_superseded',
  'session.scanned',
  'session.confirmed',
  'session.completed',
  'session.cancelled',
  'session.expired',
];

/** Writes the statuses to the cache that a process has not written, because it crashed or lost the cache. */
@Controller()
export class SessionStatusesController {
  constructor(private readonly restoreStatus: RestoreCachedStatus) {}

  @EventPattern<string[]>(CHANGES)
  async changed(@Payload() { data, esrevision }: CloudEvent<SessionFacts>): Promise<void> {
    await this.restoreStatus.execute({ sessionId: data.sessionId, revision: esrevision, at: data.at });
  }
}
