import { StreamTombstoned, type UnitOfWork } from '#engines/event-store';
import { parseId, type SessionId } from '#kernel';
import type { Device, PersonLimitsRecords } from '#domain/identity';

import type { StartedSession } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';

/** The user declines or leaves. A locked device may do so too. */
export class DeclineSession {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sessions: Sessions,
    private readonly personLimits: Pick<PersonLimitsRecords, 'declineIn'>,
  ) {}

  /** Throws SessionNotFound, SessionNotScanned. */
  async execute(sessionId: string, reason: 'DECLINED' | 'LEFT', device: Device): Promise<{ status: 'CANCELLED' }> {
    const id = parseId<SessionId>(sessionId);
    if (!id) throw new SessionNotFound('no UUID');
    try {
      await this.#cancel(id, reason, device, reason === 'DECLINED');
    } catch (error) {
      // The person was erased meanwhile: no client has to wait.
      if (!(error instanceof StreamTombstoned)) throw error;
      await this.#cancel(id, reason, device, false);
    }
    return { status: 'CANCELLED' };
  }

  /** `isCounted`: whether the client has to wait before its next push to the person. */
  async #cancel(id: SessionId, reason: 'DECLINED' | 'LEFT', { deviceId, identityId }: Device, isCounted: boolean): Promise<void> {
    await this.unitOfWork.run(async (streams) => {
      const session = await this.sessions.in(streams, id);
      // First, where the store has no transactions: a session that was declined never lacks the wait.
      if (isCounted && isPushed(session.found)) await this.personLimits.declineIn(streams, identityId, session.found.terms.clientId);
      session.decide({ type: 'CancelSession', by: { deviceId }, reason });
    });
  }
}

/** A repetition of the Decline counts no more. Without a push the client does not know the person, and must not learn by a wait who has declined. */
const isPushed = ({ status, terms }: StartedSession): boolean => status === 'SCANNED' && terms.pushStatus === 'DISPATCHED';
