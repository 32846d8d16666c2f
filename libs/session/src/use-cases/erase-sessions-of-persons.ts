import { type EventStore, idOf, type StreamName } from '#event-store';
import type { ErasedPerson, SubjectIds } from '#identity';
import { type ClientId, type Clock, type IdentityId, inParallel, type SessionId, type SubjectId } from '#kernel';

import type { Lifetimes } from '../domain/lifetimes.js';
import { RECORD_RETENTION, readableUntil } from '../domain/session.js';
import type { SessionEvent } from '../domain/session.events.js';
import type { Checkpoint } from '../repositories/checkpoint.js';
import { type Sessions, sessionStream } from '../repositories/sessions.js';
import { eraseResult } from '../repositories/signing-results.js';

/** Sessions that are erased at once. */
const CONCURRENCY = 32;

export interface EraseSessionsOfPersonsParts {
  readonly store: EventStore;
  readonly sessions: Sessions;
  /** Of SweepOldSessions: no session before it is stored. */
  readonly retentionCheckpoint: Checkpoint;
  readonly subjectIds: SubjectIds;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
}

/**
 * Tombstones the sessions of erased persons: those that they scanned, and those that were meant for them. One walk through the stored
 * sessions serves all persons. It runs when the last session that a person can have begun is no longer readable.
 */
export class EraseSessionsOfPersons {
  /** When to look at a person again whose sessions were still readable, epoch milliseconds. */
  readonly #lookAgainAt = new Map<IdentityId, number>();

  constructor(private readonly parts: EraseSessionsOfPersonsParts) {}

  /** Answers the persons who have no session left. May be repeated. Rejects when the signal ends it. */
  async execute(persons: readonly ErasedPerson[], signal: AbortSignal): Promise<ReadonlySet<IdentityId>> {
    const now = this.parts.clock.now();
    const due = persons.filter(({ identityId, erasedAt }) => (this.#lookAgainAt.get(identityId) ?? erasedAt + this.#longest()) <= now);
    const done = new Set(due.map(({ identityId }) => identityId));
    if (done.size === 0) return done;
    for (const identityId of done) this.#lookAgainAt.delete(identityId);
    await inParallel(await this.#find([...done], signal), CONCURRENCY, async ([stream, identityId]) => {
      const readable = await this.#erase(idOf<SessionId>(stream));
      if (readable === undefined) return;
      this.#lookAgainAt.set(identityId, Math.max(readable, this.#lookAgainAt.get(identityId) ?? 0));
      done.delete(identityId);
    });
    return done;
  }

  /** The time from an erasure to the moment when a login of the person, begun just before, is unreadable as a rule; in milliseconds. */
  #longest(): number {
    const { session, pushSession, signingBuild } = this.parts.lifetimes;
    return Math.max(session, pushSession) + signingBuild + RECORD_RETENTION;
  }

  /** Answers until when the session is readable if it still is. */
  async #erase(sessionId: SessionId): Promise<number | undefined> {
    const { state } = await this.parts.sessions.history(sessionId);
    if (state.status === 'NONE') return undefined;
    const until = readableUntil(state);
    if (this.parts.clock.now() < until) return until;
    if (state.terms.signatureType === 'SIGNING') await eraseResult(this.parts.store, sessionId);
    await this.parts.store.tombstone(sessionStream(sessionId));
    return undefined;
  }

  async #find(persons: readonly IdentityId[], signal: AbortSignal): Promise<ReadonlyMap<StreamName, IdentityId>> {
    const { store, retentionCheckpoint } = this.parts;
    const end = new AbortController();
    const found = new Map<StreamName, IdentityId>();
    const personOf = this.#personFinder(persons);
    const after = await retentionCheckpoint.load();
    try {
      for await (const item of store.subscribe<SessionEvent>({ after, categories: ['session'], signal: AbortSignal.any([signal, end.signal]) })) {
        if (item === 'caught-up') return found;
        const identityId = personOf(item);
        if (identityId) found.set(item.stream, identityId);
      }
      throw signal.reason;
    } finally {
      end.abort();
    }
  }

  #personFinder(persons: readonly IdentityId[]): (event: SessionEvent) => IdentityId | undefined {
    const erased = new Set(persons);
    const subjects = new Map<ClientId, ReadonlyMap<SubjectId, IdentityId>>();
    const subjectsOf = (clientId: ClientId): ReadonlyMap<SubjectId, IdentityId> => {
      const known = subjects.get(clientId) ?? new Map(persons.map((identityId) => [this.parts.subjectIds.of(clientId, identityId), identityId]));
      subjects.set(clientId, known);
      return known;
    };
    return ({ type, data }) => {
      if (type === 'SessionScanned') return erased.has(data.identityId) ? data.identityId : undefined;
      if (type !== 'SessionCreated' || data.subjectId === undefined) return undefined;
      return subjectsOf(data.clientId).get(data.subjectId);
    };
  }
}
