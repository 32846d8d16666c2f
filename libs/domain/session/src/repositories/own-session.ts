import { type ClientId, parseId, type SessionId } from '#kernel';
import type { Streams } from '#engines/event-store';

import type { StartedSession } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionInWork, Sessions } from './sessions.js';

/** The client's session of that id. Throws SessionNotFound for an unknown session, another client's, and one whose record is no longer kept. */
export const ownSession = async (
  sessions: Sessions,
  sessionId: string,
  clientId: ClientId,
): Promise<{ readonly session: StartedSession; readonly sessionId: SessionId }> => {
  const id = idIn(sessionId);
  const session = await sessions.get(id);
  assertOwn(session, clientId);
  return { session, sessionId: id };
};

/** The same within a work that may decide on the session. */
export const ownSessionIn = async (streams: Streams, sessions: Sessions, sessionId: string, clientId: ClientId): Promise<SessionInWork> => {
  const session = await sessions.in(streams, idIn(sessionId));
  assertOwn(session.found, clientId);
  return session;
};

const idIn = (text: string): SessionId => {
  const id = parseId<SessionId>(text);
  if (!id) throw new SessionNotFound('no UUID');
  return id;
};

const assertOwn = ({ terms }: StartedSession, clientId: ClientId): void => {
  if (terms.clientId !== clientId) throw new SessionNotFound('another client');
};
