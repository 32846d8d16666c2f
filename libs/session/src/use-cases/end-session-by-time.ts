import type { SessionId } from '#kernel';

import { deadlineOf } from '../domain/session.js';
import type { Sessions } from '../repositories/sessions.js';

/** Ends a session at its deadline although no request touches it, so that webhooks and consumers learn of the end. */
export class EndSessionByTime {
  constructor(private readonly sessions: Sessions) {}

  /**
   * Records the session's end when its deadline has passed. Answers the deadline, epoch milliseconds, as long as the session
   * is open, otherwise undefined. May be repeated. Throws NewerEventStored.
   */
  async execute(sessionId: SessionId): Promise<number | undefined> {
    const session = await this.sessions.handle(sessionId, { type: 'ExpireIfDue' });
    return session.status === 'PENDING' || session.status === 'SCANNED' ? deadlineOf(session) : undefined;
  }
}
