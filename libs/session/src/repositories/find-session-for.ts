import { parseId, type SessionId } from '#kernel';
import { type Device, DeviceLocked } from '#identity';

import { SessionNotFound } from '../domain/session.errors.js';
import type { FoundSession, Sessions } from './sessions.js';

/** The session of a device's request. A locked device learns of its lock whether the session exists or not (specification/app.md#order-of-checks-of-the-phone). */
export const findSessionFor = async (device: Device, sessionId: string, sessions: Sessions): Promise<FoundSession & { id: SessionId }> => {
  try {
    const id = parseId<SessionId>(sessionId);
    if (!id) throw new SessionNotFound('no UUID');
    return { id, ...(await sessions.getAt(id)) };
  } catch (refusal) {
    if (refusal instanceof SessionNotFound && device.status === 'LOCKED') throw new DeviceLocked(device.lockedUntil);
    throw refusal;
  }
};
