import { type ClientId, epochSeconds, parseId, type SessionId } from '#kernel';

import { deadlineOf, type SessionStatus, type StartedSession } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { Sessions } from './sessions.js';

export interface StatusView {
  readonly status: SessionStatus;
  /** Epoch seconds; while the session waits for the user. */
  readonly expiresAt?: number;
}

export const statusView = (session: StartedSession): StatusView =>
  session.status === 'PENDING' || session.status === 'SCANNED'
    ? { status: session.status, expiresAt: epochSeconds(deadlineOf(session)) }
    : { status: session.status };

/** GET status, and what every other call of a client on one session begins with. */
export class GetSessionStatus {
  constructor(private readonly sessions: Sessions) {}

  /** Throws SessionNotFound for an unknown session, another client's, and one whose record is no longer kept. */
  async execute(sessionId: string, clientId: ClientId): Promise<StatusView> {
    return statusView(await ownSession(this.sessions, sessionId, clientId));
  }
}

export const ownSession = async (sessions: Sessions, sessionId: string, clientId: ClientId): Promise<StartedSession & { sessionId: SessionId }> => {
  const id = parseId<SessionId>(sessionId);
  const session = id && (await sessions.find(id));
  if (!session) throw new SessionNotFound(id ? 'unknown session' : 'no UUID');
  if (session.terms.clientId !== clientId) throw new SessionNotFound('another client');
  return { ...session, sessionId: id };
};
