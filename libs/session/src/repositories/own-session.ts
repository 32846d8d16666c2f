import { type ClientId, parseId, type SessionId } from '#kernel';

import { SessionNotFound } from '../domain/session.errors.js';
import type { FoundSession, Sessions } from './sessions.js';

/** The client's session of that id. Throws SessionNotFound for an unknown session, another client's, and one whose record is no longer kept. */
export const ownSession = async (sessions: Sessions, sessionId: string, clientId: ClientId): Promise<FoundSession & { sessionId: SessionId }> => {
  const id = parseId<SessionId>(sessionId);
  const found = id && (await sessions.findAt(id));
  if (!found) throw new SessionNotFound(id ? 'unknown session' : 'no UUID');
  if (found.session.terms.clientId !== clientId) throw new SessionNotFound('another client');
  return { ...found, sessionId: id };
};
