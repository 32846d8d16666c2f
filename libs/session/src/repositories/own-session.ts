import { type ClientId, parseId, type SessionId } from '#kernel';

import type { StartedSession } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { Sessions } from './sessions.js';

/** The client's session of that id. Throws SessionNotFound for an unknown session, another client's, and one whose record is no longer kept. */
export const ownSession = async (sessions: Sessions, sessionId: string, clientId: ClientId): Promise<StartedSession & { sessionId: SessionId }> => {
  const id = parseId<SessionId>(sessionId);
  const session = id && (await sessions.find(id));
  if (!session) throw new SessionNotFound(id ? 'unknown session' : 'no UUID');
  if (session.terms.clientId !== clientId) throw new SessionNotFound('another client');
  return { ...session, sessionId: id };
};
