import type { FindLivingPerson } from '#domain/identity';
import { type ClientId, parseId, type SessionId } from '#kernel';

import type { Session } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { CancelReason, FinishedBy } from '../domain/session.events.js';
import type { Sessions } from '../repositories/sessions.js';

export interface TimelineEntry {
  /** The type of the stored event, or `PersonErased`. */
  readonly type: string;
  /** Revision in the session's stream. Absent of `PersonErased`, which happened to the person and is no event of the session. */
  readonly sequence?: number;
  /** @format date-time */
  readonly at: string;
  readonly reason?: CancelReason | 'WRONG_NUMBER';
  /** `number`, if a number has finished the login. */
  readonly finishedBy?: FinishedBy;
  /** Why no container could be built. */
  readonly finding?: string;
  /** Of the device that took the session. */
  readonly deviceId?: string;
}

export interface SessionTimeline {
  readonly sessionId: SessionId;
  readonly clientId: ClientId;
  readonly status: string;
  readonly events: readonly TimelineEntry[];
}

/** A session's events for operators, as long as its stream exists: without secrets, codes and texts of the client. */
export class GetSessionTimeline {
  constructor(
    private readonly sessions: Sessions,
    private readonly persons: Pick<FindLivingPerson, 'erasedAt'>,
  ) {}

  /** Throws SessionNotFound, also when `of` is given and the session belongs to another client. */
  async execute(sessionId: string, of?: ClientId): Promise<SessionTimeline> {
    const id = parseId<SessionId>(sessionId);
    if (!id) throw new SessionNotFound('no UUID');
    const { state, events } = await this.sessions.history(id);
    if (state.status === 'NONE') throw new SessionNotFound('unknown session');
    if (of !== undefined && state.terms.clientId !== of) throw new SessionNotFound('session of another client');
    return {
      sessionId: id,
      clientId: state.terms.clientId,
      status: state.status,
      events: [
        ...events.map(({ type, data }, sequence) => ({
          type,
          sequence,
          at: new Date(data.at).toISOString(),
          ...('reason' in data && { reason: data.reason }),
          ...(type === 'NumberRefused' && { reason: 'WRONG_NUMBER' as const }),
          ...('finishedBy' in data && { finishedBy: data.finishedBy }),
          ...('finding' in data && { finding: data.finding }),
          ...(type === 'SessionScanned' && { deviceId: data.deviceId }),
        })),
        ...(await this.#erasure(state)),
      ],
    };
  }

  /** Of a session that had ended before its person was erased: why its result is not there, or its code refused. */
  async #erasure(session: Session): Promise<readonly TimelineEntry[]> {
    if (session.status !== 'CONFIRMED' && session.status !== 'COMPLETED') return [];
    const erasedAt = await this.persons.erasedAt(session.scan.identityId);
    return erasedAt === undefined ? [] : [{ type: 'PersonErased', at: new Date(erasedAt).toISOString(), reason: 'ERASED' }];
  }
}
