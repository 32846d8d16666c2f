import { type Clock, epochSeconds, type IdentityId, type SessionId } from '#kernel';
import type { StreamChanges } from '#event-store';
import type { Inbox } from '#identity';

import type { Sessions } from './sessions.js';

export interface PendingSession {
  readonly sessionId: SessionId;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A push may have come between looking and waiting, so look again at least so often; milliseconds. */
const LOOK_AGAIN = 1_000;

/** The push inbox of a person: sessions sent to the person that nobody has scanned yet. */
export class ListPendingSessions {
  constructor(
    private readonly inbox: Inbox,
    private readonly sessions: Sessions,
    private readonly changes: StreamChanges,
    private readonly clock: Clock,
  ) {}

  async execute(identityId: IdentityId): Promise<readonly PendingSession[]> {
    const pushed = await this.inbox.pending(identityId);
    const ids = [...new Set(pushed.map(({ sessionId }) => sessionId))];
    const found = await Promise.all(ids.map(async (sessionId) => ({ sessionId, session: await this.sessions.find(sessionId) })));
    return found.flatMap(({ sessionId, session }) =>
      session?.status === 'PENDING' ? [{ sessionId, expiresAt: epochSeconds(session.terms.expiresAt) }] : [],
    );
  }

  /** The same, but holds the answer until there is a session, the milliseconds are over, or the signal says so. */
  async wait(identityId: IdentityId, milliseconds: number, signal: AbortSignal): Promise<readonly PendingSession[]> {
    const until = this.clock.monotonic() + milliseconds;
    for (;;) {
      const pending = await this.execute(identityId);
      const left = until - this.clock.monotonic();
      if (pending.length > 0 || left <= 0 || signal.aborted) return pending;
      await this.changes.next(identityId, Math.min(left, LOOK_AGAIN), signal);
    }
  }
}
