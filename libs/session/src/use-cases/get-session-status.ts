import { type ClientId, epochSeconds } from '#kernel';

import { deadlineOf, type SessionStatus, type StartedSession } from '../domain/session.js';
import { ownSession } from '../repositories/own-session.js';
import type { Sessions } from '../repositories/sessions.js';

export interface StatusView {
  readonly status: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
}

export const statusView = (session: StartedSession): StatusView =>
  session.status === 'PENDING' || session.status === 'SCANNED'
    ? { status: session.status, expiresAt: epochSeconds(deadlineOf(session)) }
    : { status: session.status };

/** GET status. */
export class GetSessionStatus {
  constructor(private readonly sessions: Sessions) {}

  /** Throws SessionNotFound for an unknown session, another client's, and one whose record is no longer kept. */
  async execute(sessionId: string, clientId: ClientId): Promise<StatusView> {
    return statusView(await ownSession(this.sessions, sessionId, clientId));
  }
}
