import { type EventStore, idOf, type RecordedEvent } from '#event-store';
import type { SessionId } from '#kernel';

import { endOf, type StartedSession } from '../domain/session.js';
import type { SessionEvent } from '../domain/session.events.js';
import type { RetentionRule } from '../expiry/retention-sweep.js';
import type { Sessions } from '../repositories/sessions.js';
import { eraseResult } from '../repositories/signing-results.js';

/** Milliseconds after the end, for a build that is still under way. */
const GRACE = 60_000;

/**
 * Tombstones the results of signatures when they are over: with the container go the signature value, the manifest and the signed bytes. Reads
 * have hidden them since their end.
 */
export class EraseOldResults implements RetentionRule {
  constructor(
    private readonly store: EventStore,
    private readonly sessions: Sessions,
  ) {}

  async dueAt({ type, stream, data }: RecordedEvent<SessionEvent>): Promise<number | undefined> {
    if (type !== 'SessionCreated' || data.signatureType !== 'SIGNING') return undefined;
    const { state } = await this.sessions.history(idOf<SessionId>(stream));
    return state.status === 'NONE' ? undefined : overAt(state) + GRACE;
  }

  async erase({ stream }: RecordedEvent<SessionEvent>): Promise<void> {
    await eraseResult(this.store, idOf<SessionId>(stream));
  }
}

const overAt = (session: StartedSession): number => ('result' in session ? session.result.expiresAt : endOf(session));
