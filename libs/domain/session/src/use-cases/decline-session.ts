import type { UnitOfWork } from '#engines/event-store';
import { parseId, type SessionId } from '#kernel';
import type { Device } from '#domain/identity';

import { SessionNotFound } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';

/** The user declines or leaves. A locked device may do so too. */
export class DeclineSession {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: Sessions,
  ) {}

  /** Throws SessionNotFound, SessionNotScanned. */
  async execute(sessionId: string, reason: 'DECLINED' | 'LEFT', { deviceId }: Device): Promise<{ status: 'CANCELLED' }> {
    const id = parseId<SessionId>(sessionId);
    if (!id) throw new SessionNotFound('no UUID');
    await this.unitOfWork.run(async (streams) => {
      const session = await this.sessions.in(streams, id);
      session.decide({ type: 'CancelSession', by: { deviceId }, reason });
    });
    return { status: 'CANCELLED' };
  }
}
