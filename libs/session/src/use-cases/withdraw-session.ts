import type { ClientId } from '#kernel';

import { ownSession } from '../repositories/own-session.js';
import type { Sessions } from '../repositories/sessions.js';

/** DELETE session: the relying party withdraws its request (specification/relying-party.md#delete-session). */
export class WithdrawSession {
  constructor(private readonly sessions: Sessions) {}

  /** Throws SessionNotFound, SessionNotCancellable. */
  async execute(sessionId: string, clientId: ClientId): Promise<void> {
    const own = await ownSession(this.sessions, sessionId, clientId);
    await this.sessions.handle(own.sessionId, { type: 'CancelSession', by: { clientId }, reason: 'WITHDRAWN' }, own.loaded);
  }
}
