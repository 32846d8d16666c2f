import type { EventStore } from '#engines/event-store';
import type { Clock, SessionId } from '#kernel';

import { endOf, readableUntil, type StartedSession } from '../domain/session.js';
import { type SessionTimer, type TimerKind, timerOf, type TimerWaits } from '../domain/session-timer.js';
import type { Sessions } from '../repositories/sessions.js';
import { SESSIONS, sessionStream } from '../streams.js';
import { eraseResult } from '../repositories/signing-results.js';

/** The next timed work on a session, as its stream says at this revision. */
export interface NextTimer extends SessionTimer {
  readonly revision: number;
}

/**
 * Does the timed work on a session: records its end, erases its result, deletes it. The stream decides whether it is due, and an end is appended at the revision
 * that was read: so of several processes that do the same at once, one ends the session.
 */
export class RunSessionTimer {
  constructor(
    private readonly store: EventStore,
    private readonly sessions: Sessions,
    private readonly waits: TimerWaits,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the due step `kind`; the steps before it are done. Answers the next timer; `deleted`; `unreadable` where the stream shows nothing: it was deleted before, or
   * this read lags. May be repeated. Throws NewerEventStored and EventStoreUnavailable.
   */
  async execute(sessionId: SessionId, kind: TimerKind): Promise<NextTimer | 'deleted' | 'unreadable'> {
    const { state, revision } = await this.sessions.settle(sessionId);
    if (state.status === 'NONE' || typeof revision !== 'number') return 'unreadable';
    let next = kind === 'deletion' ? this.#deletionOf(state) : this.#timerOf(state);
    if (next.kind === 'result' && this.#isDue(next)) {
      await eraseResult(this.store, sessionId);
      next = this.#deletionOf(state);
    }
    if (next.kind !== 'deletion' || !this.#isDue(next)) return { ...next, revision };
    if (state.terms.signatureType === 'SIGNING') await eraseResult(this.store, sessionId);
    await SESSIONS.tombstone(this.store, sessionStream(sessionId));
    return 'deleted';
  }

  #isDue({ kind, at }: SessionTimer): boolean {
    return at + this.waits[kind] <= this.clock.now();
  }

  #timerOf(session: StartedSession): SessionTimer {
    const timer = timerOf(session);
    return timer.kind === 'deletion' ? this.#deletionOf(session) : timer;
  }

  /** A session is not deleted while it can be read, even with a shorter retention. */
  #deletionOf(session: StartedSession): SessionTimer {
    return { kind: 'deletion', at: Math.max(endOf(session), readableUntil(session) - this.waits.deletion) };
  }
}
