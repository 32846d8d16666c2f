import { parseId, type SessionId } from '#kernel';
import type { Device } from '#identity';

import { SessionNotFound } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';

/** The user declines or leaves. A locked device may do so too. */
export class DeclineSession {
  constructor(private readonly sessions: Sessions) {}

  /** Throws SessionNotFound, SessionNotScanned. */
  async execute(sessionId: string, reason: 'DECLINED' | 'LEFT', { deviceId }: Device): Promise<{ status: 'CANCELLED' }> {
    const id = parseId<SessionId>(sessionId);
    if (!id) throw new SessionNotFound('no UUID');
    const { loaded } = await this.sessions.getAt(id);
    await this.sessions.handle(id, { type: 'CancelSession', by: { deviceId }, reason }, loaded);
    return { status: 'CANCELLED' };
  }
}
