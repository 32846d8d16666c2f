import { type ClientId, InvalidRequest } from '#kernel';

import { ownSession } from './get-session-status.js';
import type { Sessions } from './sessions.js';

/** GET result: only a signing session has one. */
export class GetSessionResult {
  constructor(private readonly sessions: Sessions) {}

  /** Throws SessionNotFound; InvalidRequest for an authentication session. */
  async execute(sessionId: string, clientId: ClientId): Promise<never> {
    await ownSession(this.sessions, sessionId, clientId);
    throw new InvalidRequest('an AUTHENTICATION session has no result; exchange its code for the subjectId instead');
  }
}
