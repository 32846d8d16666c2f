import type { EventStore } from '#engines/event-store';
import type { ErasedPerson } from '#domain/identity';
import { type Clock, type IdentityId, inParallel, type SessionId } from '#kernel';

import type { Lifetimes } from '../domain/lifetimes.js';
import { RECORD_RETENTION, readableUntil } from '../domain/session.js';
import type { PersonSession, PersonSessions } from '../read-models/person-sessions.js';
import type { Sessions } from '../repositories/sessions.js';
import { SESSIONS, sessionStream } from '../streams.js';
import { eraseResult } from '../repositories/signing-results.js';

/** Sessions that are erased at once. */
const CONCURRENCY = 32;

export interface EraseSessionsOfPersonsParts {
  readonly store: EventStore;
  readonly sessions: Sessions;
  readonly found: PersonSessions;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
}

/**
 * Tombstones the sessions of erased persons: those that they scanned, and those that were meant for them. It runs when the last session that a person can
 * have begun is no longer readable. A row goes after its session, so a process that starts goes on where the one before has ended.
 */
export class EraseSessionsOfPersons {
  /** When to look at a person again whose sessions were still readable, epoch milliseconds. */
  readonly #lookAgainAt = new Map<IdentityId, number>();

  constructor(private readonly parts: EraseSessionsOfPersonsParts) {}

  /**
   * Answers the persons who have no session left. May be repeated. Rejects when the signal ends it, and while the store or the read model is
   * unavailable.
   */
  async execute(persons: readonly ErasedPerson[], signal: AbortSignal): Promise<ReadonlySet<IdentityId>> {
    const now = this.parts.clock.now();
    const due = persons.filter(({ identityId, erasedAt }) => (this.#lookAgainAt.get(identityId) ?? erasedAt + this.#longest()) <= now);
    const done = new Set<IdentityId>();
    if (due.length === 0) return done;
    await this.parts.found.current();
    for (const { identityId } of due) {
      const readable = await this.#eraseAll(identityId, signal);
      if (readable === undefined) {
        this.#lookAgainAt.delete(identityId);
        done.add(identityId);
      } else this.#lookAgainAt.set(identityId, readable);
    }
    return done;
  }

  /** The time from an erasure to the moment when a login of the person, begun just before, is unreadable as a rule; in milliseconds. */
  #longest(): number {
    const { session, pushSession, signingBuild } = this.parts.lifetimes;
    return Math.max(session, pushSession) + signingBuild + RECORD_RETENTION;
  }

  /** Answers until when a session of the person is readable if one still is. */
  async #eraseAll(identityId: IdentityId, signal: AbortSignal): Promise<number | undefined> {
    const { found } = this.parts;
    let last: number | undefined;
    for await (const page of found.of(identityId)) {
      const erased: PersonSession[] = [];
      await inParallel(page, CONCURRENCY, async (row) => {
        signal.throwIfAborted();
        const readable = await this.#erase(row.session_id);
        if (readable === undefined) erased.push(row);
        else last = Math.max(readable, last ?? 0);
      });
      await found.remove(erased);
    }
    signal.throwIfAborted();
    return last;
  }

  /** Answers until when the session is readable if it still is. */
  async #erase(sessionId: SessionId): Promise<number | undefined> {
    const { state } = await this.parts.sessions.history(sessionId);
    if (state.status === 'NONE') return undefined;
    const until = readableUntil(state);
    if (this.parts.clock.now() < until) return until;
    if (state.terms.signatureType === 'SIGNING') await eraseResult(this.parts.store, sessionId);
    await SESSIONS.tombstone(this.parts.store, sessionStream(sessionId));
    return undefined;
  }
}
