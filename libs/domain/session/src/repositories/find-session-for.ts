import { parseId, type SessionId } from '#kernel';
import type { Streams } from '#engines/event-store';
import { type Device, DeviceLocked } from '#domain/identity';

import type { StartedSession } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionInWork, Sessions } from './sessions.js';

/** The session of a device's request. A locked device learns of its lock whether the session exists or not (specification/app.md#order-of-checks-of-the-phone). */
export const findSessionFor = (device: Device, sessionId: string, sessions: Sessions): Promise<{ id: SessionId; session: StartedSession }> =>
  found(device, sessionId, async (id) => ({ id, session: await sessions.get(id) }));

/** The same within a work that may decide on the session. */
export const findSessionIn = (streams: Streams, device: Device, sessionId: string, sessions: Sessions): Promise<SessionInWork> =>
  found(device, sessionId, (id) => sessions.in(streams, id));

const found = async <Found>(device: Device, sessionId: string, find: (id: SessionId) => Promise<Found>): Promise<Found> => {
  try {
    const id = parseId<SessionId>(sessionId);
    if (!id) throw new SessionNotFound('no UUID');
    return await find(id);
  } catch (refusal) {
    if (refusal instanceof SessionNotFound && device.status === 'LOCKED') throw new DeviceLocked(device.lockedUntil);
    throw refusal;
  }
};
