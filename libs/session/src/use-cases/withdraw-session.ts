import type { ClientId } from '#kernel';

import { ownSession } from './get-session-status.js';
import type { Sessions } from './sessions.js';

/** DELETE session: the relying party gives up waiting (api-extensions 1.18). */
export class WithdrawSession {
  constructor(private readonly sessions: Sessions) {}

  /** Throws SessionNotFound, SessionNotCancellable. */
  async execute(sessionId: string, clientId: ClientId): Promise<void> {
    const own = await ownSession(this.sessions, sessionId, clientId);
    await this.sessions.handle(own.sessionId, { type: 'CancelSession', by: { clientId }, reason: 'WITHDRAWN' });
  }
}
