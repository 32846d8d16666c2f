import { type EventStore, idOf, type RecordedEvent } from '#event-store';
import type { Clock, SessionId } from '#kernel';

import { endOf } from '../domain/session.js';
import type { SessionEvent } from '../domain/session.events.js';
import type { RetentionRule } from '../expiry/retention-sweep.js';
import type { Sessions } from '../repositories/sessions.js';

/** How long a session's stream is kept after its end, in milliseconds: thirty days (specification/sessions.md#session-record-after-its-end). */
const RETENTION = 2_592_000_000;

/** Tombstones the streams of sessions that ended thirty days ago. */
export class DeleteOldSessions implements RetentionRule {
  constructor(
    private readonly store: EventStore,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** A session does not end before it is created, so most streams need no read. */
  async dueAt({ stream, data }: RecordedEvent<SessionEvent>): Promise<number | undefined> {
    const soonest = data.at + RETENTION;
    if (this.clock.now() < soonest) return soonest;
    const { state } = await this.sessions.history(idOf<SessionId>(stream));
    return state.status === 'NONE' ? undefined : endOf(state) + RETENTION;
  }

  async erase({ stream }: RecordedEvent<SessionEvent>): Promise<void> {
    await this.store.tombstone(stream);
  }
}
