import type { SessionId } from '#kernel';

import { deadlineOf } from '../domain/session.js';
import type { Sessions } from './sessions.js';

/** The timer: for sessions that nobody asks about, so that those who wait for their end hear of it. */
export class EndSessionByTime {
  constructor(private readonly sessions: Sessions) {}

  /**
   * Puts the session's end on record when its time is up. Answers when to look again, epoch milliseconds: its deadline as
   * long as time may still end it, undefined from then on. May be repeated.
   */
  async execute(sessionId: SessionId): Promise<number | undefined> {
    const session = await this.sessions.find(sessionId);
    return session?.status === 'PENDING' || session?.status === 'SCANNED' ? deadlineOf(session) : undefined;
  }
}
