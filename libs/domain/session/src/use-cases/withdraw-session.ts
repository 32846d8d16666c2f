import type { UnitOfWork } from '#engines/event-store';
import type { ClientId } from '#kernel';

import { ownSessionIn } from '../repositories/own-session.js';
import type { Sessions } from '../repositories/sessions.js';

/** DELETE session: the relying party withdraws its request (specification/relying-party.md#delete-session). */
export class WithdrawSession {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: Sessions,
  ) {}

  /** Throws SessionNotFound, SessionNotCancellable. */
  async execute(sessionId: string, clientId: ClientId): Promise<void> {
    await this.unitOfWork.run(async (streams) => {
      const session = await ownSessionIn(streams, this.sessions, sessionId, clientId);
      session.decide({ type: 'CancelSession', by: { clientId }, reason: 'WITHDRAWN' });
    });
  }
}
